#include "tools/smsrack/rack/upgrade_turn.hpp"

#include "tools/smsrack/screen/console.hpp"
#include "tools/smsrack/screen/json_fields.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace smsrack::cli {
namespace {

/// Empty: nothing.
std::string what_is_wrong(const wire::Json& box, const Turn& before) {
    if (text_of(box, "state") != before.state) {
        return "it is " + printable(text_of(box, "state"));
    }
    if (count_of(box, "modems") < before.modems) {
        return fmt::format("{} of its {} modems can send", count_of(box, "modems"), before.modems);
    }
    return {};
}

}  // namespace

Turn turn_of(const wire::Json& box) {
    return {.name = text_of(box, "name"),
            .is_self = truth_of(box, "self"),
            .is_engine_node = truth_of(box, "engine_node"),
            .state = text_of(box, "state"),
            .version = text_of(box, "version"),
            .modems = count_of(box, "modems")};
}

WellBeats::WellBeats(Turn before) : before_(std::move(before)) {}

std::string WellBeats::look(const wire::Json& box) {
    std::string why = what_is_wrong(box, before_);
    const std::uint64_t beats = count_of(box, "beats");
    if (!why.empty()) {
        count_ = 0;
    } else if (beats > last_) {
        ++count_;
    }
    last_ = std::max(last_, beats);
    return why.empty() && count_ <= well_beats ? "it has its modems; waits for its beats" : why;
}

}  // namespace smsrack::cli
