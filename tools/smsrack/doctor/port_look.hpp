/// Asks a port, and the modem behind it, directly.
///
/// Threads: one.
/// Time:    about a second where a modem answers; look_limit a rate where none does.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/result.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace smsrack::cli {

struct PortLook {
    std::string path = {};
    std::optional<Error> closed = {};             ///< why it can't be opened
    std::string holder = {};                      ///< the program that has it: "minicom (pid 812)"
    std::optional<std::string> holder_unit = {};  ///< the unit of systemd that it is
    bool answers = false;
    std::uint32_t baud = 0;  ///< at which it answers
    bool has_lines = false;  ///< a true serial port: cts means something
    bool cts = false;
    std::string imei = {};
    std::string model = {};
    std::string iccid = {};
    std::string number = {};
    std::string sim = {};  ///< "READY", "SIM PIN", or the error that AT+CPIN? had; empty: not known
    /// Left, where the SIM wants its PIN and the modem reports them.
    std::optional<int> pin_attempts = {};
    std::optional<int> registration = {};  ///< 3GPP TS 27.007 7.2 <stat>
    std::optional<int> signal_dbm = {};
};

/// Those of Fastrack modems, the usual one first.
inline constexpr std::array<std::uint32_t, 5> usual_bauds{115'200, 9'600, 19'200, 38'400, 57'600};

/// The configured rate, the faster one at which a killed service leaves a modem (0: none), then the usual
/// ones, each once.
[[nodiscard]] std::vector<std::uint32_t> bauds_to_try(std::uint32_t configured, std::uint32_t fast);

/// Tries the rates in order; `stopped` is asked between commands.
[[nodiscard]] PortLook look_at(const std::string& path, std::span<const std::uint32_t> bauds,
                               const Clock& clock, const std::function<bool()>& stopped);

}  // namespace smsrack::cli
