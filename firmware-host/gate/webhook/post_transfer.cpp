#include "firmware-host/gate/webhook/post_transfer.hpp"

#include "firmware-host/gate/webhook/post_failure.hpp"
#include "firmware-host/gate/webhook/socket_address.hpp"
#include "src/base/check.hpp"
#include "src/posting/answer_excerpt.hpp"
#include "src/posting/retry_after.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <utility>

namespace smsrack::gate {
namespace {

constexpr std::string_view retry_field = "retry-after:";

bool begins_with(std::string_view line, std::string_view name) {
    return line.size() >= name.size() &&
           std::equal(name.begin(), name.end(), line.begin(), [](char wanted, char c) {
               return wanted == (c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
           });
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    return text.substr(0, text.find_last_not_of(blanks) + 1);
}

std::string host_and_port(const config::HttpUrl& url) {
    const bool is_v6 = url.address && !url.address->is_v4();
    return fmt::format("{}{}{}:{}", is_v6 ? "[" : "", url.host, is_v6 ? "]" : "", url.port);
}

}  // namespace

PostPlace post_place(const CurlLibrary& curl, const Clock& clock,
                     const config::WebhookSettings& webhook,
                     std::function<bool(const config::IpAddress&)> permits) {
    const bool by_proxy = !webhook.proxy.empty();
    // The configuration was checked.
    config::HttpUrl target = config::http_url_of(by_proxy ? webhook.proxy : webhook.url).value();
    std::string proxy = by_proxy ? "http://" + host_and_port(target) : std::string();
    return {.curl = curl,
            .clock = clock,
            .webhook = webhook,
            .target = std::move(target),
            .proxy = std::move(proxy),
            .permits = std::move(permits)};
}

PostTransfer::PostTransfer(const PostPlace& place, CURL* handle, posting::ReceiverRequest request)
    : place_(place), handle_(handle), request_(std::move(request)), begun_(place.clock.steady()) {}

PostTransfer::~PostTransfer() {
    place_.curl.slist_free_all(headers_);
    place_.curl.slist_free_all(resolved_);
}

void PostTransfer::add(curl_slist*& list, const std::string& line) const {
    list = place_.curl.slist_append(list, line.c_str());
    SMSRACK_CHECK(list != nullptr);
}

void PostTransfer::set_up(const std::vector<config::IpAddress>& addresses,
                          std::chrono::milliseconds timeout) {
    const auto set = [this](CURLoption option, auto value) {
        const CURLcode code = place_.curl.easy_setopt(handle_, option, value);
        SMSRACK_CHECK(code == CURLE_OK);
    };
    constexpr curl_write_callback on_body = [](char* octets, std::size_t size, std::size_t count,
                                               void* to) noexcept -> std::size_t {
        const std::string_view piece(octets, size * count);
        return static_cast<PostTransfer*>(to)->take_body(piece) ? piece.size() : 0;
    };
    constexpr curl_write_callback on_head = [](char* octets, std::size_t size, std::size_t count,
                                               void* to) noexcept -> std::size_t {
        const std::string_view line(octets, size * count);
        return static_cast<PostTransfer*>(to)->take_head(line) ? line.size() : 0;
    };
    constexpr curl_opensocket_callback on_open = [](void* to, curlsocktype,
                                                    curl_sockaddr* address) noexcept {
        return static_cast<PostTransfer*>(to)->open_socket(*address);
    };
    constexpr curl_prereq_callback on_connected = [](void* to, char*, char*, int, int) noexcept {
        static_cast<PostTransfer*>(to)->connected_ = true;
        return int{CURL_PREREQFUNC_OK};
    };
    // What is called.
    set(CURLOPT_URL, request_.url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    set(CURLOPT_FOLLOWLOCATION, 0L);
    // With its port, as libcurl takes another for usual. "" also shuts off those of the environment.
    set(CURLOPT_PROXY, place_.proxy.c_str());
    set(CURLOPT_NOPROXY, "");
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    if (!place_.target.address) {
        std::string line = fmt::format("{}:{}:", place_.target.host, place_.target.port);
        for (const config::IpAddress& address : addresses) {
            const std::string text = address.text();
            line += fmt::format("{}{}", line.ends_with(':') ? "" : ",",
                                address.is_v4() ? text : "[" + text + "]");
        }
        add(resolved_, line);
        set(CURLOPT_RESOLVE, resolved_);
    }
    set(CURLOPT_OPENSOCKETFUNCTION, on_open);
    set(CURLOPT_OPENSOCKETDATA, this);
    set(CURLOPT_PREREQFUNCTION, on_connected);
    set(CURLOPT_PREREQDATA, this);
    // How long, and what of it is read.
    set(CURLOPT_TIMEOUT_MS, std::max(1L, static_cast<long>(timeout.count())));
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_QUICK_EXIT, 1L);
    set(CURLOPT_TCP_KEEPALIVE, 1L);
    set(CURLOPT_MAXLIFETIME_CONN, 300L);  // its name may lead elsewhere by then
    set(CURLOPT_UPLOAD_BUFFERSIZE, static_cast<long>(16 * 1024));
    set(CURLOPT_WRITEFUNCTION, on_body);
    set(CURLOPT_WRITEDATA, this);
    set(CURLOPT_HEADERFUNCTION, on_head);
    set(CURLOPT_HEADERDATA, this);
    // Whom it believes. Of the system's certificates the folder is enough: it names each by its hash, so only those in use are read.
    set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
    set(CURLOPT_SSL_VERIFYPEER, 1L);
    set(CURLOPT_SSL_VERIFYHOST, 2L);
    set(CURLOPT_CAINFO, place_.webhook.ca.empty() ? nullptr : place_.webhook.ca.c_str());
    set(CURLOPT_CAPATH, place_.webhook.ca.empty() ? "/etc/ssl/certs" : nullptr);
    // What is sent.
    set(CURLOPT_USERAGENT, "smsrack/" SMSRACK_VERSION);
    add(headers_, "Expect:");
    for (const std::string& header : request_.headers) {
        add(headers_, header);
    }
    set(CURLOPT_HTTPHEADER, headers_);
    if (request_.has_body) {
        set(CURLOPT_POST, 1L);
        set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
        set(CURLOPT_POSTFIELDS, request_.body.data());
    }
}

/// False ends the transfer.
bool PostTransfer::take_head(std::string_view line) {
    head_bytes_ += line.size();
    if (head_bytes_ > head_max) {
        return false;
    }
    if (line.starts_with("HTTP/")) {
        head_is_whole_ = false;
        outcome_.retry_after.reset();
        look_at_tls();
    } else if (begins_with(line, retry_field)) {
        outcome_.retry_after =
            posting::retry_after(trimmed(line.substr(retry_field.size())), place_.clock.wall());
    } else if (trimmed(line).empty()) {
        head_is_whole_ = true;
    }
    return true;
}

bool PostTransfer::take_body(std::string_view piece) {
    constexpr std::size_t kept = posting::excerpt_max;
    outcome_.answer += piece.substr(0, kept - std::min(kept, outcome_.answer.size()));
    body_bytes_ += piece.size();
    return body_bytes_ <= answer_max;
}

void PostTransfer::look_at_tls() {
    curl_tlssessioninfo* session = nullptr;
    if (!outcome_.tls.empty() ||
        place_.curl.easy_getinfo(handle_, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK ||
        session == nullptr || session->backend != CURLSSLBACKEND_OPENSSL ||
        session->internals == nullptr) {
        return;
    }
    const auto* const ssl = static_cast<const SSL*>(session->internals);
    outcome_.tls = fmt::format("{} {}", SSL_get_version(ssl),
                               SSL_CIPHER_get_name(SSL_get_current_cipher(ssl)));
}

/// The last line of defence: whatever libcurl wants to connect to was permitted, or there is no socket.
curl_socket_t PostTransfer::open_socket(const curl_sockaddr& address) {
    const auto ip = ip_address_of(address.addr);
    if (!ip || !place_.permits(*ip)) {
        refused_address_ = true;
        return CURL_SOCKET_BAD;
    }
    return ::socket(address.family, address.socktype | SOCK_CLOEXEC, address.protocol);
}

long PostTransfer::number(CURLINFO what) const {
    long value = 0;
    (void)place_.curl.easy_getinfo(handle_, what, &value);
    return value;
}

bool PostTransfer::has_reached(CURLINFO what) const {
    curl_off_t time = 0;
    return place_.curl.easy_getinfo(handle_, what, &time) == CURLE_OK && time > 0;
}

PostOutcome PostTransfer::end(CURLcode code) {
    outcome_.answer = posting::answer_excerpt(outcome_.answer);
    const long status = number(CURLINFO_RESPONSE_CODE);
    // A head that came as a whole counts, however its body ends; one that did not is no answer.
    if (head_is_whole_ && status >= 200) {
        outcome_.status = static_cast<int>(status);
    } else {
        fail_with(code == CURLE_OK ? CURLE_GOT_NOTHING : code);
    }
    const char* address = nullptr;
    (void)place_.curl.easy_getinfo(handle_, CURLINFO_PRIMARY_IP, &address);
    outcome_.address = address == nullptr ? "" : address;
    outcome_.took =
        std::chrono::duration_cast<std::chrono::milliseconds>(place_.clock.steady() - begun_);
    return std::move(outcome_);
}

void PostTransfer::fail_with(CURLcode code) {
    const config::WebhookSettings& webhook = place_.webhook;
    const bool by_proxy = !webhook.proxy.empty();
    PostOutcome words =
        failure_in_words({.code = code,
                          .host = fmt::format("{}:{}", place_.target.host, place_.target.port),
                          .tls = config::http_url_of(webhook.url)->tls,
                          .by_proxy = by_proxy,
                          .connected = connected_ || number(CURLINFO_LOCAL_PORT) > 0,
                          .tls_agreed = has_reached(CURLINFO_APPCONNECT_TIME_T),
                          .refused_address = refused_address_,
                          .verify_result = number(CURLINFO_SSL_VERIFYRESULT),
                          .system_error = number(CURLINFO_OS_ERRNO),
                          .proxy_status = by_proxy ? number(CURLINFO_HTTP_CONNECTCODE) : 0,
                          .certificate_file = webhook.ca,
                          .timeout = webhook.timeout},
                         place_.curl.easy_strerror(code));
    outcome_.error = std::move(words.error);
    outcome_.advice = std::move(words.advice);
}

}  // namespace smsrack::gate
