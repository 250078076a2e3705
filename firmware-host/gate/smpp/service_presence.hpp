/// Whether the service is there, for all accounts: what comes while it has been away for long is refused at once.
///
/// Threads: loop thread.
#pragma once

#include "src/base/clock.hpp"

#include <chrono>
#include <optional>

namespace smsrack::gate {

class ServicePresence {
public:
    /// An upgrade or a restart is over by then.
    static constexpr std::chrono::seconds patience{30};

    void note(bool is_there, SteadyTime now) {
        away_since_ = is_there ? std::nullopt : std::optional(away_since_.value_or(now));
    }
    [[nodiscard]] bool is_long_away(SteadyTime now) const {
        return away_since_ && now >= *away_since_ + patience;
    }

private:
    std::optional<SteadyTime> away_since_;
};

}  // namespace smsrack::gate
