/// The identity of a simulated modem, and how it and its network behave.
///
/// Unit:    times as typed; probabilities in [0, 1].
#pragma once

#include "src/base/clock.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::modem_sim {

struct Identity {
    std::string imei = {};
    std::string imsi = {};
    std::string iccid = {};
    std::string number = {};  ///< E.164 with "+"
    std::string operator_name = {};
    std::string plmn = {};
    int signal = 0;  ///< 3GPP TS 27.007 +CSQ <rssi>, 0..31
};

/// The modem with number `index` of a rack: always the same one, with right check digits, unlike
/// any other.
[[nodiscard]] Identity make_identity(unsigned index);

/// Of every SIM.
inline constexpr std::string_view sim_puk = "12345678";

/// From the arrival of Ctrl-Z to the answer leaving.
struct ServiceTime {
    std::chrono::microseconds mean = std::chrono::microseconds::zero();
    bool exponential = false;
};

/// Maps steady time, which the model uses, to dates, which PDUs contain.
struct TimeBase {
    SteadyTime steady = {};
    WallTime wall = {};

    [[nodiscard]] WallTime wall_at(SteadyTime at) const {
        return wall + std::chrono::floor<std::chrono::milliseconds>(at - steady);
    }
};

struct ModemSettings {
    unsigned index = 0;
    Identity identity = {};
    TimeBase time_base = {};
    bool cpin_ok = false;      ///< an OK after +CPIN: READY
    bool cfun1_keeps = false;  ///< AT+CFUN=1 does not restart
    bool wind16 = true;        ///< the firmware knows +WIND: 16
    bool mem3 = false;         ///< +CPMS has three memories, as 27.005 says and a WAVECOM does not
    std::string pin = {};      ///< empty: the SIM asks for none
    unsigned baud = 115'200;   ///< of its serial port, after a restart
    /// The highest rate that AT+IPR=? lists; 0: the firmware does not know AT+IPR.
    unsigned max_baud = 230'400;
    std::chrono::milliseconds boot = std::chrono::milliseconds(2000);  ///< power on to SMS ready
    ServiceTime service = {};
    std::optional<std::chrono::milliseconds> report_delay = std::chrono::milliseconds(500);
    double report_fail = 0;
    std::size_t sm_places = 50;  ///< usual SIMs have 10 to 50
    std::size_t sr_places = 20;  ///< 0: a modem without the memory SR, whose reports come directly
    /// TR2M of 3GPP TS 24.011 is 12 to 20 s: this long the network waits for +CNMA.
    std::chrono::milliseconds acknowledge_within = std::chrono::seconds(15);
    /// When the service centre tries again what was not acknowledged.
    std::chrono::milliseconds network_retry = std::chrono::seconds(30);
};

}  // namespace smsrack::modem_sim
