#include "tools/modem_model/faults/line_noise.hpp"

#include "tools/modem_model/life.hpp"

#include <algorithm>
#include <string_view>

namespace smsrack::modem_sim {
namespace {

constexpr std::size_t lost_max = 6;  // octets in a row: what a UART's FIFO loses at an overrun

bool hits(Core& core, const Fault& fault) {
    return core.random.below(100) < static_cast<std::uint64_t>(fault.code);
}

/// A harmless URC: the true registration and +WIND: 13 by turns.
std::string harmless_urc(Core& core) {
    const bool registration = core.urcs_inside++ % 2 == 0;
    return registration ? "\r\n+CREG: " + registration_text(core) + "\r\n" : "\r\n+WIND: 13\r\n";
}

}  // namespace

std::string through_noise(Core& core, std::string answer) {
    if (answer.size() < 2) {
        return answer;
    }
    if (const auto inside = core.faults.take(FaultKind::urc_inside);
        inside && hits(core, *inside)) {
        answer.insert(1 + core.random.below<std::size_t>(answer.size() - 1), harmless_urc(core));
    }
    if (const auto lost = core.faults.take(FaultKind::lose_octets); lost && hits(core, *lost)) {
        const std::size_t octets =
            std::min(1 + core.random.below<std::size_t>(lost_max), answer.size());
        answer.erase(core.random.below<std::size_t>(answer.size() - octets + 1), octets);
    }
    return answer;
}

std::string with_torn_reference(Core& core, std::string answer) {
    constexpr std::string_view head = "\r\n+CMGS: ";
    if (!answer.starts_with(head) || !core.faults.take(FaultKind::torn_reference)) {
        return answer;
    }
    const std::size_t last_digit = answer.find("\r\n", head.size()) - 1;
    if (core.random.below(2) == 0) {
        return answer.erase(last_digit, 1);
    }
    return answer.insert(last_digit, harmless_urc(core));
}

std::string torn_ok(Core& core) {
    return "\r\nO" + harmless_urc(core) + "K\r\n";
}

}  // namespace smsrack::modem_sim
