/// A pipe of bytes to and from one modem, and its source: a serial port, or a script in tests.
///
/// Time:    no call waits; sleeping is the Waiter's part, which exists as long as the source,
///          whether the port is open or not.
/// Threads: the line's thread; Waiter::wake() from any.
/// Errors:  closed: the port or the device behind it is gone; the pipe is of no more use.
#pragma once

#include "src/base/result.hpp"
#include "src/base/waiter.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace smsrack::serial {

class BytePipe {
public:
    BytePipe() = default;
    BytePipe(const BytePipe&) = delete;
    BytePipe& operator=(const BytePipe&) = delete;
    virtual ~BytePipe() = default;  ///< closes

    /// Reads what is there, at most `into.size()`; 0: nothing waits. A pipe may say so until the
    /// Waiter has waited, after a read that took all.
    [[nodiscard]] virtual Result<std::size_t> read(std::span<char> into) = 0;

    /// Writes as much as there is room for. After less than all, the Waiter also wakes when there
    /// is room again.
    [[nodiscard]] virtual Result<std::size_t> write(std::span<const char> bytes) = 0;

    /// A further descriptor of the same open port, with its lock, for the process that adopts the
    /// port; the caller closes it. -1: there is none behind this pipe.
    [[nodiscard]] virtual int duplicate() const { return -1; }

    /// DTR of a true serial port, which many boxes wire to the modem's reset. no_device: there is
    /// none behind this pipe.
    [[nodiscard]] virtual Result<> set_dtr(bool) {
        return fail(Errc::no_device, "port: no DTR behind it");
    }

    /// The rate of the port; 0: not known.
    [[nodiscard]] virtual std::uint32_t baud() const { return 0; }
    /// Another rate, at once and both ways: nothing that was written may still wait for the wire.
    /// bad_config: the port does not have it, and keeps the one before.
    [[nodiscard]] virtual Result<> set_baud(std::uint32_t) {
        return fail(Errc::bad_config, "port: its rate can't be changed");
    }
};

struct PortSettings {
    /// Resolved again at each open, since names move when a device is replugged.
    std::string path = {};
    std::uint32_t baud = 115200;  ///< 8N1
    /// A port that has this rate when it is opened keeps it: an earlier process left it so. 0: none.
    std::uint32_t kept_baud = 0;
    bool rts_cts = true;  ///< hardware flow control; a Fastrack does not answer unless RTS is up
};

class PipeSource {
public:
    PipeSource() = default;
    PipeSource(const PipeSource&) = delete;
    PipeSource& operator=(const PipeSource&) = delete;
    virtual ~PipeSource() = default;

    /// Opens without flushing: what the modem said while the port was closed is read first. One
    /// pipe at a time, which does not outlive the source.
    /// Errors:  no_device, busy (context names the holder, if the system reports it), not_allowed,
    ///          bad_config (baud rate).
    [[nodiscard]] virtual Result<std::unique_ptr<BytePipe>> open(const PortSettings& settings) = 0;

    /// Adopts a port that is open already, as BytePipe::duplicate() gave it; nothing of its
    /// settings is touched. The pipe closes `fd`. no_device: this source can't; `fd` stays open.
    [[nodiscard]] virtual Result<std::unique_ptr<BytePipe>> adopt(int) {
        return fail(Errc::no_device, "port: can't be adopted");
    }

    /// Wakes on data of the open pipe, on room for a write cut short, on wake() and at the
    /// deadline.
    [[nodiscard]] virtual Waiter& waiter() = 0;
};

}  // namespace smsrack::serial
