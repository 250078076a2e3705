#include "db/upkeep/webhook_losses.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace smsrack::db {

WebhookLosses::WebhookLosses(Connection& db)
    : db_(db), passed_by_all_(std::numeric_limits<std::int64_t>::max()) {
    for (const auto& [id, cursor, name, client, events] :
         db.tuples<ports::WebhookId, EventSeq, std::string, std::string, std::string>(
             "SELECT id, cursor, name, client, events FROM webhooks")) {
        webhooks_.push_back({.id = id, .cursor = cursor, .filter = {db, name, client, events}});
        passed_by_all_ = std::min(passed_by_all_, cursor);
    }
}

void WebhookLosses::removed(const Event& event) {
    for (Webhook& one : webhooks_) {
        if (event.seq > one.cursor && one.filter.wants(event)) {
            ++one.lost;
        }
    }
}

void WebhookLosses::write(WallTime now) {
    for (Webhook& one : webhooks_) {
        if (one.lost > 0) {
            db_.run(
                "UPDATE webhooks SET lost = lost + ?, lost_at = coalesce(lost_at, ?) WHERE id = ?",
                one.lost, now, one.id);
            one.lost = 0;
        }
    }
}

}  // namespace smsrack::db
