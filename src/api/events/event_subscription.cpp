#include "src/api/events/event_subscription.hpp"

#include "src/api/message_json.hpp"
#include "src/api/query.hpp"
#include "src/wire/sse.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>
#include <utility>

namespace smsrack::api {
namespace {

// Proxies and clients give up on a stream that is silent for longer.
constexpr std::chrono::seconds heartbeat{15};

// An older event is read from the store, which may have taken the number out of it since. Far below
// the shortest `anonymise_days`.
constexpr std::chrono::hours tail_age_max{1};

constexpr std::string_view mark_begin = "events ";
constexpr std::string_view client_mark_begin = "client ";

/// The first word of `text`, which is taken off with the blank behind it.
std::string_view word_of(std::string_view& text) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return word;
}

/// Of a mark, by the number of InboxShare.
constexpr std::array<std::string_view, 3> own_words{"own", "own+replies", "own+all"};

std::size_t number_of(InboxShare share) {
    return static_cast<std::size_t>(share);
}

InboxShare share_of(std::string_view word) {
    const auto* const found = std::ranges::find(own_words, word);
    return found == own_words.end() ? InboxShare::none
                                    : static_cast<InboxShare>(found - own_words.begin());
}

/// Where a listener resumes that has seen `seen`, in a database whose newest event is `newest`. An
/// id above that one is of another database: this one was restored, or begun after a damaged one
/// was set aside. All that it says is new then.
EventSeq place_behind(EventSeq seen, EventSeq newest) {
    return seen <= newest ? seen : EventSeq{};
}

/// It has acknowledged nothing since its row was made: a cursor begins at the row's own number.
bool is_untouched(const ports::ClientRow& row) {
    return row.cursor.value == row.id.value;
}

}  // namespace

EventSubscription::EventSubscription(const ApiParts& parts, wire::ResponderPtr responder,
                                     std::set<std::string> types, Listener listener)
    : parts_(parts),
      responder_(std::move(responder)),
      types_(std::move(types)),
      client_(std::move(listener)) {}

std::string EventSubscription::mark() const {
    std::string text;
    if (!client_.name.empty()) {
        text = fmt::format("{}{} {} {} ", client_mark_begin, client_.name, client_.id.value,
                           client_.all ? "all" : own_words.at(number_of(client_.inbox)));
    } else {
        text = mark_begin;
    }
    text += std::to_string(seen_.value) + " ";
    for (const std::string& type : types_) {
        text += type + ",";
    }
    return text;
}

bool EventSubscription::resume(const ApiParts& parts, const Caller& caller, std::string_view mark,
                               wire::ResponderPtr responder) {
    Listener client;
    if (mark.starts_with(client_mark_begin)) {
        mark.remove_prefix(client_mark_begin.size());
        client.name = word_of(mark);
        client.id = ClientId{whole_number(word_of(mark)).value_or(0)};
        const std::string_view share = word_of(mark);
        client.all = share == "all";
        client.inbox = share_of(share);
        const bool needs_read =
            client.all || (client.inbox == InboxShare::all && !caller.hears_all);
        if (client.id == ClientId{} || !caller.may_use(client.name) ||
            (needs_read && !caller.may(Role::read))) {
            return false;
        }
    } else if (mark.starts_with(mark_begin)) {
        mark.remove_prefix(mark_begin.size());
        if (!caller.may(Role::read)) {
            client.account = caller.account();
        }
    } else {
        return false;
    }
    const auto seen = whole_number(word_of(mark));
    if (!seen) {
        return false;
    }
    std::set<std::string> types;
    while (!mark.empty()) {
        const std::size_t comma = std::min(mark.find(','), mark.size());
        types.emplace(mark.substr(0, comma));
        mark.remove_prefix(std::min(comma + 1, mark.size()));
    }
    const auto self = std::make_shared<EventSubscription>(parts, std::move(responder),
                                                          std::move(types), std::move(client));
    const EventSeq newest = self->subscribe();
    self->seen_ = place_behind(EventSeq{*seen}, newest);
    if (!self->client_.name.empty() && EventSeq{*seen} > newest) {
        parts.events.unsubscribe(*self);
        return false;  // its row is of another database too: it comes again and registers
    }
    self->listen();
    if (!self->client_.name.empty()) {
        parts.front_ends.registered({.id = self->client_.id, .name = self->client_.name}, *self);
    }
    self->pump();
    return true;
}

void EventSubscription::listen() {
    responder_->on_closed([self = shared_from_this()] { self->stop(); });
    responder_->resumable([weak = weak_from_this()] {
        const auto self = weak.lock();
        return self ? self->mark() : std::string();
    });
}

EventSeq EventSubscription::subscribe() {
    return parts_.events.subscribe(*this, scope());
}

void EventSubscription::begin_answer(EventSeq newest) {
    responder_->begin({.content_type = "text/event-stream",
                       .headers = {{"Cache-Control", "no-store"},
                                   {"Smsrack-Place", std::to_string(seen_.value)},
                                   {"Smsrack-Newest", std::to_string(newest.value)}},
                       .body = std::string(wire::sse_comment)},
                      heartbeat, std::string(wire::sse_comment));
}

