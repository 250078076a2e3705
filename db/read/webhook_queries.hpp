/// Questions about what webhooks were sent, on one read connection.
///
/// Threads: one thread at a time.
/// Errors:  storage.
#pragma once

#include "db/engine/connection.hpp"
#include "src/ports/webhook_store.hpp"

#include <cstddef>
#include <vector>

namespace smsrack::db {

class WebhookQueries final : public ports::WebhookReader {
public:
    /// `connection` outlives it.
    explicit WebhookQueries(Connection& connection) : db_(connection) {}

    [[nodiscard]] Result<std::vector<ports::DeliveryRow>> deliveries(
        const ports::DeliveryFilter& filter) override;
    [[nodiscard]] Result<ports::DeliveryCounts> counts(ports::WebhookId webhook,
                                                       std::size_t most) override;

private:
    Connection& db_;
};

}  // namespace smsrack::db
