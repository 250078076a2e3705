#include "firmware-host/net/socket_watch.hpp"

#include "firmware-host/net/handles.hpp"
#include "src/base/check.hpp"

#include <utility>

namespace smsrack::net {

SocketWatch::SocketWatch(Loop& loop, int fd, Ready ready)
    : ready_(std::move(ready)), poll_(new uv_poll_t{}) {
    const int made = uv_poll_init(loop.raw(), poll_, fd);
    SMSRACK_CHECK(made == 0);
    poll_->data = this;
}

SocketWatch::~SocketWatch() {
    (void)uv_poll_stop(poll_);
    close_and_delete(poll_);
}

void SocketWatch::want(bool reading, bool writing) {
    if (!reading && !writing) {
        (void)uv_poll_stop(poll_);
        return;
    }
    const int events = (reading ? UV_READABLE : 0) | (writing ? UV_WRITABLE : 0);
    (void)uv_poll_start(poll_, events, [](uv_poll_t* poll, int status, int came) noexcept {
        // A copy: the callback may destroy what it is called of.
        const auto ready = static_cast<SocketWatch*>(poll->data)->ready_;
        ready(status < 0 || (came & UV_READABLE) != 0, status < 0 || (came & UV_WRITABLE) != 0);
    });
}

}  // namespace smsrack::net
