/// A box that has its turn in a rolling upgrade, and when it is well afterwards. From the JSON of GET /v1/cluster/boxes.
#pragma once

#include "src/wire/json.hpp"

#include <cstdint>
#include <string>

namespace smsrack::cli {

/// As it was before.
struct Turn {
    std::string name = {};
    bool is_self = false;
    bool is_engine_node = false;
    std::string state = {};
    std::string version = {};
    std::uint64_t modems = 0;  ///< that can send
};

[[nodiscard]] Turn turn_of(const wire::Json& box);

/// Whether it is well in well_beats beats one after the other: its program may end again at once. Between two beats nothing
/// new is known of it, and the first one that is seen may be one of the program before.
class WellBeats {
public:
    static constexpr int well_beats = 2;

    explicit WellBeats(Turn before);
    /// What is wrong with it, or awaited; empty: it is well.
    [[nodiscard]] std::string look(const wire::Json& box);

private:
    const Turn before_;
    std::uint64_t last_ = 0;  // beat
    int count_ = 0;
};

}  // namespace smsrack::cli
