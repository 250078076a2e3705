/// What a person decides about messages that wait, durably: pauses, batches taken back, numbers that want nothing more.
///
/// db/sqlite_store implements it beside ports::Store.
/// Threads, Errors: as ports::Store. After a change of pauses StoreListener::pauses_changed() is told.
#pragma once

#include "src/ports/store.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace smsrack::ports {

class ControlStore {
public:
    ControlStore() = default;
    ControlStore(const ControlStore&) = delete;
    ControlStore& operator=(const ControlStore&) = delete;
    virtual ~ControlStore() = default;

    /// Begins or ends a pause; `name`: of the group or batch. A batch may be paused before it has messages. Gives false where
    /// it was so already. Ending one makes due what waited between two attempts. conflict: the batch was cancelled.
    virtual void pause(PauseScope scope, std::string name, WallTime at, Done<bool> done) = 0;
    virtual void resume(PauseScope scope, std::string name, WallTime at, Done<bool> done) = 0;

    /// From the commit on none of its messages begins and none is accepted; cancel_some() takes them back. not_found.
    virtual void cancel_batch(std::string name, WallTime at, Done<BatchRow> done) = 0;

    /// Looks at up to `limit` messages of batches that are to be cancelled. Gives whether there are more.
    virtual void cancel_some(WallTime at, std::size_t limit, Done<bool> done) = 0;

    /// Gives back a message between two attempts that take_due() gave: it is due again at `until`, or when its pause ends;
    /// in a cancelled batch it is cancelled. Gives when it is due; nothing: not by time.
    virtual void put_off(MessageId message, WallTime until, WallTime at,
                         Done<std::optional<WallTime>> done) = 0;

    /// `number`: normalised. Gives false where it was so already.
    virtual void opt_out(std::string number, WallTime at, Done<bool> done) = 0;
    virtual void opt_in(std::string number, Done<bool> done) = 0;
};

}  // namespace smsrack::ports
