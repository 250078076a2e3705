/// What must hold of any engine of a fleet: sentences, each with a function that checks it on an empty engine.
#pragma once

#include "tests/fleet/conformance/engine_rig.hpp"

#include <span>
#include <vector>

namespace smsrack::test {

struct EngineCase {
    const char* sentence;
    void (*check)(EngineRig& rig);
};

[[nodiscard]] std::span<const EngineCase> box_cases();
[[nodiscard]] std::span<const EngineCase> put_cases();
[[nodiscard]] std::span<const EngineCase> work_cases();
[[nodiscard]] std::span<const EngineCase> change_cases();
[[nodiscard]] std::span<const EngineCase> rebuild_cases();

/// All of them.
[[nodiscard]] inline std::vector<EngineCase> engine_cases() {
    std::vector<EngineCase> all;
    for (const auto cases :
         {box_cases(), put_cases(), work_cases(), change_cases(), rebuild_cases()}) {
        all.insert(all.end(), cases.begin(), cases.end());
    }
    return all;
}

}  // namespace smsrack::test
