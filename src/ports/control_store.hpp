/// What the operator decides about waiting messages, durably: pauses, cancelled batches, opt-outs.
///
/// db/sqlite_store implements it, next to ports::Store.
/// Threads, Errors: as CommandPort. A change of pauses calls StoreListener::pauses_changed().
#pragma once

#include "src/ports/command.hpp"
#include "src/ports/store_reader.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace smsrack::ports {

/// Begins or ends a pause of the rack, or of the group or batch `name`. A batch may be paused
/// before it has messages. The end makes due what waited between two attempts. Answers false if
/// nothing changed.
/// Errors: conflict: the batch was cancelled.
struct SetPause {
    using Answer = bool;
    PauseScope scope = PauseScope::rack;
    std::string name = {};
    bool paused = true;
    WallTime at;
};

/// From the commit on none of its messages begins and none is accepted; CancelSome cancels them.
/// Again: changes nothing.
/// Errors: not_found.
struct CancelBatch {
    using Answer = BatchRow;
    std::string name = {};
    WallTime at;
    bool create = false;  ///< also one that has no message here
};

/// Looks at up to `limit` messages of one cancelled batch. Answers whether there are more.
struct CancelSome {
    static constexpr Lane lane = Lane::upkeep;
    using Answer = bool;
    WallTime at;
    std::size_t limit = 0;
};

/// Gives back a message between two attempts that TakeDue gave out: it is due again at `until`, or
/// when its pause ends; in a cancelled batch it is cancelled. Answers when it is due; nullopt: not
/// by time.
struct PutOff {
    static constexpr Refused refused = Refused::insist;
    using Answer = std::optional<WallTime>;
    MessageId message;
    WallTime until;
    WallTime at;
};

/// `number`, normalised, wants no more messages. Answers false if it was so already.
struct OptOut {
    using Answer = bool;
    std::string number = {};
    WallTime at;
};

/// Removes the opt-out of `number`, however it was written. Answers false if there was none.
struct OptIn {
    using Answer = bool;
    std::string number = {};
};

class ControlStore : public CommandPort<SetPause, CancelBatch, CancelSome, PutOff, OptOut, OptIn> {
};

}  // namespace smsrack::ports
