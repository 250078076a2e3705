/// Removes what is old, in small steps. Its numbers are not used again.
///
/// Threads: the writing thread.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/writer.hpp"
#include "db/write/conversations.hpp"
#include "src/ports/upkeep_commands.hpp"

#include <cstddef>

namespace smsrack::db {

class Retention {
public:
    [[nodiscard]] std::size_t remove(Writer& writer, const ports::RemoveOld& command);

private:
    std::size_t remove_messages(Writer& writer, WallTime before, std::size_t limit);

    MessageId looked_at_ = {};  // messages up to here stay, since they are not at their end; from 0
                                // again after the last
    ConversationSweep conversations_;
};

[[nodiscard]] std::size_t apply(Writer& writer, const ports::RemoveOld& command);

}  // namespace smsrack::db
