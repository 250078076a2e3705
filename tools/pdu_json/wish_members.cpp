#include "tools/pdu_json/wish_members.hpp"

#include "tools/pdu_json/hex.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <initializer_list>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::tools {
namespace {

using pdu::PduErrc;
using wire::Json;

constexpr std::int64_t octet_max = 255;

// Values are read strictly: of the right type and in range, or not at all.

/// A whole number (1, not 1.0) within [low, high].
std::optional<std::int64_t> number_in(const Json& value, std::int64_t low, std::int64_t high) {
    if (value.is_number_unsigned() &&
        value.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) {
        return std::nullopt;
    }
    if (!value.is_number_integer()) {
        return std::nullopt;
    }
    const auto number = value.get<std::int64_t>();
    return number >= low && number <= high ? std::optional(number) : std::nullopt;
}

/// Puts a whole number within [0, high] into `out`; false, and `out` as it was, when it is none.
template <typename T>
bool take_number(const Json& value, std::int64_t high, T& out) {
    const auto number = number_in(value, 0, high);
    if (number) {
        out = static_cast<T>(*number);
    }
    return number.has_value();
}

bool take_bool(const Json& value, bool& out) {
    if (value.is_boolean()) {
        out = value.get<bool>();
    }
    return value.is_boolean();
}

/// Hex digits of whole octets.
std::optional<std::vector<std::uint8_t>> octets_in(const Json& value) {
    std::vector<std::uint8_t> octets;
    if (!value.is_string() ||
        read_hex(value.get_ref<const std::string&>(), octets) != std::string_view::npos) {
        return std::nullopt;
    }
    return octets;
}

bool has_only(const Json& object, std::initializer_list<std::string_view> names) {
    return std::all_of(object.items().begin(), object.items().end(), [&](const auto& item) {
        return std::ranges::find(names, std::string_view(item.key())) != names.end();
    });
}

/// An optional member of an inner object: absent and null leave `out` as it is.
template <typename T>
bool take_inner(const Json& object, const char* name, std::int64_t high, T& out) {
    const auto found = object.find(name);
    return found == object.end() || found->is_null() || take_number(*found, high, out);
}

Fault take(bool good, const WishMember& member) {
    return good ? Fault{} : Fault{bad_request(member.name, member.why)};
}

template <auto Field, std::int64_t High = octet_max>
Fault read_number(const Json& value, SubmitWish& wish, const WishMember& member) {
    return take(take_number(value, High, wish.*Field), member);
}

template <auto Field>
Fault read_flag(const Json& value, SubmitWish& wish, const WishMember& member) {
    return take(take_bool(value, wish.*Field), member);
}

Fault read_address(const Json& value, const WishMember& member, WishedAddress& out) {
    if (value.is_string()) {
        const auto wish = pdu::plain_number(value.get_ref<const std::string&>());
        out = WishedAddress{.number = std::string(wish.number), .ton = wish.ton, .npi = wish.npi};
        return {};
    }
    const bool shaped = value.is_object() && has_only(value, {"number", "ton", "npi"}) &&
                        value.contains("number") && value["number"].is_string();
    if (!shaped) {
        return take(false, member);
    }
    WishedAddress address{.number = value["number"].get<std::string>()};
    const bool good =
        take_inner(value, "ton", 7, address.ton) && take_inner(value, "npi", 15, address.npi);
    out = std::move(address);
    return good ? Fault{} : bad_request(member.name, "ton is 0 to 7, npi 0 to 15");
}

Fault read_recipient(const Json& value, SubmitWish& wish, const WishMember& member) {
    return read_address(value, member, wish.to);
}

Fault read_service_centre(const Json& value, SubmitWish& wish, const WishMember& member) {
    return read_address(value, member, wish.smsc.emplace());
}

Fault read_text(const Json& value, SubmitWish& wish, const WishMember& member) {
    if (value.is_string()) {
        wish.content = value.get<std::string>();
    }
    return take(value.is_string(), member);
}

Fault read_data(const Json& value, SubmitWish& wish, const WishMember& member) {
    const auto octets = octets_in(value);
    if (!octets) {
        return take(false, member);
    }
    wish.content = pdu::characters_of(*octets);
    wish.is_data = true;
    return {};
}

Fault read_alphabet(const Json& value, SubmitWish& wish, const WishMember& member) {
    constexpr std::array<std::string_view, 4> names{"auto", "gsm7", "ucs2", "data8"};
    const auto* const found = value.is_string()
                                  ? std::ranges::find(names, value.get_ref<const std::string&>())
                                  : names.end();
    if (found == names.end()) {
        return take(false, member);
    }
    wish.alphabet = static_cast<WishedAlphabet>(found - names.begin());
    return {};
}

Fault read_ref_bits(const Json& value, SubmitWish& wish, const WishMember& member) {
    const bool good = take_number(value, 16, wish.concat_ref_bits);
    return take(good && (wish.concat_ref_bits == 8 || wish.concat_ref_bits == 16), member);
}

Fault read_ports(const Json& value, SubmitWish& wish, const WishMember& member) {
    pdu::Ports ports;
    const bool good = value.is_object() && has_only(value, {"dst", "src", "bits"}) &&
                      take_inner(value, "bits", 16, ports.bits) &&
                      (ports.bits == 8 || ports.bits == 16) && value.contains("dst") &&
                      take_number(value["dst"], (1 << ports.bits) - 1, ports.dst) &&
                      take_inner(value, "src", (1 << ports.bits) - 1, ports.src);
    wish.ports = ports;
    return take(good, member);
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

Fault read_udh(const Json& value, SubmitWish& wish, const WishMember& member) {
    if (!value.is_array()) {
        return take(false, member);
    }
    for (const Json& element : value) {
        if (auto fault = read_element(element, wish)) {
            return fault;
        }
    }
    return {};
}

Fault read_language(const Json& value, SubmitWish& wish, const WishMember& member) {
    if (value.is_string()) {
        const auto& word = value.get_ref<const std::string&>();
        wish.language = word == "auto" ? pdu::LanguageWish::cheapest : pdu::LanguageWish::fixed;
        return take(word == "auto" || word == "off", member);
    }
    constexpr std::int64_t last = pdu::language_count - 1;
    const bool good = value.is_object() && has_only(value, {"locking", "single"}) &&
                      value.contains("locking") && value.contains("single") &&
                      take_number(value["locking"], last, wish.tables.locking) &&
                      take_number(value["single"], last, wish.tables.single) &&
                      wish.tables.locking != pdu::spanish;
    return take(good, member);
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

Fault read_validity(const Json& value, SubmitWish& wish, const WishMember& member) {
    const bool good = value.is_object() && value.size() == 1 &&
                      take_period(value.items().begin().key(), *value.begin(), wish.vp);
    return take(good, member);
}

constexpr std::string_view address_forms = "a number, or an object of number, ton and npi";
constexpr std::string_view octet_range = "0 to 255";
constexpr std::string_view flag_words = "true or false";

constexpr std::array members{
    WishMember{"to", false, address_forms, read_recipient},
    WishMember{"smsc", true, address_forms, read_service_centre},
    WishMember{"text", false, "a string", read_text},
    WishMember{"data", false, "hex digits of whole octets", read_data},
    WishMember{"alphabet", false, "auto, gsm7, ucs2 or data8", read_alphabet},
    WishMember{"class", true, "0 to 3", read_number<&SubmitWish::message_class, 3>},
    WishMember{"dcs", true, octet_range, read_number<&SubmitWish::dcs>},
    WishMember{"srr", false, flag_words, read_flag<&SubmitWish::srr>},
    WishMember{"rd", false, flag_words, read_flag<&SubmitWish::rd>},
    WishMember{"rp", false, flag_words, read_flag<&SubmitWish::rp>},
    WishMember{"pid", true, octet_range, read_number<&SubmitWish::pid>},
    WishMember{"mr", true, octet_range, read_number<&SubmitWish::mr>},
    WishMember{"vp", true,
               "one of relative (0 to 255), seconds (1 to 38102400), absolute (a time), enhanced "
               "(14 hex digits)",
               read_validity},
    WishMember{"concat_ref_bits", false, "8 or 16", read_ref_bits},
    WishMember{"concat_ref", true, "0 to 65535, with 8 bits 0 to 255",
               read_number<&SubmitWish::concat_ref, 0xFFFF>},
    WishMember{"ports", true, "an object of dst, src and bits (8 or 16)", read_ports},
    WishMember{"udh", true, "an array of elements", read_udh},
    WishMember{"lang", false,
               "off, auto, or an object of locking (0 to 13 but 2) and single (0 to 13)",
               read_language},
};

}  // namespace

std::span<const WishMember> wish_members() {
    return members;
}

LineError bad_request(std::string_view member, std::string_view why) {
    return {.code = PduErrc::bad_request, .message = fmt::format("{}: {}", member, why)};
}

}  // namespace smsrack::tools
