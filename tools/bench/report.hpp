/// The report of a question: figures with the bounds that they must keep and the goals that they
/// may reach.
#pragma once

#include "src/wire/json.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::bench {

/// A goal without numbers is none.
struct Goal {
    bool at_most = false;  ///< else at least
    std::optional<double> bound = {};
    std::optional<double> aim = {};
};

struct Figure {
    std::string name = {};
    double value = 0;
    std::string unit = {};
    int decimals = 1;
    Goal goal = {};
};

struct Report {
    std::string question = {};
    std::vector<std::string> conditions = {};  ///< what was measured on what
    std::vector<Figure> figures = {};
    std::vector<std::string> notes = {};  ///< what bounds the figures
    bool broken = false;                  ///< a promise was not kept: the program fails
};

[[nodiscard]] inline Goal at_least(std::optional<double> bound, std::optional<double> aim = {}) {
    return {.at_most = false, .bound = bound, .aim = aim};
}
[[nodiscard]] inline Goal at_most(std::optional<double> bound, std::optional<double> aim = {}) {
    return {.at_most = true, .bound = bound, .aim = aim};
}

/// "meets"; "below" or "above" the bound; "below aim", "above aim"; empty where there is no goal.
[[nodiscard]] std::string_view verdict(const Figure& figure);

/// A table for a terminal, with its last line end.
[[nodiscard]] std::string table_of(const Report& report);
[[nodiscard]] wire::Json json_of(const Report& report);

}  // namespace smsrack::bench
