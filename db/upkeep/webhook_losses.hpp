/// Counts the events that are removed for their age before a webhook could send them.
///
/// For one step of the removal: made before it, written after it. Where each webhook has passed all
/// that is removed, it costs one look at the webhooks.
/// Threads: the writing thread.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/connection.hpp"
#include "db/read/webhook_filter.hpp"
#include "src/base/clock.hpp"
#include "src/ports/webhook_store.hpp"
#include "src/sms/event.hpp"

#include <cstdint>
#include <vector>

namespace smsrack::db {

class WebhookLosses {
public:
    explicit WebhookLosses(Connection& db);

    /// A webhook has not passed it.
    [[nodiscard]] bool may_lose(EventSeq event) const { return event > passed_by_all_; }
    /// `event` is removed; its type, state, client and detail count.
    void removed(const Event& event);
    void write(WallTime now);

private:
    struct Webhook {
        ports::WebhookId id = {};
        EventSeq cursor = {};
        WebhookFilter filter;
        std::int64_t lost = 0;
    };
    Connection& db_;
    std::vector<Webhook> webhooks_;
    EventSeq passed_by_all_;
};

}  // namespace smsrack::db
