#include "src/rules/premium.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace smsrack::rules {
namespace {

constexpr std::string_view premium = "premium rate";
constexpr std::string_view shared = "shared cost";
constexpr std::string_view satellite = "satellite";

constexpr std::array ranges{
    // International: ITU-T E.156 (2020) names 881, 882 and 883, the list of E.164 country codes (Operational Bulletin 930, 2009)
    // 870; libphonenumber's PhoneNumberMetadata (001) has 979 as premium rate and 808 as shared cost.
    PremiumRange{"+979", "international", premium},
    PremiumRange{"+808", "international", shared},
    PremiumRange{"+870", "international", satellite},  // Inmarsat
    PremiumRange{"+881", "international", satellite},  // GMSS
    PremiumRange{"+882", "international", "international networks"},
    PremiumRange{"+883", "international", "international networks"},
    // FR: ARCEP, plan national de numérotation (décision 2018-0881): 081, 082 majoré, 089 premium.
    PremiumRange{"+3381", "FR", shared},
    PremiumRange{"+3382", "FR", shared},
    PremiumRange{"+3389", "FR", premium},
    // DE: Bundesnetzagentur, Nummernplan: (0)900 Premium-Dienste, (0)137 and (0)138 Massenverkehr,
    // (0)180 Service-Dienste.
    PremiumRange{"+49900", "DE", premium},
    PremiumRange{"+49137", "DE", "mass calling"},
    PremiumRange{"+49180", "DE", shared},
    PremiumRange{"+49138", "DE", "mass calling"},
    // GB: Ofcom, National Telephone Numbering Plan: 09 premium, 087 and 084 revenue sharing,
    // 070 personal numbers.
    PremiumRange{"+449", "GB", premium},
    PremiumRange{"+4487", "GB", shared},
    PremiumRange{"+4484", "GB", shared},
    PremiumRange{"+4470", "GB", "personal numbers"},
    // ES: Secretaría de Estado para la Agenda Digital, "El Plan Nacional de Numeración, guía práctica" v.6 (2016), 4.2 to 4.4: 901,
    // 902, additional charges (Orden IET/2733/2015, BOE-A-2015-13738), 70 personal. That the second are 803, 806, 807,
    // 905 (mass calls) and 907: acpb.cat, "Serveis de Tarifació Addicional".
    PremiumRange{"+34803", "ES", premium},
    PremiumRange{"+34806", "ES", premium},
    PremiumRange{"+34807", "ES", premium},
    PremiumRange{"+34905", "ES", "mass calling"},
    PremiumRange{"+34907", "ES", premium},
    PremiumRange{"+34901", "ES", shared},
    PremiumRange{"+34902", "ES", shared},
    PremiumRange{"+3470", "ES", "personal numbers"},
    // IT: AGCOM, piano di numerazione (delibera 8/15/CIR): 89x sovrapprezzo (144, 163, 164 and 166
    // before), 84x addebito ripartito, 199 and 178 unique and personal numbers.
    PremiumRange{"+3989", "IT", premium},
    PremiumRange{"+39144", "IT", premium},
    PremiumRange{"+39163", "IT", premium},
    PremiumRange{"+39164", "IT", premium},
    PremiumRange{"+39166", "IT", premium},
    PremiumRange{"+3984", "IT", shared},
    PremiumRange{"+39199", "IT", shared},
    PremiumRange{"+39178", "IT", "personal numbers"},
    // US and the rest of the North American plan: 47 CFR 64.1508, "services offered on the 900 service access code".
    PremiumRange{"+1900", "US", premium},
};

/// Their national numbers never begin with 0; some networks accept the 0 of a national call all the
/// same.
constexpr std::array<std::string_view, 3> trunk_zero{"+330", "+490", "+440"};

}  // namespace

std::span<const PremiumRange> premium_ranges() {
    return ranges;
}

const PremiumRange* premium_range(std::string_view number) {
    const auto* const zero = std::ranges::find_if(
        trunk_zero, [number](std::string_view front) { return number.starts_with(front); });
    std::string without;
    if (zero != trunk_zero.end()) {
        without = std::string(number).erase(zero->size() - 1, 1);
        number = without;
    }
    const PremiumRange* found = nullptr;
    for (const PremiumRange& range : ranges) {
        if (number.starts_with(range.pattern) &&
            (found == nullptr || range.pattern.size() > found->pattern.size())) {
            found = &range;
        }
    }
    return found;
}

}  // namespace smsrack::rules
