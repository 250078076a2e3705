/// The two ways to open a port. The result is a file descriptor that is raw, non-blocking and
/// exclusively ours, or an error.
///
/// Neither flushes input or output. `path` is the resolved one.
/// Errors:  no_device, busy, not_allowed, bad_config (baud rate).
#pragma once

#include "drivers/serial/byte_pipe.hpp"

#include <functional>

namespace smsrack::serial {

struct OpenPort {
    int fd = -1;
    std::move_only_function<void()> close = {};
};

/// True ttys, by libserialport. DTR is left as opening makes it and stays up after closing.
[[nodiscard]] Result<OpenPort> open_tty(const std::string& path, const PortSettings& settings);

/// Pseudo-terminals, by termios; flow control means nothing there, and the speed nothing to the
/// terminal, but the program behind it may read it.
[[nodiscard]] Result<OpenPort> open_pty(const std::string& path, const PortSettings& settings);

/// The error for a failed system call on `path`, as a sentence that says what to do.
[[nodiscard]] Error open_error(const std::string& path, int error);

}  // namespace smsrack::serial
