/// Writes values of the domain in JSON.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/ids.hpp"
#include "src/sms/error_table.hpp"
#include "src/sms/message_states.hpp"
#include "src/sms/outcome.hpp"
#include "src/wire/json_writer.hpp"

#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace smsrack::api {

/// Ids are decimal strings: not every JSON reader keeps 64 bits.
template <typename Tag, typename Rep>
[[nodiscard]] std::string id_text(Id<Tag, Rep> id) {
    return fmt::to_string(id.value);
}

/// "cms_42", "cme_515", "tp_status_65", "error"; without a cause the word `detail`; empty where
/// there is neither.
[[nodiscard]] std::string code_text(Cause cause, std::string_view detail);

/// Writes `code` (or null), and where there is a cause its `class`, `cause` (what it means) and
/// `advice`. `pdu_sent`: the PDU had gone out when it came.
struct CauseText {
    Cause cause = {};
    std::string_view detail = {};
    bool pdu_sent = true;
};
void append_cause(wire::JsonWriter& json, const ErrorTable& errors, const CauseText& text);

/// A string member, or null where it is empty.
void member_or_null(wire::JsonWriter& json, std::string_view name, std::string_view text);

/// A time, or null.
void member_or_null(wire::JsonWriter& json, std::string_view name,
                    const std::optional<WallTime>& at);

/// An id, or null where it is 0.
template <typename Tag, typename Rep>
void member_or_null(wire::JsonWriter& json, std::string_view name, Id<Tag, Rep> id) {
    member_or_null(json, name, id.value == 0 ? std::string() : id_text(id));
}

/// A member with an object: the number of messages in each state.
void append_state_counts(wire::JsonWriter& json, std::string_view name,
                         const std::array<std::int64_t, message_state_count>& counts);

/// What a modem said, as valid UTF-8: any octet that is none becomes "?".
[[nodiscard]] std::string valid_text(std::string_view text);

/// An array of such texts.
void append_texts(wire::JsonWriter& json, std::string_view name,
                  std::span<const std::string> texts);

/// "; there are m0, m1 and m2", "; there is none": for a caller that asked for another one. At most
/// 20 are named.
[[nodiscard]] std::string what_there_is(std::span<const std::string> names);

/// Octets as capital hexadecimal digits.
[[nodiscard]] std::string hex_text(std::string_view octets);

}  // namespace smsrack::api
