/// Selects the mutant of this process, in a copy of the tree that is wrong on purpose
/// (tests/mutants/mutants.toml).
///
/// Threads: chosen before there are others.
#pragma once

#include <string>
#include <string_view>

namespace smsrack {

inline std::string& chosen_mutant() {
    static std::string chosen;
    return chosen;
}

[[nodiscard]] inline bool mutant(std::string_view name) {
    return chosen_mutant() == name;
}

}  // namespace smsrack
