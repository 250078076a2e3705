#include "tools/pdu_json/wish_members.hpp"

#include "tools/pdu_json/wish_values.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace smsrack::tools {
namespace {

using pdu::PduErrc;
using wire::Json;

constexpr std::int64_t octet_max = 255;

Fault take(bool good, std::string_view member, std::string_view why) {
    return good ? Fault{} : Fault{bad_request(member, why)};
}

Fault read_address(const Json& value, std::string_view member, WishedAddress& out) {
    if (value.is_string()) {
        const auto wish = pdu::plain_number(value.get_ref<const std::string&>());
        out = WishedAddress{.number = std::string(wish.number), .ton = wish.ton, .npi = wish.npi};
        return {};
    }
    const bool shaped = value.is_object() && has_only(value, {"number", "ton", "npi"}) &&
                        value.contains("number") && value["number"].is_string();
    if (!shaped) {
        return bad_request(member, "a number, or an object of number, ton and npi");
    }
    WishedAddress address{.number = value["number"].get<std::string>()};
    const bool good =
        take_inner(value, "ton", 7, address.ton) && take_inner(value, "npi", 15, address.npi);
    out = std::move(address);
    return take(good, member, "ton is 0 to 7, npi 0 to 15");
}

Fault read_service_centre(const Json& value, SubmitWish& wish) {
    return read_address(value, "smsc", wish.smsc.emplace());
}

Fault read_text(const Json& value, SubmitWish& wish) {
    if (value.is_string()) {
        wish.content = value.get<std::string>();
    }
    return take(value.is_string(), "text", "a string");
}

Fault read_data(const Json& value, SubmitWish& wish) {
    const auto octets = octets_in(value);
    if (!octets) {
        return bad_request("data", "hex digits of whole octets");
    }
    wish.content = pdu::characters_of(*octets);
    wish.is_data = true;
    return {};
}

Fault read_alphabet(const Json& value, SubmitWish& wish) {
    constexpr std::array<std::string_view, 4> names{"auto", "gsm7", "ucs2", "data8"};
    const auto* const found = value.is_string()
                                  ? std::ranges::find(names, value.get_ref<const std::string&>())
                                  : names.end();
    if (found == names.end()) {
        return bad_request("alphabet", "auto, gsm7, ucs2 or data8");
    }
    wish.alphabet = static_cast<WishedAlphabet>(found - names.begin());
    return {};
}

Fault read_class(const Json& value, SubmitWish& wish) {
    return take(take_number(value, 3, wish.message_class), "class", "0 to 3");
}

Fault read_dcs(const Json& value, SubmitWish& wish) {
    return take(take_number(value, octet_max, wish.dcs), "dcs", "0 to 255");
}

Fault read_pid(const Json& value, SubmitWish& wish) {
    return take(take_number(value, octet_max, wish.pid), "pid", "0 to 255");
}

Fault read_mr(const Json& value, SubmitWish& wish) {
    return take(take_number(value, octet_max, wish.mr), "mr", "0 to 255");
}

Fault read_ref_bits(const Json& value, SubmitWish& wish) {
    const bool good = take_number(value, 16, wish.concat_ref_bits);
    return take(good && (wish.concat_ref_bits == 8 || wish.concat_ref_bits == 16),
                "concat_ref_bits", "8 or 16");
}

Fault read_ref(const Json& value, SubmitWish& wish) {
    return take(take_number(value, 0xFFFF, wish.concat_ref), "concat_ref",
                "0 to 65535, with 8 bits 0 to 255");
}

Fault read_ports(const Json& value, SubmitWish& wish) {
    pdu::Ports ports;
    const bool good = value.is_object() && has_only(value, {"dst", "src", "bits"}) &&
                      take_inner(value, "bits", 16, ports.bits) &&
                      (ports.bits == 8 || ports.bits == 16) && value.contains("dst") &&
                      take_number(value["dst"], (1 << ports.bits) - 1, ports.dst) &&
                      take_inner(value, "src", (1 << ports.bits) - 1, ports.src);
    wish.ports = ports;
    return take(good, "ports", "an object of dst, src and bits (8 or 16)");
}

bool is_own_element(std::uint8_t iei) {
    return iei == pdu::iei::concat8 || iei == pdu::iei::concat16 || iei == pdu::iei::single_shift ||
           iei == pdu::iei::locking_shift;
}

Fault read_element(const Json& value, SubmitWish& wish) {
    std::uint8_t iei = 0;
    const bool shaped = value.is_object() && has_only(value, {"iei", "data"}) &&
                        value.contains("iei") && value.contains("data") &&
                        take_number(value["iei"], octet_max, iei);
    const auto data = shaped ? octets_in(value["data"]) : std::nullopt;
    if (!data) {
        return bad_request("udh", "objects of iei (0 to 255) and data (hex)");
    }
    if (is_own_element(iei)) {
        return LineError{.code = PduErrc::bad_udh,
                         .message = fmt::format("udh: the encoder makes element {} itself", iei)};
    }
    if (data->size() > pdu::user_data_octets_max) {
        return LineError{.code = PduErrc::bad_udh,
                         .message = "udh: an element longer than the user data"};
    }
    wish.elements_have_ports =
        wish.elements_have_ports || iei == pdu::iei::ports8 || iei == pdu::iei::ports16;
    wish.elements.push_back(iei);
    wish.elements.push_back(static_cast<std::uint8_t>(data->size()));
    wish.elements.insert(wish.elements.end(), data->begin(), data->end());
    return {};
}

Fault read_udh(const Json& value, SubmitWish& wish) {
    if (!value.is_array()) {
        return bad_request("udh", "an array of elements");
    }
    for (const Json& element : value) {
        if (auto fault = read_element(element, wish)) {
            return fault;
        }
    }
    return {};
}

Fault read_language(const Json& value, SubmitWish& wish) {
    constexpr std::string_view forms =
        "off, auto, or an object of locking (0 to 13 but 2) and single (0 to 13)";
    if (value.is_string()) {
        const auto& word = value.get_ref<const std::string&>();
        wish.language = word == "auto" ? pdu::LanguageWish::cheapest : pdu::LanguageWish::fixed;
        return take(word == "auto" || word == "off", "lang", forms);
    }
    constexpr std::int64_t last = pdu::language_count - 1;
    const bool good = value.is_object() && has_only(value, {"locking", "single"}) &&
                      value.contains("locking") && value.contains("single") &&
                      take_number(value["locking"], last, wish.tables.locking) &&
                      take_number(value["single"], last, wish.tables.single) &&
                      wish.tables.locking != pdu::spanish;
    return take(good, "lang", forms);
}

bool take_period(const std::string& form, const Json& value, pdu::ValidityPeriod& vp) {
    if (form == "relative") {
        const auto number = number_in(value, 0, octet_max);
        vp = pdu::relative_period(static_cast<std::uint8_t>(number.value_or(0)));
        return number.has_value();
    }
    if (form == "seconds") {
        const auto number = number_in(value, 1, pdu::relative_duration_max.count());
        vp = pdu::relative_period(
            pdu::relative_validity_at_least(std::chrono::seconds(number.value_or(1))));
        return number.has_value();
    }
    if (form == "absolute") {
        const auto time = value.is_string()
                              ? pdu::parse_civil_time(value.get_ref<const std::string&>())
                              : std::nullopt;
        vp = {.format = pdu::ValidityFormat::absolute,
              .raw = pdu::make_timestamp(time.value_or(pdu::CivilTime{}))};
        return time.has_value();
    }
    const auto octets = form == "enhanced" ? octets_in(value) : std::nullopt;
    if (!octets || octets->size() != vp.raw.size()) {
        return false;
    }
    vp.format = pdu::ValidityFormat::enhanced;
    std::copy(octets->begin(), octets->end(), vp.raw.begin());
    return true;
}

Fault read_validity(const Json& value, SubmitWish& wish) {
    const bool good = value.is_object() && value.size() == 1 &&
                      take_period(value.items().begin().key(), *value.begin(), wish.vp);
    return take(good, "vp",
                "one of relative (0 to 255), seconds (1 to 38102400), absolute (a time), enhanced "
                "(14 hex digits)");
}

constexpr std::array members{
    WishMember{
        "to", false,
        [](const Json& value, SubmitWish& wish) { return read_address(value, "to", wish.to); }},
    WishMember{"smsc", true, read_service_centre},
    WishMember{"text", false, read_text},
    WishMember{"data", false, read_data},
    WishMember{"alphabet", false, read_alphabet},
    WishMember{"class", true, read_class},
    WishMember{"dcs", true, read_dcs},
    WishMember{"srr", false,
               [](const Json& value, SubmitWish& wish) {
                   return take(take_bool(value, wish.srr), "srr", "true or false");
               }},
    WishMember{"rd", false,
               [](const Json& value, SubmitWish& wish) {
                   return take(take_bool(value, wish.rd), "rd", "true or false");
               }},
    WishMember{"rp", false,
               [](const Json& value, SubmitWish& wish) {
                   return take(take_bool(value, wish.rp), "rp", "true or false");
               }},
    WishMember{"pid", true, read_pid},
    WishMember{"mr", true, read_mr},
    WishMember{"vp", true, read_validity},
    WishMember{"concat_ref_bits", false, read_ref_bits},
    WishMember{"concat_ref", true, read_ref},
    WishMember{"ports", true, read_ports},
    WishMember{"udh", true, read_udh},
    WishMember{"lang", false, read_language},
};

}  // namespace

std::span<const WishMember> wish_members() {
    return members;
}

LineError bad_request(std::string_view member, std::string_view why) {
    return {.code = PduErrc::bad_request, .message = fmt::format("{}: {}", member, why)};
}

}  // namespace smsrack::tools
