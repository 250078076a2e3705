#include "src/ports/pause.hpp"

#include "src/base/time_text.hpp"

#include <algorithm>

namespace smsrack::ports {

const Pause* pause_of(std::span<const Pause> pauses, std::string_view group,
                      std::string_view batch) {
    const auto found = std::ranges::find_if(pauses, [&](const Pause& pause) {
        switch (pause.scope) {
            case PauseScope::rack:
                return true;
            case PauseScope::group:
                return pause.name == group;
            case PauseScope::batch:
                return pause.name == batch;
        }
        return false;
    });
    return found == pauses.end() ? nullptr : &*found;
}

std::string pause_text(const Pause& pause) {
    const std::string what =
        pause.scope == PauseScope::rack
            ? "the rack"
            : std::string(pause_scope_names.at(static_cast<std::size_t>(pause.scope))) + " " +
                  pause.name;
    return what + (pause.cancelled ? " was cancelled at " : " is paused since ") +
           time_text(pause.since);
}

}  // namespace smsrack::ports
