/// Sends requests to one receiver over connections of its own, which are kept and used again.
///
/// It connects only to addresses that it is given with each request.
/// Bound:   the caller's requests at a time; `timeout` for each.
/// Threads: loop thread. `done` may destroy the client.
/// Errors:  none here; what goes wrong is a PostOutcome.
/// Source:  libcurl's multi_socket interface
#pragma once

#include "firmware-host/gate/webhook/curl_library.hpp"
#include "firmware-host/gate/webhook/post_outcome.hpp"
#include "firmware-host/gate/webhook/post_transfer.hpp"
#include "firmware-host/net/loop.hpp"
#include "firmware-host/net/socket_watch.hpp"
#include "src/base/clock.hpp"
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
    [[nodiscard]] std::size_t in_flight() const { return sending_.size(); }

private:
    struct Sending {
        std::unique_ptr<PostTransfer> transfer = {};
        Done done = {};
    };

    [[nodiscard]] CURL* take_handle();
    void act(curl_socket_t fd, int events);
    void take_finished();
    void finish(CURL* handle, CURLcode code);
    void watch(curl_socket_t fd, int what);
    void set_timer(long ms);

    net::Loop& loop_;
    const PostPlace place_;
    CURLM* const multi_;
    std::map<curl_socket_t, std::unique_ptr<net::SocketWatch>> sockets_;
    net::LoopWatchPtr timer_;
    std::map<CURL*, Sending> sending_;
    std::vector<CURL*> idle_;  // <= parallel of the webhook
    std::shared_ptr<int> lives_ = std::make_shared<int>();
};

}  // namespace smsrack::gate
