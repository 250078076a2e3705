/// Which events a webhook wanted when it was named last, as its row has it.
///
/// Threads: those of the connection.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/connection.hpp"
#include "src/sms/event.hpp"
#include "src/sms/event_filter.hpp"

#include <string>
#include <string_view>

namespace smsrack::db {

class WebhookFilter {
public:
    /// `events`: patterns, separated by spaces.
    WebhookFilter(Connection& db, std::string_view webhook, std::string_view client,
                  std::string_view events);

    /// Its type, state, client and detail count.
    [[nodiscard]] bool wants(const Event& event) const;

private:
    EventFilter filter_;
    ClientId client_;  // 0: there is none of this name, or events of all are wanted
};

}  // namespace smsrack::db
