#include "firmware-host/gate/webhook/post_client.hpp"

#include "firmware-host/gate/webhook/post_failure.hpp"
#include "firmware-host/gate/webhook/socket_address.hpp"
#include "src/base/check.hpp"
#include "src/posting/answer_excerpt.hpp"
#include "src/posting/retry_after.hpp"

#include <fmt/format.h>
#include <openssl/ssl.h>
#include <string_view>
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

config::HttpUrl connected_to(const config::WebhookSettings& webhook) {
    return config::http_url_of(webhook.proxy.empty() ? webhook.url : webhook.proxy).value();
}

std::string host_and_port(const config::HttpUrl& url) {
    const bool is_v6 = url.address && !url.address->is_v4();
    return fmt::format("{}{}{}:{}", is_v6 ? "[" : "", url.host, is_v6 ? "]" : "", url.port);
}

}  // namespace

struct PostClient::Transfer {
    Transfer(PostClient& of, CURL* with, Order order, Done then)
        : client(of),
          handle(with),
          request(std::move(order.request)),
          begun(of.parts_.clock.steady()),
          done(std::move(then)) {}
    ~Transfer() {
        client.parts_.curl->slist_free_all(headers);
        client.parts_.curl->slist_free_all(resolved);
    }
    Transfer(const Transfer&) = delete;
    Transfer& operator=(const Transfer&) = delete;

    void add(curl_slist*& list, const std::string& line) const {
        list = client.parts_.curl->slist_append(list, line.c_str());
        SMSRACK_CHECK(list != nullptr);
    }

    [[nodiscard]] bool take_head(std::string_view line);
    [[nodiscard]] bool take_body(std::string_view piece);
    [[nodiscard]] curl_socket_t open_socket(const curl_sockaddr& address);
    void look_at_tls();

    PostClient& client;
    CURL* const handle;
    const posting::ReceiverRequest request;  // libcurl reads its body from here
    const SteadyTime begun;
    Done done;
    curl_slist* headers = nullptr;
    curl_slist* resolved = nullptr;
    PostOutcome outcome;
    std::size_t head_bytes = 0;
    std::size_t body_bytes = 0;
    bool head_is_whole = false;
    bool refused_address = false;
    bool connected = false;
};

/// False ends the transfer.
bool PostClient::Transfer::take_head(std::string_view line) {
    head_bytes += line.size();
    if (head_bytes > head_max) {
        return false;
    }
    if (line.starts_with("HTTP/")) {
        head_is_whole = false;
        outcome.retry_after.reset();
        look_at_tls();
    } else if (begins_with(line, retry_field)) {
        outcome.retry_after = posting::retry_after(trimmed(line.substr(retry_field.size())),
                                                   client.parts_.clock.wall());
    } else if (trimmed(line).empty()) {
        head_is_whole = true;
    }
    return true;
}

bool PostClient::Transfer::take_body(std::string_view piece) {
    constexpr std::size_t kept = posting::excerpt_max;
    outcome.answer += piece.substr(0, kept - std::min(kept, outcome.answer.size()));
    body_bytes += piece.size();
    return body_bytes <= answer_max;
}

