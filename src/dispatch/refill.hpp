/// How far one level of one group was read from the store: a table.
///
/// Messages that do not fit in memory wait in the store and are read in its order, a question at a
/// time.
#pragma once

#include "src/base/state_table.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace smsrack::dispatch {

enum class RefillState : std::uint8_t {
    complete,        ///< nothing waits in the store that was not read
    behind,          ///< the store may have newer messages
    rewound,         ///< the store has messages that are older than those in memory
    reading,         ///< newer ones are asked for
    reading_news,    ///< and others came since
    rereading,       ///< the oldest ones are asked for
    rereading_news,  ///< and others came since
    outdated,        ///< rewound since it was asked: the rows are right, but older ones are missing
    spoiled,         ///< the times were moved since it was asked: the rows may be wrong
};
inline constexpr std::size_t refill_state_count = 9;

enum class RefillEvent : std::uint8_t {
    news,       ///< the store has queued messages
    rewind,     ///< it must be read again from its oldest message on
    moved,      ///< its times are being moved
    asked,      ///< the store is asked
    all_came,   ///< fewer rows came than were asked for
    more_left,  ///< as many came as were asked for
    failed,     ///< the store could not read
};
inline constexpr std::size_t refill_event_count = 7;

namespace refill {

using S = RefillState;
using E = RefillEvent;
using R = Rule<S, E>;

inline constexpr std::array rules{
    R{S::complete, E::news, S::behind},
    R{S::behind, E::news, S::behind},
    R{S::rewound, E::news, S::rewound},
    R{S::reading, E::news, S::reading_news},
    R{S::reading_news, E::news, S::reading_news},
    R{S::rereading, E::news, S::rereading_news},
    R{S::rereading_news, E::news, S::rereading_news},
    R{S::outdated, E::news, S::outdated},
    R{S::spoiled, E::news, S::spoiled},

    R{S::complete, E::rewind, S::rewound},
    R{S::behind, E::rewind, S::rewound},
    R{S::rewound, E::rewind, S::rewound},
    R{S::reading, E::rewind, S::outdated},
    R{S::reading_news, E::rewind, S::outdated},
    R{S::rereading, E::rewind, S::outdated},
    R{S::rereading_news, E::rewind, S::outdated},
    R{S::outdated, E::rewind, S::outdated},
    R{S::spoiled, E::rewind, S::spoiled},

    R{S::complete, E::moved, S::rewound},
    R{S::behind, E::moved, S::rewound},
    R{S::rewound, E::moved, S::rewound},
    R{S::reading, E::moved, S::spoiled},
    R{S::reading_news, E::moved, S::spoiled},
    R{S::rereading, E::moved, S::spoiled},
    R{S::rereading_news, E::moved, S::spoiled},
    R{S::outdated, E::moved, S::spoiled},
    R{S::spoiled, E::moved, S::spoiled},

    R{S::behind, E::asked, S::reading},
    R{S::rewound, E::asked, S::rereading},

    R{S::reading, E::all_came, S::complete},
    R{S::reading_news, E::all_came, S::behind},
    R{S::rereading, E::all_came, S::complete},
    R{S::rereading_news, E::all_came, S::behind},
    R{S::outdated, E::all_came, S::rewound},
    R{S::spoiled, E::all_came, S::rewound},

    R{S::reading, E::more_left, S::behind},
    R{S::reading_news, E::more_left, S::behind},
    R{S::rereading, E::more_left, S::behind},
    R{S::rereading_news, E::more_left, S::behind},
    R{S::outdated, E::more_left, S::rewound},
    R{S::spoiled, E::more_left, S::rewound},

    R{S::reading, E::failed, S::behind},
    R{S::reading_news, E::failed, S::behind},
    R{S::rereading, E::failed, S::rewound},
    R{S::rereading_news, E::failed, S::rewound},
    R{S::outdated, E::failed, S::rewound},
    R{S::spoiled, E::failed, S::rewound},
};

}  // namespace refill

[[nodiscard]] constexpr std::optional<RefillState> next(RefillState from, RefillEvent on) {
    return next(refill::rules, from, on);
}

/// An answer is to come, so nothing more is asked.
[[nodiscard]] constexpr bool is_reading(RefillState state) {
    return state >= RefillState::reading;
}

/// The store may be asked. Each turn looks at this for each level of each group.
[[nodiscard]] constexpr bool may_ask(RefillState state) {
    return state == RefillState::behind || state == RefillState::rewound;
}

static_assert(std::ranges::all_of(refill::rules, [](const auto& rule) {
    return may_ask(rule.from) == next(rule.from, RefillEvent::asked).has_value();
}));
static_assert(!next(RefillState::behind, RefillEvent::all_came));

}  // namespace smsrack::dispatch
