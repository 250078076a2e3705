/// One request to a receiver as libcurl carries it: its options, what comes of the answer, and what it
/// ended with.
///
/// The connected address is checked once more when its socket is made. It follows no redirect, speaks HTTP/1.1 only, and takes
/// nothing from the environment.
/// Bound:   answer_max octets of an answer and head_max of its head are read.
/// Threads: loop thread. libcurl has its address until it has let go of the handle.
/// Source:  libcurl's easy interface
#pragma once

#include "firmware-host/gate/webhook/curl_library.hpp"
#include "firmware-host/gate/webhook/post_outcome.hpp"
#include "src/base/clock.hpp"
#include "src/config/http_url.hpp"
#include "src/config/ip_address.hpp"
#include "src/config/webhook_settings.hpp"
#include "src/posting/receiver_request.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::gate {

/// What all requests of a webhook have in common.
struct PostPlace {
    const CurlLibrary& curl;
    const Clock& clock;
    config::WebhookSettings webhook = {};
    config::HttpUrl target = {};  ///< that is connected to: the receiver, or its proxy
    std::string proxy = {};       ///< as libcurl reads it; "": none
    /// Whether an address may be connected to.
    std::function<bool(const config::IpAddress&)> permits = {};
};
[[nodiscard]] PostPlace post_place(const CurlLibrary& curl, const Clock& clock,
                                   const config::WebhookSettings& webhook,
                                   std::function<bool(const config::IpAddress&)> permits);

class PostTransfer {
public:
    static constexpr std::size_t answer_max = 64UL * 1024;
    static constexpr std::size_t head_max = 64UL * 1024;

    /// `place` and `handle` outlive the object.
    PostTransfer(const PostPlace& place, CURL* handle, posting::ReceiverRequest request);
    ~PostTransfer();
    PostTransfer(const PostTransfer&) = delete;
    PostTransfer& operator=(const PostTransfer&) = delete;

    /// Before it begins. `addresses`: of the receiver, or of its proxy.
    void set_up(const std::vector<config::IpAddress>& addresses, std::chrono::milliseconds timeout);
    /// After libcurl has ended it with `code`, and while it has the handle.
    [[nodiscard]] PostOutcome end(CURLcode code);

private:
    void add(curl_slist*& list, const std::string& line) const;
    [[nodiscard]] bool take_head(std::string_view line);
    [[nodiscard]] bool take_body(std::string_view piece);
    [[nodiscard]] curl_socket_t open_socket(const curl_sockaddr& address);
    void look_at_tls();
    void fail_with(CURLcode code);
    [[nodiscard]] long number(CURLINFO what) const;
    [[nodiscard]] bool has_reached(CURLINFO what) const;

    const PostPlace& place_;
    CURL* const handle_;
    const posting::ReceiverRequest request_;  // libcurl reads its body from here
    const SteadyTime begun_;
    curl_slist* headers_ = nullptr;
    curl_slist* resolved_ = nullptr;
    PostOutcome outcome_;
    std::size_t head_bytes_ = 0;
    std::size_t body_bytes_ = 0;
    bool head_is_whole_ = false;
    bool refused_address_ = false;
    bool connected_ = false;
};

}  // namespace smsrack::gate
