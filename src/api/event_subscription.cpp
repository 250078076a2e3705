#include "src/api/event_subscription.hpp"

#include "src/api/message_json.hpp"
#include "src/wire/sse.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <fmt/format.h>
#include <utility>

namespace smsrack::api {
namespace {

// Proxies and clients give up on a stream that is silent for longer.
constexpr std::chrono::seconds heartbeat{15};

constexpr std::string_view mark_begin = "events ";
constexpr std::string_view client_mark_begin = "client ";

/// The first word of `text`, which is taken off with the blank behind it.
std::string_view word_of(std::string_view& text) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return word;
}

std::optional<std::int64_t> number_of(std::string_view word) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    const bool whole = error == std::errc() && end == word.data() + word.size();
    return whole ? std::optional(number) : std::nullopt;
}

bool is_received(const Event& event) {
    return event.type == EventType::message_received;
}

/// Where a listener resumes that has seen `seen`, in a database whose newest event is `newest`. An id above that one is of
/// another database: this one was restored, or begun after a damaged one was set aside. All that it says is new then.
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
                           client_.all ? "all" : "own");
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
        client.id = ClientId{number_of(word_of(mark)).value_or(0)};
        client.all = word_of(mark) == "all";
        if (client.id == ClientId{} || !caller.may_use(client.name) ||
            (client.all && !caller.may(Role::read))) {
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
    const auto seen = number_of(word_of(mark));
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

void EventSubscription::begin_answer() {
    responder_->begin({.content_type = "text/event-stream",
                       .headers = {{"Cache-Control", "no-store"}},
                       .body = std::string(wire::sse_comment)},
                      heartbeat, std::string(wire::sse_comment));
}

void EventSubscription::start(std::optional<EventSeq> after) {
    listen();
    // The place comes before the head of the answer: a client that sees the head misses no event
    // after it.
    const EventSeq newest = subscribe();
    seen_ = place_behind(after.value_or(newest), newest);
    begin_answer();
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
    begin_answer();
    pump();
}

/// No id: a client that reconnects with its last id resumes from there.
void EventSubscription::end_with(std::string_view word) {
    if (std::exchange(stopped_, true)) {
        return;
    }
    parts_.events.unsubscribe(*this);
    std::string data;
    wire::JsonWriter json(data);
    json.begin_object();
    json.member("type", "client.ended");
    json.member("client", client_.name);
    json.member("why", word);
    json.end_object();
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
    const bool rows = scope().is_all() && (types_.empty() || types_.contains("message.received"));
    auto tail = from_tail();
    if (!tail) {
        ask_store([seen = seen_, scope = scope(), rows](ports::StoreReader& reader) {
            return read_on(reader, seen, scope, rows);
        });
        return false;
    }
    if (tail->events.empty()) {
        seen_ = std::max(seen_, tail->place);
        return false;
    }
    Batch batch = std::move(*tail);
    if (rows && !add_told_rows(batch)) {
        ask_store([batch = std::move(batch)](ports::StoreReader& reader) {
            return with_rows(reader, batch);
        });
        return false;
    }
    take(batch);
    return true;
}

/// Nullopt if it does not reach back that far.
std::optional<EventSubscription::Batch> EventSubscription::from_tail() const {
    if (!scope().is_all()) {
        auto part = parts_.events.after_of(scope(), seen_, batch_max);
        return part ? std::optional(Batch{.events = std::move(part->events), .place = part->place})
                    : std::nullopt;
    }
    auto events = parts_.events.after(seen_, batch_max);
    if (!events) {
        return std::nullopt;
    }
    const EventSeq place = events->empty() ? seen_ : events->back().seq;
    return Batch{.events = std::move(*events), .place = place};
}

void EventSubscription::ask_store(Question question) {
    asking_ = true;
    responder_->holds(batch_bytes);
    parts_.store.ask(std::move(question), [self = shared_from_this()](Result<Batch> batch) mutable {
        Executor& loop = self->parts_.loop;
        loop.post([self = std::move(self), batch = std::move(batch)] {
            self->asking_ = false;
            self->take(batch);
            self->responder_->holds(0);
            self->pump();
        });
    });
}

Result<EventSubscription::Batch> EventSubscription::read_on(ports::StoreReader& reader,
                                                            EventSeq seen, EventScope scope,
                                                            bool rows) {
    const auto last = reader.last_event();  // first, so that what follows reaches at least so far
    if (!last) {
        return std::unexpected(last.error());
    }
    auto events =
        scope.is_all() ? reader.events(seen, batch_max) : reader.events_of(scope, seen, batch_max);
    if (!events) {
        return std::unexpected(events.error());
    }
    Batch batch{.events = std::move(*events)};
    const EventSeq read_to = batch.events.empty() ? seen : batch.events.back().seq;
    batch.place = batch.events.size() < batch_max ? std::max(read_to, *last) : read_to;
    if (rows) {
        return with_rows(reader, std::move(batch));
    }
    return batch;
}

Result<EventSubscription::Batch> EventSubscription::with_rows(ports::StoreReader& reader,
                                                              Batch batch) {
    std::size_t texts = 0;
    for (std::size_t i = 0; i < batch.events.size(); ++i) {
        const Event& event = batch.events[i];
        if (!is_received(event)) {
            continue;
        }
        auto row = reader.inbox_row(event.inbox);
        if (row) {
            texts += row->content.text.size() + row->content.data.size();
            batch.received.push_back(std::move(*row));
            if (texts >= texts_bytes_max && i + 1 < batch.events.size()) {
                batch.place = event.seq;
                batch.events.resize(i + 1);
            }
        } else if (row.error().code != Errc::not_found) {
            // Removed by now: the event has its id alone.
            return std::unexpected(std::move(row.error()));
        }
    }
    return batch;
}

bool EventSubscription::add_told_rows(Batch& batch) const {
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

void EventSubscription::take(const Result<Batch>& batch) {
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

bool EventSubscription::wanted(const Event& event) const {
    return types_.empty() || types_.contains(event_name(event));
}

void EventSubscription::write(const Batch& batch) {
    std::string out;
    std::string data;
    for (const Event& event : batch.events) {
        if (!wanted(event)) {
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
