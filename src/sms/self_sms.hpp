/// A self-SMS: a message from the rack to one of its own SIMs, which measures how long the network
/// takes.
///
/// Its text has a token of 64 random bits, and its row has the same one as its ref; so it is
/// recognised when it comes in, over a restart too, and no one else can write one.
/// Source:  [NSB] probes, docs/papers.md 5.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack {

/// Label of all of them; no client may use it.
inline constexpr std::string_view self_sms_batch = "self-sms";

[[nodiscard]] std::string self_sms_text(std::uint64_t token);
/// The ref of its row.
[[nodiscard]] std::string self_sms_ref(std::uint64_t token);
/// The ref that a received text speaks of, also where an operator has put words around it; nullopt
/// if it is not a self-SMS.
[[nodiscard]] std::optional<std::string> self_sms_ref_in(std::string_view text);

}  // namespace smsrack
