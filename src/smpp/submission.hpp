/// What an ESME asks with submit_sm, data_sm, submit_multi or replace_sm, as the service takes it.
///
/// The characters of a text stay as they are; the service chooses the alphabet on the air. A part of a long message that
/// the ESME has cut keeps its place, but not its reference (docs/decisions/0048-clients-of-another-protocol.md).
/// Errors:  the status that refuses it.
/// Source:  SMPP 3.4 4.4, 5.2.12 (esm_class), 5.2.19 (data_coding), 5.3.2; 3GPP TS 23.040 9.2.3.24
#pragma once

#include "src/base/clock.hpp"
#include "src/smpp/account.hpp"
#include "src/smpp/note.hpp"
#include "src/smpp/pdu/known_message.hpp"
#include "src/smpp/pdu/message.hpp"
#include "src/smpp/pdu/submit_multi.hpp"
#include "src/smpp/ports16.hpp"
#include "src/smpp/status.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::smpp {

/// A part of a message that the ESME has cut.
struct PartPlace {
    std::string key = {};
    std::uint8_t of = 0;
    std::uint8_t part = 0;  ///< from 1

    bool operator==(const PartPlace&) const = default;
};

/// The octets of a message, understood.
struct Content {
    bool is_text = true;
    std::string octets = {};  ///< a text in UTF-8, or data
    std::optional<PartPlace> place = {};
    std::optional<Ports16> ports = {};
    std::string elements = {};  ///< further ones of its header
    std::optional<std::uint8_t> message_class = {};

    bool operator==(const Content&) const = default;
};

struct Submission {
    std::string to = {};  ///< as the service reads a number
    Content content = {};
    int level = 3;
    std::optional<std::chrono::seconds> lifetime = {};  ///< from now; nullopt: that of the service
    std::optional<WallTime> not_before = {};
    std::optional<std::uint8_t> pid = {};
    std::string group = {};
    std::string from = {};      ///< the SIM with this number sends; empty: any
    bool from_else_any = true;  ///< also where the rack has no such SIM
    Note note = {};
};

/// `message`: a submit_sm; a data_sm or one destination of a submit_multi in its form.
[[nodiscard]] std::expected<Submission, Status> submission_of(const Message& message,
                                                              const Account& account, WallTime now);

/// A data_sm in the form of a submit_sm.
[[nodiscard]] Message as_message(const Data& data);
/// What goes to one of its numbers.
[[nodiscard]] Message as_message(const SubmitMulti& multi, const MultiDestination& destination);

/// "+33612345678", "12345".
[[nodiscard]] std::expected<std::string, Status> number_of(const Address& destination);

/// The line of JSON that the service takes, without its end. `ref` makes it repeatable.
[[nodiscard]] std::string line_of(const Submission& submission, std::string_view ref);
/// The body that replaces a message which waits.
[[nodiscard]] std::string replacement_of(const Submission& submission);

}  // namespace smsrack::smpp
