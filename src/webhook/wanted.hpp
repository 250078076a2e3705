/// Reads from the event log what a webhook wants, with the body of each: one bounded step.
///
/// Threads: a reading thread of the store.
/// Errors:  storage.
#pragma once

#include "src/base/result.hpp"
#include "src/ports/store_reader.hpp"
#include "src/ports/webhook_store.hpp"
#include "src/sms/event_filter.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace smsrack::webhook {

/// Octets of a body at most.
inline constexpr std::size_t body_max = 20UL * 1024;

/// Makes the delivery of an event.
/// Errors:  storage.
using BuildDelivery =
    std::function<Result<ports::NewDelivery>(ports::StoreReader&, const Event&, bool text)>;

struct WantedQuestion {
    EventSeq after = {};
    std::optional<EventSeq> until = {};  ///< the last one; nullopt: as far as there are
    std::size_t rows_max = 0;
    std::size_t bytes_max = 0;  ///< of bodies; one more than reaches this is the last
    bool text = true;
};

struct Wanted {
    std::vector<ports::NewDelivery> deliveries = {};
    EventSeq place = {};  ///< everything up to here was looked at
    bool more = false;    ///< there may be events behind it
};

[[nodiscard]] Result<Wanted> read_wanted(ports::StoreReader& reader, const EventFilter& filter,
                                         const BuildDelivery& build,
                                         const WantedQuestion& question);

/// How many events the webhook wants behind `after`, counted up to `most`, and the time of the
/// first. Looks at scan_max events at most.
struct Behind {
    std::size_t events = 0;
    std::optional<WallTime> oldest = {};
};
inline constexpr std::size_t scan_max = 10'000;
[[nodiscard]] Result<Behind> count_behind(ports::StoreReader& reader, const EventFilter& filter,
                                          EventSeq after, std::size_t most);

/// The last event before `time`. Ids grow with time, so some forty looks find it.
[[nodiscard]] Result<EventSeq> last_before(ports::StoreReader& reader, WallTime time);

}  // namespace smsrack::webhook
