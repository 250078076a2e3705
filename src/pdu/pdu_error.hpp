/// What is wrong with a PDU, or with a request for one: a code, a position and a field.
///
/// Errors:  `field` is a literal such as "TP-UD.UDH", never content of the message.
#pragma once

#include "src/base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::pdu {

enum class PduErrc : std::uint8_t {
    // decoding
    empty,        ///< nothing there
    bad_hex,      ///< not hex digits, or half an octet
    truncated,    ///< the octets end too early
    bad_address,  ///< decoding: longer than the standard allows; encoding: it can't be coded
    bad_udl,      ///< TP-UDL or TP-CDL above what the standard allows
    bad_udh,      ///< decoding: points outside the user data; encoding: no room left, or an element
                  ///< that is ours
    reserved_mti,  ///< TP-MTI 3 from a mobile
    // encoding
    bad_json,
    bad_request,  ///< unknown member, wrong type or range, members that contradict each other
    bad_utf8,     ///< the text is not valid UTF-8
    unencodable,  ///< a character is not in the alphabet that was asked for
    too_long,     ///< more than 255 segments
};

/// The stable word of a code, as `smsrack pdu` prints it.
[[nodiscard]] std::string_view pdu_errc_name(PduErrc code);

struct PduError {
    PduErrc code = PduErrc::empty;
    /// Octet (bad_hex, bad_utf8, unencodable: character), from 0.
    std::optional<std::size_t> offset = {};
    std::string_view field = {};  ///< "TP-OA"; static storage
};

template <typename T>
using PduResult = std::expected<T, PduError>;

/// One sentence for people: "TP-SCTS: the octets end too early".
[[nodiscard]] std::string pdu_message(const PduError& error);

/// As the rest of the rack speaks: protocol for what was received; bad_number, bad_encoding,
/// too_long or bad_request for what could not be sent.
[[nodiscard]] Error to_error(const PduError& error, bool sending);

}  // namespace smsrack::pdu
