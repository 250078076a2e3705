/// A model of a WAVECOM GSM modem with its SIM and the network behind it: AT in, AT out. No I/O, no
/// clock of its own.
///
///     model.feed(at, "AT+CSQ\r");  model.take_output();  // "\r\n+CSQ: 17,0\r\n\r\nOK\r\n"
///
/// Time:    calls come in order of `at`; step() does what fell due up to then. Baud rates are
///          the Uart's business.
/// Threads: one.
/// Source:  3GPP TS 27.005 and 27.007; WAVECOM manners: +WIND, +CPIN without OK, +CFUN=1
///          restarts.
#pragma once

#include "src/base/random.hpp"
#include "tools/modem_model/core.hpp"
#include "tools/modem_model/faults/fault.hpp"
#include "tools/modem_model/journal.hpp"
#include "tools/modem_model/settings.hpp"
#include "tools/modem_model/sms/sms_text.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::modem_sim {

/// An incoming message to this modem's number.
struct Inbound {
    std::uint64_t id = 0;
    std::string from = {};        ///< "+33..." or a name
    std::string text = {};        ///< UTF-8; makes as many segments as it needs
    std::string pdu = {};         ///< octets, service centre field first: sent as it is instead
    std::string time_stamp = {};  ///< TP-SCTS, 7 octets; empty: the time at which it is offered
    std::optional<std::uint8_t> reference = {};  ///< of the parts; nullopt: the next one
};

class ModemModel {
public:
    /// Switched on for long and registered, where its SIM needs no PIN. `random` and `journal`
    /// outlive it.
    ModemModel(ModemSettings settings, Random& random, Journal& journal);

    /// What the host wrote. While a submit is with the network 512 octets wait; what is more is
    /// lost.
    void feed(SteadyTime at, std::string_view octets);

    /// The host took `gap` to answer what the modem said last.
    void host_answered(const HostGap& gap);

    /// Does what is due at `at`, and returns when something is due next.
    SteadyTime step(SteadyTime at);

    /// What the modem said since the last call.
    [[nodiscard]] std::string take_output() { return core_.output.take(); }

    void power_on(SteadyTime at);
    void power_off();

    /// False where the service centre has too much waiting for this SIM, or a PDU is none.
    [[nodiscard]] bool offer(SteadyTime at, const Inbound& message);

    /// What waits for its occasion, such as the next three answers, happens no more.
    void calm() { core_.faults.forget(); }

    /// All faults but those of the wire: `split`, `unplug`, `replug`, `rate_lossy`, `rate_clean`.
    void inject(SteadyTime at, const Fault& fault);

    /// The network's clock jumps forward by this much: the steady clock that the model runs by did
    /// not see it.
    void time_passes(std::chrono::milliseconds length) { core_.settings.time_base.wall += length; }

    /// The rate of its serial port. What it said before has left at the rate of that moment.
    [[nodiscard]] unsigned baud() const { return core_.prefs.general.baud; }

    [[nodiscard]] const ModemStats& stats() const { return core_.stats; }
    [[nodiscard]] const Core& core() const { return core_; }

private:
    [[nodiscard]] bool offer_pdu(SteadyTime at, const Inbound& message);
    [[nodiscard]] std::string stamp_of(SteadyTime at, const Inbound& message);
    [[nodiscard]] std::vector<TextSegment> segments_of(const Inbound& message);
    void take_octet(SteadyTime at, char octet);
    void take_in_entry(SteadyTime at, char octet);
    void take_in_text(char octet);
    void take_in_command(SteadyTime at, char octet);
    void run_line(SteadyTime at, std::string_view line);
    void take_waiting(SteadyTime at);

    Core core_;
    std::string line_;            // of a command, so far
    std::string waiting_;         // came while busy
    std::uint8_t reference_ = 0;  // of the next inbound message in segments
};

}  // namespace smsrack::modem_sim
