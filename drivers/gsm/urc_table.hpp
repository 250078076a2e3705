/// What a modem says unasked: the standard's URCs, and those of one family.
///
/// Source:  3GPP TS 27.005 3.4, TS 27.007 6.11 (+CRING), 7.2 (+CREG), 7.11 (+CLIP), 7.15 (+CUSD).
#pragma once

#include "drivers/at/line_class.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

namespace smsrack::gsm {

enum class Urc : std::uint8_t {
    stored_message,  ///< +CMTI: "SM",3
    stored_report,   ///< +CDSI: "SR",1
    message,         ///< +CMT: ,24 and the PDU
    report,          ///< +CDS: 25 and the PDU
    registration,    ///< +CREG: 1
    event,           ///< of the family, with a number: Profile::events says what it means
    ussd,            ///< +CUSD: 0,"...",15
    late_answer,     ///< +CMGS: 12 while no submit is in flight
    ring,            ///< RING, +CRING: an incoming call
    caller,          ///< +CLIP: "+336...",145: who it is
    call_over,       ///< NO CARRIER: the caller gave up
    other,           ///< the network's name: nothing of ours
};

[[nodiscard]] constexpr at::UrcRule urc_rule(std::string_view prefix, Urc urc,
                                             bool takes_pdu = false) {
    return {prefix, takes_pdu, static_cast<std::uint8_t>(urc)};
}

/// The first row that fits counts: +CMTI before +CMT.
inline constexpr std::array standard_urcs{
    urc_rule("+CMTI:", Urc::stored_message), urc_rule("+CDSI:", Urc::stored_report),
    urc_rule("+CMT:", Urc::message, true),   urc_rule("+CDS:", Urc::report, true),
    urc_rule("+CREG:", Urc::registration),   urc_rule("+CUSD:", Urc::ussd),
    urc_rule("+CMGS:", Urc::late_answer),    urc_rule("+CBM:", Urc::other, true),
    urc_rule("+CRING:", Urc::ring),          urc_rule("RING", Urc::ring),
    urc_rule("NO CARRIER", Urc::call_over),  urc_rule("+CLIP:", Urc::caller),
    urc_rule("+CGREG:", Urc::other),
};

class UrcTable {
public:
    static constexpr std::size_t family_max = 8;

    /// `of_family`: at most family_max rows, which go before those of the standard.
    constexpr UrcTable(std::initializer_list<at::UrcRule> of_family = {})
        : count_(of_family.size() + standard_urcs.size()) {
        std::ranges::copy(standard_urcs, std::ranges::copy(of_family, rules_.begin()).out);
    }

    /// As the channel wants them; they live as long as this object.
    [[nodiscard]] constexpr std::span<const at::UrcRule> rules() const {
        return std::span(rules_).first(count_);
    }

    [[nodiscard]] Urc of(std::string_view line) const {
        const auto* const rule = at::find_urc(line, rules());
        return rule == nullptr ? Urc::other : static_cast<Urc>(rule->tag);
    }

private:
    std::array<at::UrcRule, standard_urcs.size() + family_max> rules_ = {};
    std::size_t count_;
};

}  // namespace smsrack::gsm
