#include "src/pdu/pdu_error.hpp"

#include "src/base/check.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace smsrack::pdu {
namespace {

struct Wording {
    PduErrc code;
    std::string_view name;
    std::string_view sentence;
    Errc when_sending;
};

constexpr std::array wordings{
    Wording{PduErrc::empty, "empty", "nothing is there", Errc::bad_request},
    Wording{PduErrc::bad_hex, "bad_hex", "not whole octets in hex digits", Errc::bad_request},
    Wording{PduErrc::truncated, "truncated", "the octets end too early", Errc::bad_request},
    Wording{PduErrc::bad_address, "bad_address", "not an address that TS 23.040 can carry",
            Errc::bad_number},
    Wording{PduErrc::bad_udl, "bad_udl", "the length is above what TS 23.040 allows",
            Errc::too_long},
    Wording{PduErrc::bad_udh, "bad_udh",
            "the header does not fit, or has an element of the encoder's own", Errc::bad_request},
    Wording{PduErrc::reserved_mti, "reserved_mti", "this message type is reserved",
            Errc::bad_request},
    Wording{PduErrc::bad_json, "bad_json", "not one JSON object in valid UTF-8", Errc::bad_request},
    Wording{PduErrc::bad_request, "bad_request",
            "unknown, of the wrong type or range, or against another member", Errc::bad_request},
    Wording{PduErrc::bad_utf8, "bad_utf8", "not valid UTF-8", Errc::bad_encoding},
    Wording{PduErrc::unencodable, "unencodable", "a character is not in the alphabet",
            Errc::bad_encoding},
    Wording{PduErrc::too_long, "too_long", "more than 255 segments", Errc::too_long},
};

const Wording& wording(PduErrc code) {
    const auto* const found = std::ranges::find(wordings, code, &Wording::code);
    SMSRACK_CHECK(found != wordings.end());
    return *found;
}

bool counts_characters(PduErrc code) {
    return code == PduErrc::unencodable || code == PduErrc::bad_utf8;
}

}  // namespace

std::string_view pdu_errc_name(PduErrc code) {
    return wording(code).name;
}

std::string pdu_message(const PduError& error) {
    const std::string_view sentence = wording(error.code).sentence;
    return error.field.empty() ? std::string(sentence)
                               : fmt::format("{}: {}", error.field, sentence);
}

Error to_error(const PduError& error, bool sending) {
    std::string context = pdu_message(error);
    if (error.offset) {
        context += fmt::format(" ({} {})", counts_characters(error.code) ? "character" : "octet",
                               *error.offset);
    }
    return Error{.code = sending ? wording(error.code).when_sending : Errc::protocol,
                 .context = std::move(context)};
}

}  // namespace smsrack::pdu
