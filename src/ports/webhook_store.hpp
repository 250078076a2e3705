/// What webhooks must be sent, durably: how far each is in the event log, and a row for each event
/// that is sent, was sent, or is dead.
///
/// A row is written before its event is sent for the first time, in the transaction that moves the
/// cursor past it: so no event is lost, whatever is killed, and each attempt has the same octets.
/// Of the waiting events of one message only the first may be sent; the store keeps that order.
/// db/sqlite_store implements it, next to ports::Store.
/// Bound:   rows that ended go after the webhook's keep_days, and so do all rows of a webhook that no
///          configuration has named for that long (RemoveOld).
/// Threads, Errors: as CommandPort and QuestionPort.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/ids.hpp"
#include "src/base/interface.hpp"
#include "src/base/result.hpp"
#include "src/ports/command.hpp"
#include "src/ports/question.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::ports {

using WebhookId = Id<struct WebhookTag, std::int64_t>;
/// Message or received message, whose events are sent in order; 0: none.
using ThingId = Id<struct ThingTag, std::int64_t>;

/// The numbers are stored: never change one.
enum class WebhookState : std::uint8_t {
    open = 0,
    failing = 1,  ///< several attempts in a row failed: one probe at a time
    off = 2,      ///< nothing is sent: the receiver answered 410, or an operator switched it off
};
inline constexpr std::array<std::string_view, 3> webhook_state_names{"open", "failing", "off"};

struct WebhookLife {
    WebhookState state = WebhookState::open;
    std::uint32_t failures = 0;  ///< in a row
    WallTime changed_at = {};    ///< of the state
    std::string reason = {};     ///< why it is failing or off, in words

    friend bool operator==(const WebhookLife&, const WebhookLife&) = default;
};

/// Wanted events that were removed for their age before they were sent, since an operator switched
/// the webhook on last.
struct WebhookLoss {
    std::int64_t events = 0;
    std::optional<WallTime> since = {};  ///< when the first of them was removed

    bool operator==(const WebhookLoss&) const = default;
};

struct WebhookRow {
    WebhookId id = {};
    std::string name = {};
    EventSeq cursor = {};
    WebhookLife life = {};
    std::optional<WallTime> paused_until = {};  ///< as the receiver asked
    WebhookLoss loss = {};
};

/// The numbers are stored: never change one.
enum class DeliveryState : std::uint8_t { waiting = 0, delivered = 1, dead = 2 };
inline constexpr std::array<std::string_view, 3> delivery_state_names{"waiting", "delivered",
                                                                      "dead"};

struct NewDelivery {
    EventSeq event = {};
    ThingId thing = {};
    std::string type = {};  ///< name of the event
    WallTime at = {};       ///< of the event
    std::string body = {};
};

/// One that waits.
struct Delivery {
    NewDelivery what = {};
    std::uint32_t attempts = 0;  ///< made so far
    std::uint32_t tries = 0;     ///< those since it was written or replayed
    std::optional<WallTime> first_at = {};
};

struct DeliveryAttempt {
    std::uint32_t attempt = 0;  ///< from 1
    WallTime at = {};           ///< when it began, by the gate's clock
    std::chrono::milliseconds took{0};
    int status = 0;           ///< of HTTP; 0: there was no answer
    std::string error = {};   ///< in words; empty: there was an answer
    std::string answer = {};  ///< its first printable characters
};

/// The webhooks of the configuration; to be posted again once a day. One that is new starts behind
/// the newest event, or where `since` says. One that comes back resumes where it was; what it has
/// skipped it does not get, also if it wants more than before.
struct KeepWebhooks {
    struct Wish {
        std::string name = {};
        std::chrono::days keep{30};
        std::optional<WallTime> since = {};
        std::vector<std::string> events = {};  ///< "message.sent" or "message.*"
        std::string client = {};               ///< only this client's events; empty: everyone's
    };
    using Answer = std::vector<WebhookRow>;  ///< in the order of `wishes`
    std::vector<Wish> wishes = {};
    WallTime at = {};
};

/// Events that the webhook wants, up to `cursor`.
struct StageDeliveries {
    using Answer = void;
    WebhookId webhook = {};
    std::vector<NewDelivery> deliveries = {};  ///< in order of event
    EventSeq cursor = {};
    WallTime at = {};
};

