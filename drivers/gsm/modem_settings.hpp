/// What a modem is told by the configuration.
#pragma once

#include "drivers/serial/byte_pipe.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace smsrack::gsm {

struct ModemSettings {
    serial::PortSettings port = {};
    std::chrono::milliseconds heartbeat =
        std::chrono::seconds(30);  ///< AT ping when the line is idle so long
    std::chrono::milliseconds submit_slow =
        std::chrono::seconds(45);  ///< +CMGS slower than this: a warning
    std::chrono::milliseconds submit_timeout =
        std::chrono::seconds(120);               ///< then the outcome is unknown
    std::chrono::milliseconds command_gap = {};  ///< pause after a final result; 0: none
    std::chrono::milliseconds sweep =
        std::chrono::minutes(5);  ///< what no +CMTI told of is looked for so often
    bool roaming = false;         ///< registered with a foreign network, it may send
    std::chrono::milliseconds power_off =
        std::chrono::seconds(2);  ///< how long a power or DTR pulse lasts
    bool record_texts = false;    ///< texts and numbers in the flight recorder
    std::optional<std::string> pin =
        {};                       ///< tried once, and only where two attempts or more are left
    std::uint64_t pin_value = 0;  ///< keyed hash of it, by which the store knows it again
    std::string smsc = {};        ///< put into a SIM that has no service centre; empty: none
    bool keep_link = true;        ///< AT+CMMS while more messages wait
    bool push = true;             ///< an idle modem pushes what it receives (+CMT)
};

}  // namespace smsrack::gsm
