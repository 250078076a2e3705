/// Ends the wait for status reports that did not come.
///
/// A message that asked for a report and is still `sent` when the report window is over gets one more
/// event of its state, with the word `no_report`. The word is kept in the message's row, so each message
/// gets it once. The events of the log are looked at in their order. The place is not stored: after a
/// start the log is read from its begin again, a step at a time.
/// Bound:   the rows of a step.
/// Threads: the writing thread.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/writer.hpp"
#include "src/base/clock.hpp"
#include "src/base/ids.hpp"

#include <cstddef>
#include <optional>

namespace smsrack::db {

class MissingReports {
public:
    /// Looks at up to `limit` events that are old enough; gives how many. Fewer: done for now.
    [[nodiscard]] std::size_t step(Writer& writer, std::size_t limit);

private:
    /// A message that may still get its report, because its lifetime is not over.
    struct Later {
        EventSeq before;  ///< the place just before its event
        WallTime at;      ///< when it is looked at again
    };

    void look_at(Writer& writer, MessageId id, EventSeq before);

    EventSeq place_ = {};  // looked at up to here
    std::optional<Later> later_ = {};
};

}  // namespace smsrack::db
