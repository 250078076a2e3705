#include "firmware-host/gate/webhook/post_client.hpp"

#include "src/base/check.hpp"

#include <chrono>
#include <utility>

namespace smsrack::gate {

PostClient::PostClient(const Parts& parts, const config::WebhookSettings& webhook,
                       std::function<bool(const config::IpAddress&)> permits)
    : loop_(parts.loop),
      place_(post_place(*parts.curl, parts.clock, webhook, std::move(permits))),
      multi_(place_.curl.multi_init()) {
    SMSRACK_CHECK(multi_ != nullptr);
    const auto set = [this](CURLMoption option, auto value) {
        const CURLMcode code = place_.curl.multi_setopt(multi_, option, value);
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
    set(CURLMOPT_MAXCONNECTS, static_cast<long>(place_.webhook.parallel));
    set(CURLMOPT_PIPELINING, static_cast<long>(CURLPIPE_NOTHING));
}

PostClient::~PostClient() {
    for (const auto& [handle, sending] : sending_) {
        place_.curl.multi_remove_handle(multi_, handle);
        place_.curl.easy_cleanup(handle);
    }
    for (CURL* const handle : idle_) {
        place_.curl.easy_cleanup(handle);
    }
    place_.curl.multi_cleanup(multi_);
}

CURL* PostClient::take_handle() {
    if (idle_.empty()) {
        return place_.curl.easy_init();
    }
    CURL* const handle = idle_.back();
    idle_.pop_back();
    place_.curl.easy_reset(handle);
    return handle;
}

void PostClient::send(Order order, Done done) {
    CURL* const handle = take_handle();
    SMSRACK_CHECK(handle != nullptr);  // there is no memory for it
    Sending& sending = sending_[handle];
    sending.done = std::move(done);
    sending.transfer = std::make_unique<PostTransfer>(place_, handle, std::move(order.request));
    sending.transfer->set_up(order.addresses, order.timeout);
    const CURLMcode added = place_.curl.multi_add_handle(multi_, handle);
    SMSRACK_CHECK(added == CURLM_OK);
}

void PostClient::watch(curl_socket_t fd, int what) {
    if (what == CURL_POLL_REMOVE) {
        sockets_.erase(fd);
        return;
    }
    auto& socket = sockets_[fd];
    if (!socket) {
        socket =
            std::make_unique<net::SocketWatch>(loop_, fd, [this, fd](bool readable, bool writable) {
                act(fd, (readable ? CURL_CSELECT_IN : 0) | (writable ? CURL_CSELECT_OUT : 0));
            });
    }
    socket->want((what & CURL_POLL_IN) != 0, (what & CURL_POLL_OUT) != 0);
}

void PostClient::set_timer(long ms) {
    timer_.reset();
    if (ms >= 0) {
        timer_ =
            loop_.after(std::chrono::milliseconds(ms), [this] { act(CURL_SOCKET_TIMEOUT, 0); });
    }
}

void PostClient::act(curl_socket_t fd, int events) {
    int running = 0;
    (void)place_.curl.multi_socket_action(multi_, fd, events, &running);
    take_finished();
}

void PostClient::take_finished() {
    const std::weak_ptr<int> lives = lives_;
    int left = 0;
    while (!lives.expired()) {
        const CURLMsg* const message = place_.curl.multi_info_read(multi_, &left);
        if (message == nullptr) {
            return;
        }
        if (message->msg == CURLMSG_DONE) {
            finish(message->easy_handle, message->data.result);
        }
    }
}

void PostClient::finish(CURL* handle, CURLcode code) {
    Sending sending = std::move(sending_.extract(handle).mapped());
    PostOutcome outcome = sending.transfer->end(code);
    (void)place_.curl.multi_remove_handle(multi_, handle);
    if (idle_.size() < static_cast<std::size_t>(place_.webhook.parallel)) {
        idle_.push_back(handle);
    } else {
        place_.curl.easy_cleanup(handle);
    }
    sending.transfer.reset();  // it reads this object, which `done` may end
    sending.done(std::move(outcome));
}

}  // namespace smsrack::gate
