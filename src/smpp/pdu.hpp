/// A whole PDU: octets to values and back.
///
/// What follows the last field of a PDU without optional parameters is passed over, and so is the
/// missing body of an answer that tells of an error.
/// Errors:  a Problem: the status of the error answer, the field, and the place.
/// Source:  SMPP 3.4 4.
#pragma once

#include "src/smpp/frame.hpp"
#include "src/smpp/pdu/bind.hpp"
#include "src/smpp/pdu/known_message.hpp"
#include "src/smpp/pdu/message.hpp"
#include "src/smpp/pdu/submit_multi.hpp"

#include <expected>
#include <string>
#include <string_view>
#include <variant>

namespace smsrack::smpp {

/// monostate: a PDU that has no body.
using Body = std::variant<std::monostate, Bind, BindAnswer, Outbind, Message, Data, MessageAnswer,
                          SubmitMulti, SubmitMultiAnswer, Query, QueryAnswer, Cancel, Replace>;

struct Pdu {
    Header header = {};
    Body body = {};

    bool operator==(const Pdu&) const = default;
};

/// `frame` is of Frames::next(): its length is that of the PDU.
[[nodiscard]] std::expected<Pdu, Problem> decode(std::string_view frame);

/// The body must be that of the command, and its short_message within short_message_max. A text that is longer
/// than its field is cut.
[[nodiscard]] std::string encode(const Pdu& pdu);

}  // namespace smsrack::smpp
