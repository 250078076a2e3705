#include "drivers/gsm/set_up/port_rate.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace smsrack::gsm {

bool lists_rate(std::string_view line, std::uint32_t baud) {
    const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    const std::string wanted = std::to_string(baud);
    while (!line.empty()) {
        const auto begin = std::ranges::find_if(line, is_digit);
        const auto end = std::find_if_not(begin, line.end(), is_digit);
        if (std::string_view(begin, end) == wanted) {
            return true;
        }
        line = std::string_view(end, line.end());
    }
    return false;
}

/// `baud` is what the port was opened with, so it has that.
void PortRate::to_base() {
    if (is_fast()) {
        (void)channel_.set_baud(settings_.port.baud);
    }
}

bool PortRate::flip() {
    if (!has_fast()) {
        return false;
    }
    if (is_fast()) {
        to_base();
        return true;
    }
    return to_fast();
}

void PortRate::works() {
    if (!std::exchange(told_, true)) {
        reporter_.note(LogLevel::info, "fast_baud",
                       "its port is at " + std::to_string(settings_.fast_baud) + " baud");
    }
}

void PortRate::refuse(std::string_view why) {
    if (std::exchange(trusted_, false)) {
        told_ = false;
        reporter_.note(
            LogLevel::warn, "fast_baud_off",
            std::string(why) + "; its port stays at " + std::to_string(settings_.port.baud) +
                " baud until the service or, by `smsrack modem reset`, the modem restarts");
    }
}

bool PortRate::count(RateFault fault, SteadyTime now) {
    if (!is_fast()) {
        return false;
    }
    faults_ = now - last_fault_ < faults_forgotten ? faults_ : 0;
    faults_ += weight_of(fault);
    last_fault_ = now;
    if (faults_ < faults_max) {
        return false;
    }
    refuse("repeated faults at " + std::to_string(settings_.fast_baud) + " baud");
    return true;
}

}  // namespace smsrack::gsm
