/// What goes over the socket of smsrack-wake: one line with the order, and one with what came of it.
///
/// `wake|park|fence NAME`, answered by `exit CODE WORDS` or `failed WORDS`.
/// Bound:   power_line_max octets of a line, its end included.
/// Threads: any; values.
#pragma once

#include "src/base/result.hpp"
#include "src/ports/box_power.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::cluster {

inline constexpr std::size_t power_line_max = 256;

struct PowerLine {
    ports::PowerOrder what = ports::PowerOrder::wake;
    std::string box = {};
};

/// As [cluster] name, but for one that begins with "-" or ".", which a program could take for an option or a path.
[[nodiscard]] bool may_be_ordered(std::string_view box);

/// With its end.
/// Errors: bad_request: may_be_ordered() says no.
[[nodiscard]] Result<std::string> line_of(const PowerLine& order);
/// `line`: without its end. nullopt: it is no order.
[[nodiscard]] std::optional<PowerLine> read_order(std::string_view line);

/// What the program did: how it ended, and what it said last.
struct PowerEnd {
    std::optional<int> code = {};  ///< nullopt: it was not started, or did not end by itself
    std::string words = {};
};

/// One line, with its end; of the words what has room, and no control characters.
[[nodiscard]] std::string line_of(const PowerEnd& end);
/// `line`: without its end.
/// Errors: conflict: the program did not end with 0. protocol: it is no such answer.
[[nodiscard]] Result<> read_end(std::string_view line);

}  // namespace smsrack::cluster