void PostClient::Transfer::look_at_tls() {
    curl_tlssessioninfo* session = nullptr;
    if (!outcome.tls.empty() ||
        client.parts_.curl->easy_getinfo(handle, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK ||
        session == nullptr || session->backend != CURLSSLBACKEND_OPENSSL ||
        session->internals == nullptr) {
        return;
    }
    const auto* const ssl = static_cast<const SSL*>(session->internals);
    outcome.tls = fmt::format("{} {}", SSL_get_version(ssl),
                              SSL_CIPHER_get_name(SSL_get_current_cipher(ssl)));
}

/// The last line of defence: whatever libcurl wants to connect to was permitted, or there is no socket.
curl_socket_t PostClient::Transfer::open_socket(const curl_sockaddr& address) {
    const auto ip = ip_address_of(address.addr);
    if (!ip || !client.permits_(*ip)) {
        refused_address = true;
        return CURL_SOCKET_BAD;
    }
    return ::socket(address.family, address.socktype | SOCK_CLOEXEC, address.protocol);
}

PostClient::PostClient(const Parts& parts, const config::WebhookSettings& webhook,
                       std::function<bool(const config::IpAddress&)> permits)
    : parts_(parts),
      webhook_(webhook),
      target_(connected_to(webhook)),
      proxy_(webhook.proxy.empty() ? "" : "http://" + host_and_port(target_)),
      permits_(std::move(permits)),
      multi_(parts.curl->multi_init()) {
    SMSRACK_CHECK(multi_ != nullptr);
    const auto set = [this](CURLMoption option, auto value) {
        const CURLMcode code = parts_.curl->multi_setopt(multi_, option, value);
        SMSRACK_CHECK(code == CURLM_OK);
    };
    constexpr curl_socket_callback on_socket = [](CURL*, curl_socket_t fd, int what, void* self,
                                                  void*) noexcept {
        static_cast<PostClient*>(self)->watch(fd, what);
        return 0;
    };
    constexpr curl_multi_timer_callback on_timer = [](CURLM*, long ms, void* self) noexcept {
        static_cast<PostClient*>(self)->set_timer(ms);
        return 0;
    };
    set(CURLMOPT_SOCKETFUNCTION, on_socket);
    set(CURLMOPT_SOCKETDATA, this);
    set(CURLMOPT_TIMERFUNCTION, on_timer);
    set(CURLMOPT_TIMERDATA, this);
    set(CURLMOPT_MAXCONNECTS, static_cast<long>(webhook_.parallel));
    set(CURLMOPT_PIPELINING, static_cast<long>(CURLPIPE_NOTHING));
}

PostClient::~PostClient() {
    for (const auto& [handle, transfer] : transfers_) {
        parts_.curl->multi_remove_handle(multi_, handle);
        parts_.curl->easy_cleanup(handle);
    }
    for (CURL* const handle : idle_) {
        parts_.curl->easy_cleanup(handle);
    }
    parts_.curl->multi_cleanup(multi_);
}

CURL* PostClient::take_handle() {
    if (idle_.empty()) {
        return parts_.curl->easy_init();
    }
    CURL* const handle = idle_.back();
    idle_.pop_back();
    parts_.curl->easy_reset(handle);
    return handle;
}

void PostClient::send(Order order, Done done) {
    CURL* const handle = take_handle();
    SMSRACK_CHECK(handle != nullptr);  // there is no memory for it
    const auto timeout = order.timeout;
    const auto addresses = std::move(order.addresses);
    auto transfer = std::make_unique<Transfer>(*this, handle, std::move(order), std::move(done));
    set_up(*transfer, {.addresses = addresses, .timeout = timeout});
    transfers_.emplace(handle, std::move(transfer));
    const CURLMcode added = parts_.curl->multi_add_handle(multi_, handle);
    SMSRACK_CHECK(added == CURLM_OK);
}

void PostClient::set_up(Transfer& transfer, const Order& order) {
    const auto set = [this, &transfer](CURLoption option, auto value) {
        const CURLcode code = parts_.curl->easy_setopt(transfer.handle, option, value);
        SMSRACK_CHECK(code == CURLE_OK);
    };
    constexpr curl_write_callback on_body = [](char* octets, std::size_t size, std::size_t count,
                                               void* to) noexcept -> std::size_t {
        const std::string_view piece(octets, size * count);
        return static_cast<Transfer*>(to)->take_body(piece) ? piece.size() : 0;
    };
    constexpr curl_write_callback on_head = [](char* octets, std::size_t size, std::size_t count,
                                               void* to) noexcept -> std::size_t {
        const std::string_view line(octets, size * count);
        return static_cast<Transfer*>(to)->take_head(line) ? line.size() : 0;
    };
    constexpr curl_opensocket_callback on_open = [](void* to, curlsocktype,
                                                    curl_sockaddr* address) noexcept {
        return static_cast<Transfer*>(to)->open_socket(*address);
    };
    constexpr curl_prereq_callback on_connected = [](void* to, char*, char*, int, int) noexcept {
        static_cast<Transfer*>(to)->connected = true;
        return int{CURL_PREREQFUNC_OK};
    };
    // What is called.
    set(CURLOPT_URL, transfer.request.url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    set(CURLOPT_FOLLOWLOCATION, 0L);
    // With its port, as libcurl takes another for usual. "" also shuts off those of the environment.
    set(CURLOPT_PROXY, proxy_.c_str());
    set(CURLOPT_NOPROXY, "");
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    if (!target_.address) {
        std::string line = fmt::format("{}:{}:", target_.host, target_.port);
        for (const config::IpAddress& address : order.addresses) {
            const std::string text = address.text();
            line += fmt::format("{}{}", line.ends_with(':') ? "" : ",",
                                address.is_v4() ? text : "[" + text + "]");
        }
        transfer.add(transfer.resolved, line);
        set(CURLOPT_RESOLVE, transfer.resolved);
    }
    set(CURLOPT_OPENSOCKETFUNCTION, on_open);
    set(CURLOPT_OPENSOCKETDATA, &transfer);
    set(CURLOPT_PREREQFUNCTION, on_connected);
    set(CURLOPT_PREREQDATA, &transfer);
    // How long, and what of it is read.
    set(CURLOPT_TIMEOUT_MS, std::max(1L, static_cast<long>(order.timeout.count())));
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_QUICK_EXIT, 1L);
    set(CURLOPT_TCP_KEEPALIVE, 1L);
    set(CURLOPT_MAXLIFETIME_CONN, 300L);  // its name may lead elsewhere by then
    set(CURLOPT_UPLOAD_BUFFERSIZE, static_cast<long>(16 * 1024));
    set(CURLOPT_WRITEFUNCTION, on_body);
    set(CURLOPT_WRITEDATA, &transfer);
    set(CURLOPT_HEADERFUNCTION, on_head);
    set(CURLOPT_HEADERDATA, &transfer);
    // Whom it believes. Of the system's certificates the folder is enough: it names each by its hash, so only those in use are read.
    set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
    set(CURLOPT_SSL_VERIFYPEER, 1L);
    set(CURLOPT_SSL_VERIFYHOST, 2L);
    set(CURLOPT_CAINFO, webhook_.ca.empty() ? nullptr : webhook_.ca.c_str());
    set(CURLOPT_CAPATH, webhook_.ca.empty() ? "/etc/ssl/certs" : nullptr);
    // What is sent.
    set(CURLOPT_USERAGENT, "smsrack/" SMSRACK_VERSION);
    transfer.add(transfer.headers, "Expect:");
    for (const std::string& header : transfer.request.headers) {
        transfer.add(transfer.headers, header);
    }
    set(CURLOPT_HTTPHEADER, transfer.headers);
    if (transfer.request.has_body) {
        set(CURLOPT_POST, 1L);
        set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(transfer.request.body.size()));
        set(CURLOPT_POSTFIELDS, transfer.request.body.data());
    }
}

