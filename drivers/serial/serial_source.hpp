/// Opens real serial ports (libserialport) and pseudo-terminals (termios), one at a time.
///
/// libserialport 0.1.1 refuses pseudo-terminals (no /sys/class/tty entry, no TIOCMGET), so these
/// have an opener of their own; both end in the same pipe over a file descriptor. Every port is
/// locked with flock(); true ttys also get TIOCEXCL, which on a pseudo-terminal would outlive a
/// kill -9.
#pragma once

#include "drivers/serial/byte_pipe.hpp"
#include "drivers/serial/poll_waiter.hpp"

namespace smsrack::serial {

class SerialSource final : public PipeSource {
public:
    /// `clock` outlives this object.
    explicit SerialSource(const Clock& clock);

    [[nodiscard]] Result<std::unique_ptr<BytePipe>> open(const PortSettings& settings) override;
    [[nodiscard]] Result<std::unique_ptr<BytePipe>> adopt(int fd) override;
    [[nodiscard]] Waiter& waiter() override { return waiter_; }

private:
    PollWaiter waiter_;
};

}  // namespace smsrack::serial
