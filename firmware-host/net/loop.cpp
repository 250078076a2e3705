#include "firmware-host/net/loop.hpp"

#include "firmware-host/net/handles.hpp"
#include "src/base/check.hpp"

#include <uv.h>

#include <algorithm>
#include <csignal>
#include <mutex>
#include <utility>
#include <vector>

namespace smsrack::net {
namespace {

/// A libuv handle exists until libuv says that it is closed, longer than the object that asked for
/// it.
template <typename Handle>
struct Watched {
    Handle handle{};
    std::function<void()> callback;
};

template <typename Handle>
class Watch final : public LoopWatch {
public:
    explicit Watch(std::function<void()> callback)
        : watched_(new Watched<Handle>{.handle = {}, .callback = std::move(callback)}) {
        watched_->handle.data = watched_;
    }
    ~Watch() override {
        uv_close(as_handle(&watched_->handle), [](uv_handle_t* handle) noexcept {
            delete static_cast<Watched<Handle>*>(handle->data);
        });
    }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    [[nodiscard]] Handle* handle() const { return &watched_->handle; }

private:
    Watched<Handle>* watched_;  // owned by libuv once closing
};

std::uint64_t in_ms(std::chrono::milliseconds time) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(time.count(), 0));
}

}  // namespace

class Loop::Impl {
public:
    Impl() {
        SMSRACK_CHECK(std::signal(SIGPIPE, SIG_IGN) != SIG_ERR);
        SMSRACK_CHECK(uv_loop_init(&loop_) == 0);
        SMSRACK_CHECK(uv_async_init(&loop_, &wake_, on_wake) == 0);
        wake_.data = this;
    }

    ~Impl() {
        uv_close(as_handle(&wake_), nullptr);
        uv_run(&loop_, UV_RUN_DEFAULT);
        const int closed = uv_loop_close(&loop_);
        SMSRACK_CHECK(closed == 0);  // EBUSY: a watch was left behind
    }

    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    void post(Job job) {
        bool was_empty = false;
        {
            const std::lock_guard lock(mutex_);
            was_empty = jobs_.empty();
            jobs_.push_back(std::move(job));
        }
        if (was_empty) {
            uv_async_send(&wake_);
        }
    }

    LoopWatchPtr timer(std::chrono::milliseconds delay, std::chrono::milliseconds period,
                       std::function<void()> callback) {
        auto watch = std::make_unique<Watch<uv_timer_t>>(std::move(callback));
        uv_timer_init(&loop_, watch->handle());
        uv_update_time(&loop_);
        uv_timer_start(
            watch->handle(),
            [](uv_timer_t* timer) noexcept {
                const auto again = static_cast<Watched<uv_timer_t>*>(timer->data)->callback;
                again();  // a copy: the callback may drop its own watch
            },
            in_ms(delay), in_ms(period));
        return watch;
    }

    LoopWatchPtr signal(int signal_number, std::function<void()> callback) {
        auto watch = std::make_unique<Watch<uv_signal_t>>(std::move(callback));
        uv_signal_init(&loop_, watch->handle());
        const int started = uv_signal_start(
            watch->handle(),
            [](uv_signal_t* signal, int) noexcept {
                const auto again = static_cast<Watched<uv_signal_t>*>(signal->data)->callback;
                again();
            },
            signal_number);
        SMSRACK_CHECK(started == 0);
        return watch;
    }

    LoopWatchPtr readable(int fd, std::function<void()> callback) {
        auto watch = std::make_unique<Watch<uv_poll_t>>(std::move(callback));
        const int made = uv_poll_init(&loop_, watch->handle(), fd);
        SMSRACK_CHECK(made == 0);
        const int started =
            uv_poll_start(watch->handle(), UV_READABLE, [](uv_poll_t* poll, int, int) noexcept {
                const auto again = static_cast<Watched<uv_poll_t>*>(poll->data)->callback;
                again();
            });
        SMSRACK_CHECK(started == 0);
        return watch;
    }

    LoopWatchPtr before_wait(std::function<void()> callback) {
        auto watch = std::make_unique<Watch<uv_prepare_t>>(std::move(callback));
        uv_prepare_init(&loop_, watch->handle());
        uv_prepare_start(watch->handle(), [](uv_prepare_t* prepare) noexcept {
            static_cast<Watched<uv_prepare_t>*>(prepare->data)->callback();
        });
        return watch;
    }

    uv_loop_t loop_{};

private:
    static void on_wake(uv_async_t* async) noexcept { static_cast<Impl*>(async->data)->run_jobs(); }

    void run_jobs() {
        running_.clear();
        {
            const std::lock_guard lock(mutex_);
            running_.swap(jobs_);
        }
        for (Job& job : running_) {
            job();
        }
        running_.clear();
    }

    uv_async_t wake_{};
    std::mutex mutex_;  // guards jobs_
    std::vector<Job> jobs_;
    std::vector<Job> running_;  // loop thread; kept for its memory
};

Loop::Loop() : impl_(std::make_unique<Impl>()) {}
Loop::~Loop() = default;

void Loop::run() {
    uv_run(&impl_->loop_, UV_RUN_DEFAULT);
}

void Loop::stop() {
    post([this] { uv_stop(&impl_->loop_); });
}

void Loop::post(Job job) {
    impl_->post(std::move(job));
}

LoopWatchPtr Loop::after(std::chrono::milliseconds delay, std::function<void()> callback) {
    return impl_->timer(delay, std::chrono::milliseconds(0), std::move(callback));
}

LoopWatchPtr Loop::every(std::chrono::milliseconds period, std::function<void()> callback) {
    return impl_->timer(period, period, std::move(callback));
}

LoopWatchPtr Loop::on_signal(int signal_number, std::function<void()> callback) {
    return impl_->signal(signal_number, std::move(callback));
}

LoopWatchPtr Loop::on_readable(int fd, std::function<void()> callback) {
    return impl_->readable(fd, std::move(callback));
}

LoopWatchPtr Loop::before_wait(std::function<void()> callback) {
    return impl_->before_wait(std::move(callback));
}

uv_loop_s* Loop::raw() const {
    return &impl_->loop_;
}

}  // namespace smsrack::net