void EventSubscription::start(std::optional<EventSeq> after) {
    listen();
    // The place comes before the head of the answer: a client that sees the head misses no event
    // after it.
    const EventSeq newest = subscribe();
    seen_ = place_behind(after.value_or(newest), newest);
    begin_answer(newest);
    pump();
}

void EventSubscription::start_named(const ports::ClientRow& row, std::optional<EventSeq> taken) {
    if (responder_->closed()) {
        return;  // while its row was written
    }
    client_.id = row.id;
    listen();
    const EventSeq newest = subscribe();
    seen_ = taken ? std::min(*taken, row.cursor) : row.cursor;
    if (client_.all && taken > std::max(newest, row.cursor) && is_untouched(row)) {
        // Its row is as new as the database; what others brought before is not seen yet.
        seen_ = EventSeq{};
    }
    parts_.front_ends.registered(row, *this);
    begin_answer(newest);
    pump();
}

/// No id: a client that reconnects with its last id resumes from there.
void EventSubscription::end_with(std::string_view word) {
    if (std::exchange(stopped_, true)) {
        return;
    }
    parts_.events.unsubscribe(*this);
    const std::string data = wire::json_object([&](wire::JsonWriter& json) {
        json.member("type", "client.ended");
        json.member("client", client_.name);
        json.member("why", word);
    });
    responder_->write("event: client.ended\ndata: " + data + "\n\n");
    responder_->end();
}

void EventSubscription::stop() {
    if (std::exchange(stopped_, true)) {
        return;
    }
    parts_.events.unsubscribe(*this);
    if (!client_.name.empty()) {
        parts_.front_ends.link_lost(client_.id, *this);
    }
    if (waiting_) {
        parts_.stats.add(stats::Counter::subscribers_dropped);
    }
}

void EventSubscription::pump() {
    while (!stopped_ && !asking_ && !waiting_ && pump_one()) {
    }
}

bool EventSubscription::pump_one() {
    if (responder_->backlog() > 0 || responder_->room() < batch_bytes) {
        waiting_ = true;
        responder_->on_drained([weak = weak_from_this()] {
            if (const auto self = weak.lock()) {
                self->waiting_ = false;
                self->pump();
            }
        });
        return false;
    }
    const bool has_received = scope().is_all() || scope().inbox != InboxShare::none;
    const bool rows = has_received && (types_.empty() || types_.contains("message.received"));
    auto tail = from_tail();
    if (!tail) {
        ask_store([seen = seen_, scope = scope(), rows](ports::StoreReader& reader) {
            return EventBatch::read_on(reader, seen, scope, rows);
        });
        return false;
    }
    if (tail->events.empty()) {
        seen_ = std::max(seen_, tail->place);
        return false;
    }
    if (rows && !add_told_rows(*tail)) {
        ask_store([batch = *std::move(tail)](ports::StoreReader& reader) {
            return EventBatch::with_rows(reader, batch);
        });
        return false;
    }
    take(*std::move(tail));
    return true;
}

/// Nullopt if it does not reach back that far, or what it has is old.
std::optional<EventBatch> EventSubscription::from_tail() const {
    auto part = parts_.events.after(seen_, EventBatch::events_max, scope());
    const bool is_old = part && !part->events.empty() &&
                        part->events.front().at < parts_.clock.wall() - tail_age_max;
    return part && !is_old
               ? std::optional(EventBatch{.events = std::move(part->events), .place = part->place})
               : std::nullopt;
}

void EventSubscription::ask_store(Question question) {
    asking_ = true;
    responder_->holds(batch_bytes);
    parts_.store.ask(std::move(question),
                     [self = shared_from_this()](Result<EventBatch> batch) mutable {
                         Executor& loop = self->parts_.loop;
                         loop.post([self = std::move(self), batch = std::move(batch)] {
                             self->asking_ = false;
                             self->take(batch);
                             self->responder_->holds(0);
                             self->pump();
                         });
                     });
}

bool EventSubscription::add_told_rows(EventBatch& batch) const {
    for (const Event& event : batch.events) {
        if (!is_received(event)) {
            continue;
        }
        const ports::InboxRow* const row = parts_.events.received(event.inbox);
        if (row == nullptr) {
            batch.received.clear();
            return false;
        }
        batch.received.push_back(*row);
    }
    return true;
}

void EventSubscription::take(const Result<EventBatch>& batch) {
    if (stopped_) {
        return;
    }
    if (!batch) {
        stop();
        responder_->cut();  // the client comes again with its Last-Event-ID
        return;
    }
    write(*batch);
    seen_ = std::max(seen_, batch->place);
}

void EventSubscription::write(const EventBatch& batch) {
    std::string out;
    std::string data;
    for (const Event& event : batch.events) {
        if (!types_.empty() && !types_.contains(event_name(event))) {
            continue;
        }
        const auto row = std::ranges::find(batch.received, event.inbox, &ports::InboxRow::id);
        const bool has_row = is_received(event) && row != batch.received.end();
        data.clear();
        wire::JsonWriter json(data);
        append_event(json, event, has_row ? &*row : nullptr, parts_.errors);
        wire::append_sse_event(out, event_name(event), event.seq.value, data);
    }
    responder_->write(out);
}

}  // namespace smsrack::api
