#include "tools/modem_model/ussd.hpp"

#include "tools/modem_model/sms/hex.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace smsrack::modem_sim {
namespace {

using std::string_view_literals::operator""sv;

struct Service {
    std::string_view code;
    int mode;               ///< 0: done, 1: waits for an answer
    std::string_view text;  ///< a septet in each octet, or UTF-16BE
    int dcs;
};

constexpr int gsm7 = 15;
constexpr int ucs2 = 72;
constexpr std::string_view silent_code = "*103#";

constexpr std::array services{
    Service{"*101#", 0, "\x04\x11\x04\x30\x04\x3b\x04\x30\x04\x3d\x04\x41\x00 \x00\x31\x00\x32"sv,
            ucs2},
    Service{"*102#", 1, "1 Credit\n2 Options", gsm7},
};
constexpr Service any_other{"", 0, "Credit 12.50 EUR", gsm7};

}  // namespace

std::string ussd_answer(std::string_view code, bool hex) {
    const std::string plain = hex ? from_hex(code).value_or("") : std::string(code);
    if (plain == silent_code) {
        return {};
    }
    const auto* const found = std::ranges::find(services, plain, &Service::code);
    const Service& service = found == services.end() ? any_other : *found;
    const bool as_hex = hex || service.dcs == ucs2;
    return fmt::format("+CUSD: {},\"{}\",{}", service.mode,
                       as_hex ? to_hex(service.text) : std::string(service.text), service.dcs);
}

}  // namespace smsrack::modem_sim
