#include "tests/programs/support/audit.hpp"

#include <doctest/doctest.h>

#include <array>
#include <charconv>
#include <map>
#include <string_view>

namespace smsrack::test {

namespace {

/// Which segment of its message an SMS-SUBMIT is, from 1, decoded here independently: the codec
/// under test has no say. 3GPP TS 23.040 9.2.2.2 and 9.2.3.24.1.
int place_in_message(std::string_view pdu) {
    const auto octet = [&](std::size_t at) {
        int value = 0;
        (void)std::from_chars(pdu.data() + 2 * at, pdu.data() + 2 * at + 2, value, 16);
        return value;
    };
    const auto first = 1 + static_cast<std::size_t>(octet(0));  // behind the service centre
    if ((octet(first) & 0x40) == 0) {
        return 1;  // no user data header
    }
    const auto digits = static_cast<std::size_t>(octet(first + 2));
    constexpr std::array<std::size_t, 4> validity_octets = {0, 7, 1, 7};
    const auto vp = validity_octets[(static_cast<std::size_t>(octet(first)) >> 3U) & 3U];
    const auto header = first + 4 + (digits + 1) / 2 + 2 + vp + 1;  // TP-UDHL
    const bool wide = octet(header + 1) == 8;                       // a reference of 16 bits
    REQUIRE((wide || octet(header + 1) == 0));
    return octet(header + (wide ? 6 : 5));
}

/// How often the network got each segment: by number and place in the message.
std::map<std::string, std::map<int, int>> taken_by_network(const Rack& rack) {
    std::map<std::string, std::map<int, int>> taken;
    for (const Submit& submit : rack.submits()) {
        ++taken[submit.to][place_in_message(submit.pdu)];
    }
    return taken;
}

}  // namespace

Account audit(const Rack& rack, std::span<const Audited> messages) {
    Account account;
    auto taken = taken_by_network(rack);
    for (const auto& [id, to] : messages) {
        const auto message = rack.message(id);
        const std::string state = message.at("state");
        const auto& segments = taken[to];
        for (const auto& [place, count] : segments) {
            account.twice += count > 1 ? 1 : 0;
        }
        const bool whole = segments.size() == message.at("segments").get<std::size_t>();
        if (state == "sent" || state == "delivered") {
            account.lost += whole ? 0 : 1;
            account.reported += state == "delivered" ? 1 : 0;
        } else if (state == "failed" && message.dump().contains("outcome_unknown")) {
            ++account.unknown;
        } else {
            constexpr int enough_to_see = 5;
            if (++account.unexplained <= enough_to_see) {
                MESSAGE(message.dump());
            }
        }
    }
    return account;
}

}  // namespace smsrack::test
