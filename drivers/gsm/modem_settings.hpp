/// Settings of a modem, from the configuration.
#pragma once

#include "drivers/serial/byte_pipe.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace smsrack::gsm {

struct ModemSettings {
    serial::PortSettings port = {};
    /// AT ping when the line is idle so long
    std::chrono::milliseconds heartbeat = std::chrono::seconds(30);
    /// +CMGS slower than this: a warning
    std::chrono::milliseconds submit_slow = std::chrono::seconds(45);
    /// then the outcome is unknown
    std::chrono::milliseconds submit_timeout = std::chrono::seconds(120);
    std::chrono::milliseconds command_gap = {};  ///< pause after a final result; 0: none
    /// what no +CMTI told of is looked for so often
    std::chrono::milliseconds sweep = std::chrono::minutes(5);
    bool roaming = false;  ///< registered with a foreign network, it may send
    /// how long a power or DTR pulse lasts
    std::chrono::milliseconds power_off = std::chrono::seconds(2);
    bool record_texts = false;  ///< texts and numbers in the flight recorder
    /// tried once, and only where two attempts or more are left
    std::optional<std::string> pin = {};
    std::uint64_t pin_value = 0;  ///< keyed hash of it, by which the store knows it again
    std::string smsc = {};        ///< put into a SIM that has no service centre; empty: none
    bool keep_link = true;        ///< AT+CMMS while more messages wait
    /// Above the port's rate: AT+IPR asks the modem for it. 0: not at all.
    std::uint32_t fast_baud = 0;
    bool push = true;  ///< an idle modem pushes what it receives (+CMT)
};

}  // namespace smsrack::gsm
