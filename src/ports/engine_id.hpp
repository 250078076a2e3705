/// Which engine of a fleet it is. Another one, or an older state of the same, is known by it.
#pragma once

#include <compare>
#include <string>

namespace smsrack::ports {

struct EngineId {
    std::string name = {};  ///< by chance, made with its schema
    std::string life = {};  ///< by chance, made with each Rebuild
    friend auto operator<=>(const EngineId&, const EngineId&) = default;
};

}  // namespace smsrack::ports