void PostClient::watch(curl_socket_t fd, int what) {
    if (what == CURL_POLL_REMOVE) {
        sockets_.erase(fd);
        return;
    }
    auto& socket = sockets_[fd];
    if (!socket) {
        socket = std::make_unique<net::SocketWatch>(
            parts_.loop, fd, [this, fd](bool readable, bool writable) {
                act(fd, (readable ? CURL_CSELECT_IN : 0) | (writable ? CURL_CSELECT_OUT : 0));
            });
    }
    socket->want((what & CURL_POLL_IN) != 0, (what & CURL_POLL_OUT) != 0);
}

void PostClient::set_timer(long ms) {
    timer_.reset();
    if (ms >= 0) {
        timer_ = parts_.loop.after(std::chrono::milliseconds(ms),
                                   [this] { act(CURL_SOCKET_TIMEOUT, 0); });
    }
}

void PostClient::act(curl_socket_t fd, int events) {
    int running = 0;
    (void)parts_.curl->multi_socket_action(multi_, fd, events, &running);
    take_finished();
}

void PostClient::take_finished() {
    const std::weak_ptr<int> lives = lives_;
    int left = 0;
    while (!lives.expired()) {
        const CURLMsg* const message = parts_.curl->multi_info_read(multi_, &left);
        if (message == nullptr) {
            return;
        }
        if (message->msg == CURLMSG_DONE) {
            finish(message->easy_handle, message->data.result);
        }
    }
}

void PostClient::finish(CURL* handle, CURLcode code) {
    const auto found = transfers_.find(handle);
    auto transfer = std::move(found->second);
    transfers_.erase(found);
    const auto number = [&](CURLINFO what) {
        long value = 0;
        (void)parts_.curl->easy_getinfo(handle, what, &value);
        return value;
    };
    const auto reached = [&](CURLINFO what) {
        curl_off_t time = 0;
        return parts_.curl->easy_getinfo(handle, what, &time) == CURLE_OK && time > 0;
    };
    PostOutcome outcome = std::move(transfer->outcome);
    outcome.answer = posting::answer_excerpt(outcome.answer);
    const long status = number(CURLINFO_RESPONSE_CODE);
    // A head that came as a whole counts, however its body ends; one that did not is no answer.
    if (transfer->head_is_whole && status >= 200) {
        outcome.status = static_cast<int>(status);
    } else {
        code = code == CURLE_OK ? CURLE_GOT_NOTHING : code;
        const bool by_proxy = !webhook_.proxy.empty();
        PostOutcome words =
            failure_in_words({.code = code,
                              .host = fmt::format("{}:{}", target_.host, target_.port),
                              .tls = config::http_url_of(webhook_.url)->tls,
                              .by_proxy = by_proxy,
                              .connected = transfer->connected || number(CURLINFO_LOCAL_PORT) > 0,
                              .tls_agreed = reached(CURLINFO_APPCONNECT_TIME_T),
                              .refused_address = transfer->refused_address,
                              .verify_result = number(CURLINFO_SSL_VERIFYRESULT),
                              .system_error = number(CURLINFO_OS_ERRNO),
                              .proxy_status = by_proxy ? number(CURLINFO_HTTP_CONNECTCODE) : 0,
                              .certificate_file = webhook_.ca,
                              .timeout = webhook_.timeout},
                             parts_.curl->easy_strerror(code));
        outcome.error = std::move(words.error);
        outcome.advice = std::move(words.advice);
    }
    const char* address = nullptr;
    (void)parts_.curl->easy_getinfo(handle, CURLINFO_PRIMARY_IP, &address);
    outcome.address = address == nullptr ? "" : address;
    outcome.took = std::chrono::duration_cast<std::chrono::milliseconds>(parts_.clock.steady() -
                                                                         transfer->begun);
    (void)parts_.curl->multi_remove_handle(multi_, handle);
    if (idle_.size() < static_cast<std::size_t>(webhook_.parallel)) {
        idle_.push_back(handle);
    } else {
        parts_.curl->easy_cleanup(handle);
    }
    const Done done = std::move(transfer->done);
    transfer.reset();  // it reads this object, which `done` may end
    done(std::move(outcome));
}

}  // namespace smsrack::gate
