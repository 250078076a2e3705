/// Removes what is old, in small steps. Its numbers are not used again.
///
/// Threads: the writing thread.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/writer.hpp"

#include <cstddef>

namespace smsrack::db {

class Retention {
public:
    struct Ages {
        WallTime messages_before;  ///< messages in a final state (or sent), and events
        WallTime inbox_before;
        WallTime reports_before;
    };

    /// Up to `limit` rows. Gives how many; fewer than `limit`: nothing old is left for now.
    [[nodiscard]] Result<std::size_t> remove(Writer& writer, const Ages& ages, std::size_t limit);

private:
    std::size_t remove_messages(Writer& writer, WallTime before, std::size_t limit);

    MessageId looked_at_ = {};  // messages up to here stay, since they are not at their end; from 0
                                // again after the last
};

}  // namespace smsrack::db
