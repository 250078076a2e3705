/// The options of smsrack-sim.
#pragma once

#include <cstdint>
#include <string>

namespace smsrack::modem_sim {

struct Options {
    unsigned modems = 8;
    std::string dir = {};
    double service_ms = 2500;          ///< a GSM modem takes 2 to 6 s a segment
    bool service_exponential = false;  ///< else fixed
    unsigned baud = 115200;            ///< 0: no pacing
    bool strict_baud = false;          ///< a host that speaks at another speed hears garbage
    unsigned max_baud = 230'400;       ///< AT+IPR lists rates up to this; 0: not known
    int report_ms = 500;               ///< below 0: no reports
    int own_ms = -1;                   ///< to a number of the rack; below 0: never comes in there
    double report_fail = 0;
    double inbound_rate = 0;  ///< messages per second, whole rack
    unsigned sim_places = 50;
    unsigned first = 0;     ///< number of the first modem and of its SIM
    double faults = 0;      ///< by chance, per hour of each modem
    unsigned fault_s = 20;  ///< how long one lasts that lasts, on average
    std::string scenario = {};
    std::uint64_t seed = 1;
    std::string log = {};
    std::string control = {};
    std::string abstract_prefix = {};
    bool cpin_ok = false;
    bool cfun1_keeps = false;
    bool no_wind16 = false;
    unsigned no_sr = 0;
    bool mem3 = false;
    std::string pin = {};
    int boot_ms = 2000;
};

}  // namespace smsrack::modem_sim
