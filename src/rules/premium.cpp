#include "src/rules/premium.hpp"

#include <algorithm>
#include <array>

namespace smsrack::rules {
namespace {

constexpr std::string_view premium = "premium rate";
constexpr std::string_view shared = "shared cost";
constexpr std::string_view satellite = "satellite";

constexpr std::array ranges{
    // International: ITU-T E.164, list of country codes assigned; E.169.2 (979), E.169.3 (808).
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
    // ES: Plan nacional de numeración telefónica (RD 2296/2004) and orders on it: 803, 806, 807 and
    // 907 tarificación adicional, 905 llamadas masivas, 901 and 902 shared, 70 personal.
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
    // US and the rest of the North American plan: NANPA, NPA 900; exchange 976 of any area.
    PremiumRange{"+1900", "US", premium},
    PremiumRange{"+1...976", "US", premium},
};

bool fits(std::string_view pattern, std::string_view number) {
    return number.size() >= pattern.size() &&
           std::ranges::equal(pattern, number.substr(0, pattern.size()),
                              [](char wanted, char digit) {
                                  return wanted == digit || (wanted == '.' && digit != '+');
                              });
}

}  // namespace

std::span<const PremiumRange> premium_ranges() {
    return ranges;
}

const PremiumRange* premium_range(std::string_view number) {
    const PremiumRange* found = nullptr;
    for (const PremiumRange& range : ranges) {
        if (fits(range.pattern, number) &&
            (found == nullptr || range.pattern.size() > found->pattern.size())) {
            found = &range;
        }
    }
    return found;
}

}  // namespace smsrack::rules
