/// A store with the rows of webhooks, to which a test says what happens.
#pragma once

#include "src/ports/webhook_store.hpp"
#include "tests/db/store_fixture.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::test {

class WebhookRowsFixture : public StoreFixture {
public:
    using StoreFixture::keep;
    ports::WebhookRow keep(std::optional<WallTime> since = {}, const std::string& name = "crm") {
        return keep({.name = name, .since = since});
    }
    ports::WebhookRow keep(ports::KeepWebhooks::Wish wish) {
        auto rows = ask(ports::KeepWebhooks{.wishes = {std::move(wish)}, .at = clock.wall()});
        REQUIRE(rows);
        REQUIRE(rows->size() == 1);
        return rows->front();
    }
    ports::NewDelivery event(std::int64_t seq, std::int64_t thing, std::string body = "{}") {
        return {.event = EventSeq{seq},
                .thing = ports::ThingId{thing},
                .type = "message.sent",
                .at = clock.wall(),
                .body = std::move(body)};
    }
    void stage(ports::WebhookId id, std::vector<ports::NewDelivery> rows, std::int64_t cursor) {
        REQUIRE(ask(ports::StageDeliveries{id, std::move(rows), EventSeq{cursor}, clock.wall()}));
    }
    ports::DueDeliveries due(ports::WebhookId id, std::size_t limit = 100) {
        auto found = ask(ports::ReadDueDeliveries{
            .webhook = id, .at = clock.wall(), .limit = limit, .bytes_max = 1'000'000});
        REQUIRE(found);
        return *std::move(found);
    }
    std::vector<std::int64_t> due_events(ports::WebhookId id) {
        std::vector<std::int64_t> events;
        const auto found = due(id);
        for (const ports::Delivery& one : found.due) {
            events.push_back(one.what.event.value);
        }
        return events;
    }
    std::vector<EventSeq> end(ports::WebhookId id, std::int64_t event, std::uint32_t attempt,
                              ports::DeliveryState state, std::chrono::milliseconds pause = {}) {
        auto expected = ask(ports::EndAttempts{
            .webhook = id,
            .name = "crm",
            .ends = {{.event = EventSeq{event},
                      .attempt = {.attempt = attempt,
                                  .at = clock.wall(),
                                  .took = std::chrono::milliseconds(12),
                                  .status = state == ports::DeliveryState::delivered ? 204 : 500},
                      .state = state,
                      .next_at = clock.wall() + pause}},
            .life = {.failures = attempt},
            .at = clock.wall()});
        REQUIRE(expected);
        return *expected;
    }
    std::vector<ports::DeliveryRow> rows(ports::DeliveryFilter filter) {
        return look<ports::WebhookReader>(
                   [&](ports::WebhookReader& r) { return r.deliveries(filter); })
            .value();
    }
    /// Until nothing from before now is left.
    void remove_old() {
        for (std::size_t removed = 1; removed > 0;) {
            const auto step = ask(ports::RemoveOld{clock.wall(), clock.wall(), 3});
            REQUIRE(step);
            removed = *step;
        }
    }
    std::int64_t lost(ports::WebhookId id) {
        const auto counts =
            look<ports::WebhookReader>([&](ports::WebhookReader& r) { return r.counts(id, 100); });
        REQUIRE(counts);
        CHECK(counts->loss.since.has_value() == (counts->loss.events > 0));
        return counts->loss.events;
    }
};

}  // namespace smsrack::test