/// Those that may be sent at `at`, the longest waiting first.
struct DueDeliveries {
    std::vector<Delivery> due = {};
    std::optional<WallTime> next = {};  ///< when the first of the others falls due
};
struct ReadDueDeliveries {
    using Answer = DueDeliveries;
    WebhookId webhook = {};
    WallTime at = {};
    bool retries_first = false;  ///< those that were tried before come before all others
    std::size_t limit = 0;
    std::size_t bytes_max = 0;  ///< of bodies; one more than reaches this is the last
};

/// These that wait, whether they may be sent now or not.
struct ReadDeliveries {
    using Answer = std::vector<Delivery>;
    WebhookId webhook = {};
    std::vector<EventSeq> events = {};
};

/// What became of attempts. One that the store does not expect (it has ended, or this attempt is
/// kept already) changes nothing.
struct EndAttempts {
    struct End {
        EventSeq event = {};
        DeliveryAttempt attempt = {};
        DeliveryState state = DeliveryState::waiting;
        WallTime next_at = {};  ///< while waiting
    };
    using Answer = std::vector<EventSeq>;  ///< those that were expected
    WebhookId webhook = {};
    std::string name = {};  ///< of the webhook, for the event webhook.dead
    std::vector<End> ends = {};
    WebhookLife life = {};  ///< after them
    std::optional<WallTime> paused_until = {};
    WallTime at = {};
};

struct KeepWebhookLife {
    using Answer = void;
    WebhookId webhook = {};
    WebhookLife life = {};
    std::optional<WallTime> paused_until = {};
    /// What waits for a later time may be sent at this one, and its pauses and its time to live begin
    /// again; what was lost before counts no more.
    std::optional<WallTime> hurry = {};
};

/// Events up to the cursor that are sent again, or for the first time; those that wait already
/// stay as they are. Later ones are left out: they come by themselves.
struct ReplayDeliveries {
    using Answer = std::size_t;  ///< how many wait now that did not before
    WebhookId webhook = {};
    std::vector<NewDelivery> deliveries = {};  ///< in order of event
    WallTime at = {};
};

/// Up to `limit` dead ones wait again, the oldest first; not those that were made anonymous.
struct ReviveDeliveries {
    using Answer = std::size_t;  ///< fewer than `limit`: none is dead any more
    WebhookId webhook = {};
    std::size_t limit = 0;
    WallTime at = {};
};

struct DeliveryFilter {
    WebhookId webhook = {};
    std::optional<DeliveryState> state = {};
    EventSeq event = {};                 ///< 0: any
    ThingId thing = {};                  ///< 0: any
    std::optional<WallTime> since = {};  ///< of the event
    EventSeq before = {};                ///< only older ones (cursor); 0: from the newest
    std::size_t limit = 100;
};

struct DeliveryRow {
    EventSeq event = {};
    ThingId thing = {};
    DeliveryState state = DeliveryState::waiting;
    std::string type = {};
    WallTime at = {};
    std::uint32_t attempts = 0;
    std::optional<WallTime> next_at = {};  ///< nullopt: it has ended, or waits for an earlier one
    WallTime changed_at = {};
    std::vector<DeliveryAttempt> made = {};  ///< the newest, oldest first; at most attempts_shown
};
inline constexpr std::size_t attempts_shown = 50;

struct DeliveryCounts {
    std::size_t waiting = 0;  ///< counted up to the `most` of the question
    std::size_t dead = 0;
    std::optional<WallTime> oldest = {};  ///< event that waits, of those that were counted
    WebhookLoss loss = {};
};

class WebhookReader : public Interface {
public:
    /// Newest first.
    [[nodiscard]] virtual Result<std::vector<DeliveryRow>> deliveries(
        const DeliveryFilter& filter) = 0;
    [[nodiscard]] virtual Result<DeliveryCounts> counts(WebhookId webhook, std::size_t most) = 0;
};

class WebhookStore
    : public CommandPort<KeepWebhooks, StageDeliveries, ReadDueDeliveries, ReadDeliveries,
                         EndAttempts, KeepWebhookLife, ReplayDeliveries, ReviveDeliveries>,
      public QuestionPort<WebhookReader> {};

}  // namespace smsrack::ports
