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

struct UrcRow {
    at::UrcRule rule;
    Urc urc;
};

/// The first row that fits counts: +CMTI before +CMT.
inline constexpr std::array standard_urcs{
    UrcRow{{"+CMTI:"}, Urc::stored_message}, UrcRow{{"+CDSI:"}, Urc::stored_report},
    UrcRow{{"+CMT:", true}, Urc::message},   UrcRow{{"+CDS:", true}, Urc::report},
    UrcRow{{"+CREG:"}, Urc::registration},   UrcRow{{"+CUSD:"}, Urc::ussd},
    UrcRow{{"+CMGS:"}, Urc::late_answer},    UrcRow{{"+CBM:", true}, Urc::other},
    UrcRow{{"+CRING:"}, Urc::ring},          UrcRow{{"RING"}, Urc::ring},
    UrcRow{{"NO CARRIER"}, Urc::call_over},  UrcRow{{"+CLIP:"}, Urc::caller},
    UrcRow{{"+CGREG:"}, Urc::other},
};

class UrcTable {
public:
    static constexpr std::size_t family_max = 8;

    /// `of_family`: at most family_max rows, which go before those of the standard.
    constexpr UrcTable(std::initializer_list<UrcRow> of_family = {}) {
        for (const UrcRow& row : of_family) {
            add(row);
        }
        for (const UrcRow& row : standard_urcs) {
            add(row);
        }
    }

    /// As the channel wants them; they live as long as this object.
    [[nodiscard]] constexpr std::span<const at::UrcRule> rules() const {
        return std::span(rules_).first(count_);
    }

    [[nodiscard]] constexpr Urc of(std::string_view line) const {
        const auto known = rules();
        const auto rule = std::ranges::find_if(
            known, [line](const at::UrcRule& one) { return line.starts_with(one.prefix); });
        return rule == known.end() ? Urc::other
                                   : urcs_.at(static_cast<std::size_t>(rule - known.begin()));
    }

private:
    constexpr void add(const UrcRow& row) {
        rules_.at(count_) = row.rule;
        urcs_.at(count_) = row.urc;
        ++count_;
    }

    static constexpr std::size_t rows_max = standard_urcs.size() + family_max;
    std::array<at::UrcRule, rows_max> rules_ = {};
    std::array<Urc, rows_max> urcs_ = {};
    std::size_t count_ = 0;
};

}  // namespace smsrack::gsm
