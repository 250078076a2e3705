/// Removes what is old, in small steps. Its numbers are not used again.
///
/// Threads: the writing thread.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/writer.hpp"
#include "db/upkeep/missing_reports.hpp"
#include "db/write/conversations.hpp"
#include "src/ports/upkeep_commands.hpp"
#include "src/ports/webhook_store.hpp"

#include <cstddef>
#include <set>
#include <utility>

namespace smsrack::db {

class WebhookLosses;

class Retention {
public:
    [[nodiscard]] std::size_t remove(Writer& writer, const ports::RemoveOld& command);

    /// The configuration has these: they stay, whatever the clock says.
    void keep_webhooks(std::set<ports::WebhookId> named) { webhooks_ = std::move(named); }

private:
    std::size_t remove_messages(Writer& writer, WallTime before, std::size_t limit,
                                WebhookLosses& losses);

    MessageId looked_at_ = {};  // messages up to here stay, since they are not at their end; from 0
                                // again after the last
    MissingReports missing_reports_;
    ConversationSweep conversations_;
    std::set<ports::WebhookId> webhooks_;
};

[[nodiscard]] std::size_t apply(Writer& writer, const ports::RemoveOld& command);

}  // namespace smsrack::db
