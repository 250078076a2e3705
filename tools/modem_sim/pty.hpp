/// A pseudo-terminal that simulates a serial port: our end, and a link to the other.
///
/// We keep the other end open too, so that a client's death closes nothing and late octets wait
/// for the next one, as on a real port.
#pragma once

#include "src/base/result.hpp"
#include "tools/modem_sim/descriptor.hpp"

#include <filesystem>
#include <string>

namespace smsrack::modem_sim {

class Pty {
public:
    /// Opens one, raw, for everybody to read and write, and makes `link` point to it; a link that
    /// is there is replaced.
    /// Errors:  no_device, not_allowed, conflict (`link` is something else than a link).
    [[nodiscard]] static Result<Pty> open(const std::filesystem::path& link);

    Pty(Pty&& other) noexcept = default;
    Pty& operator=(Pty&& other) noexcept = default;
    Pty(const Pty&) = delete;
    Pty& operator=(const Pty&) = delete;
    /// Removes the link.
    ~Pty();

    /// Our end; does not block.
    [[nodiscard]] int fd() const { return master_.get(); }

    /// The rate that the last client has set the terminal to; 0: one that serial ports seldom have.
    [[nodiscard]] unsigned baud() const;

private:
    Pty() = default;

    Descriptor master_;
    Descriptor slave_;
    std::filesystem::path link_;  // empty: moved from
};

}  // namespace smsrack::modem_sim
