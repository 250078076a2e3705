/// Sends requests to one receiver over connections of its own, which are kept and used again.
///
/// It connects only to addresses that it is given with each request, and the connected address is checked once more when its socket
/// is made. It follows no redirect, speaks HTTP/1.1 only, and takes nothing from the environment.
/// Bound:   the caller's requests at a time; answer_max octets of an answer and head_max of its head are read; `timeout` for each.
/// Threads: loop thread. `done` may destroy the client.
/// Errors:  none here; what goes wrong is a PostOutcome.
/// Source:  libcurl's multi_socket interface
#pragma once

#include "firmware-host/gate/webhook/curl_library.hpp"
#include "firmware-host/gate/webhook/post_outcome.hpp"
#include "firmware-host/net/loop.hpp"
#include "firmware-host/net/socket_watch.hpp"
#include "src/base/clock.hpp"
#include "src/config/http_url.hpp"
#include "src/config/ip_address.hpp"
#include "src/config/webhook_settings.hpp"
#include "src/posting/receiver_request.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace smsrack::gate {

class PostClient {
public:
    static constexpr std::size_t answer_max = 64UL * 1024;
    static constexpr std::size_t head_max = 64UL * 1024;

    using Done = std::function<void(PostOutcome)>;
    struct Order {
        posting::ReceiverRequest request = {};
        std::vector<config::IpAddress> addresses = {};  ///< of the receiver, or of its proxy
        std::chrono::milliseconds timeout{0};           ///< what is left of it
    };

    struct Parts {
        const CurlLibrary* curl = nullptr;  ///< loaded
        net::Loop& loop;
        const Clock& clock;
    };

    /// `permits`: whether an address may be connected to. All outlive the object but `webhook`.
    PostClient(const Parts& parts, const config::WebhookSettings& webhook,
               std::function<bool(const config::IpAddress&)> permits);
    /// Ends all requests; none gets its `done`.
    ~PostClient();
    PostClient(const PostClient&) = delete;
    PostClient& operator=(const PostClient&) = delete;

    /// `done` is called later.
    void send(Order order, Done done);
    [[nodiscard]] std::size_t in_flight() const { return transfers_.size(); }

private:
    struct Transfer;

    void set_up(Transfer& transfer, const Order& order);
    [[nodiscard]] CURL* take_handle();
    void act(curl_socket_t fd, int events);
    void take_finished();
    void finish(CURL* handle, CURLcode code);
    void watch(curl_socket_t fd, int what);
    void set_timer(long ms);

    const Parts parts_;
    const config::WebhookSettings webhook_;
    const config::HttpUrl target_;  ///< that is connected to: the receiver, or its proxy
    const std::string proxy_;       ///< as libcurl reads it; "": none
    const std::function<bool(const config::IpAddress&)> permits_;
    CURLM* const multi_;
    std::map<curl_socket_t, std::unique_ptr<net::SocketWatch>> sockets_;
    net::LoopWatchPtr timer_;
    std::map<CURL*, std::unique_ptr<Transfer>> transfers_;
    std::vector<CURL*> idle_;  // <= webhook_.parallel
    std::shared_ptr<int> lives_ = std::make_shared<int>();
};

}  // namespace smsrack::gate
