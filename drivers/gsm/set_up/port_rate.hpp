/// The rate of one modem's port: `baud`, or `fast_baud` while the modem takes it.
///
/// A modem is found at either rate, since a process that was killed leaves the faster one. It is never
/// stored in the modem (AT&W), so a restart of the modem brings `baud` back, and its port must follow.
/// A line that stumbles at the faster rate goes back to `baud` and stays there, until this process or, by
/// an operator's order, the modem restarts: a cable or level shifter does not become better by itself.
/// Source:  ITU-T V.250 6.2.10 (+IPR).
#pragma once

#include "drivers/at/at_channel.hpp"
#include "drivers/gsm/modem_settings.hpp"
#include "drivers/gsm/reporter.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace smsrack::gsm {

/// True if `line`, the answer to AT+IPR=?, has this rate in one of its lists.
[[nodiscard]] bool lists_rate(std::string_view line, std::uint32_t baud);

/// What happened at the faster rate. One `failed_set_up` is enough to leave it, of the others some within
/// an hour: a modem may also hang or restart for other reasons.
enum class RateFault : std::uint8_t { torn_answer, no_answer, failed_set_up };

class PortRate {
public:
    static constexpr std::chrono::hours faults_forgotten{1};
    static constexpr int faults_max = 6;
    [[nodiscard]] static constexpr int weight_of(RateFault fault) {
        return fault == RateFault::torn_answer ? 2 : fault == RateFault::no_answer ? 3 : faults_max;
    }

    /// All outlive this object.
    PortRate(at::AtChannel& channel, const ModemSettings& settings, Reporter& reporter)
        : channel_(channel), settings_(settings), reporter_(reporter) {}

    /// The port is at `fast_baud`.
    [[nodiscard]] bool is_fast() const {
        return has_fast() && channel_.baud() == settings_.fast_baud;
    }
    /// The port is at `baud`, although there is a faster rate.
    [[nodiscard]] bool is_slow() const { return has_fast() && !is_fast(); }
    /// The modem should be asked for it.
    [[nodiscard]] bool is_wanted() const { return has_fast() && trusted_; }
    [[nodiscard]] std::string raise_command() const { return command(settings_.fast_baud); }
    [[nodiscard]] std::string lower_command() const { return command(settings_.port.baud); }

    // -- the port follows the modem
    /// False: this port does not have the rate, or there is none.
    bool to_fast() { return has_fast() && channel_.set_baud(settings_.fast_baud).has_value(); }
    void to_base();
    /// The modem does not answer at this rate: the other one from now on. False: there is no other.
    bool flip();

    // -- does it work?
    /// At the faster rate the modem has answered.
    void works();
    /// The faster rate is not asked for any more. `why` is for the log.
    void refuse(std::string_view why);
    /// While the port is at the faster rate; at `baud` nothing follows. True: it must be left now.
    bool count(RateFault fault, SteadyTime now);
    /// An operator restarts the modem: the faster rate gets another chance.
    void trust_again() {
        trusted_ = true;
        faults_ = 0;
    }

private:
    [[nodiscard]] bool has_fast() const { return settings_.fast_baud > settings_.port.baud; }
    [[nodiscard]] static std::string command(std::uint32_t baud) {
        return "AT+IPR=" + std::to_string(baud);
    }

    at::AtChannel& channel_;
    const ModemSettings& settings_;
    Reporter& reporter_;
    bool trusted_ = true;
    bool told_ = false;  // that it works
    int faults_ = 0;     // weighed
    SteadyTime last_fault_ = {};
};

}  // namespace smsrack::gsm
