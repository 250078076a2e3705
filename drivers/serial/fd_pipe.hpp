/// A byte pipe over a non-blocking file descriptor; the same for true ttys and pseudo-terminals.
///
/// Threads: the line's thread.
#pragma once

#include "drivers/serial/byte_pipe.hpp"
#include "drivers/serial/poll_waiter.hpp"

#include <functional>

namespace smsrack::serial {

class FdPipe final : public BytePipe {
public:
    /// `close` is called once, at the end. `waiter` outlives this object and watches `fd` until
    /// then.
    FdPipe(int fd, std::move_only_function<void()> close, PollWaiter& waiter);
    FdPipe(const FdPipe&) = delete;
    FdPipe& operator=(const FdPipe&) = delete;
    ~FdPipe() override;

    [[nodiscard]] Result<std::size_t> read(std::span<char> into) override;
    [[nodiscard]] Result<std::size_t> write(std::span<const char> bytes) override;
    [[nodiscard]] int duplicate() const override;
    [[nodiscard]] Result<> set_dtr(bool up) override;

private:
    const int fd_;
    std::move_only_function<void()> close_;
    PollWaiter& waiter_;
};

}  // namespace smsrack::serial
