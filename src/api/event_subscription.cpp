#include "src/api/event_subscription.hpp"

#include "src/api/message_json.hpp"
#include "src/wire/sse.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <utility>

namespace smsrack::api {
namespace {

constexpr std::chrono::seconds heartbeat{
    15};  // contract: proxies and clients give up on a silent stream

constexpr std::string_view mark_begin = "events ";

bool is_received(const Event& event) {
    return event.type == EventType::message_received;
}

}  // namespace

EventSubscription::EventSubscription(const ApiParts& parts, wire::ResponderPtr responder,
                                     std::set<std::string> types)
    : parts_(parts), responder_(std::move(responder)), types_(std::move(types)) {}

std::string EventSubscription::mark() const {
    std::string text = std::string(mark_begin) + std::to_string(seen_.value) + " ";
    for (const std::string& type : types_) {
        text += type + ",";
    }
    return text;
}

bool EventSubscription::resume(const ApiParts& parts, std::string_view mark,
                               wire::ResponderPtr responder) {
    if (!mark.starts_with(mark_begin)) {
        return false;
    }
    mark.remove_prefix(mark_begin.size());
    EventSeq seen;
    const auto [end, error] = std::from_chars(mark.data(), mark.data() + mark.size(), seen.value);
    if (error != std::errc() || end == mark.data() + mark.size() || *end != ' ') {
        return false;
    }
    mark.remove_prefix(static_cast<std::size_t>(end - mark.data()) + 1);
    std::set<std::string> types;
    while (!mark.empty()) {
        const std::size_t comma = std::min(mark.find(','), mark.size());
        types.emplace(mark.substr(0, comma));
        mark.remove_prefix(std::min(comma + 1, mark.size()));
    }
    const auto self =
        std::make_shared<EventSubscription>(parts, std::move(responder), std::move(types));
    self->listen();
    (void)parts.events.subscribe(*self);
    self->seen_ = seen;
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

void EventSubscription::start(std::optional<EventSeq> after) {
    listen();
    // The place comes before the head of the answer: whoever sees that misses nothing from then on.
    const EventSeq last = parts_.events.subscribe(*this);
    seen_ = std::min(after.value_or(last), last);
    responder_->begin({.content_type = "text/event-stream",
                       .headers = {{"Cache-Control", "no-store"}},
                       .body = std::string(wire::sse_comment)},
                      heartbeat, std::string(wire::sse_comment));
    pump();
}

void EventSubscription::stop() {
    if (std::exchange(stopped_, true)) {
        return;
    }
    parts_.events.unsubscribe(*this);
    if (waiting_) {
        parts_.stats.add(stats::Counter::subscribers_dropped);
    }
}

void EventSubscription::pump() {
    while (!stopped_ && !asking_ && !waiting_ && pump_one()) {
    }
}

bool EventSubscription::pump_one() {
    if (responder_->backlog() > backlog_max) {
        waiting_ = true;
        responder_->on_drained([weak = weak_from_this()] {
            if (const auto self = weak.lock()) {
                self->waiting_ = false;
                self->pump();
            }
        });
        return false;
    }
    const bool rows = types_.empty() || types_.contains("message.received");
    auto tail = parts_.events.after(seen_, batch_max);
    if (!tail) {
        ask_store([seen = seen_, rows](ports::StoreReader& reader) {
            return read_on(reader, seen, rows);
        });
        return false;
    }
    if (tail->empty()) {
        return false;
    }
    Batch batch{.place = tail->back().seq};
    batch.events = std::move(*tail);
    if (rows && std::ranges::any_of(batch.events, is_received)) {
        ask_store([batch = std::move(batch)](ports::StoreReader& reader) {
            return with_rows(reader, batch);
        });
        return false;
    }
    take(batch);
    return true;
}

void EventSubscription::ask_store(Question question) {
    asking_ = true;
    parts_.store.read([self = shared_from_this(),
                       question = std::move(question)](ports::StoreReader& reader) mutable {
        Result<Batch> batch = question(reader);
        Executor& loop = self->parts_.loop;
        loop.post([self = std::move(self), batch = std::move(batch)] {
            self->asking_ = false;
            self->take(batch);
            self->pump();
        });
    });
}

Result<EventSubscription::Batch> EventSubscription::read_on(ports::StoreReader& reader,
                                                            EventSeq seen, bool rows) {
    const auto last = reader.last_event();  // first, so that what follows reaches at least so far
    if (!last) {
        return std::unexpected(last.error());
    }
    auto events = reader.events(seen, batch_max);
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
    for (const Event& event : batch.events) {
        if (!is_received(event)) {
            continue;
        }
        auto row = reader.inbox_row(event.inbox);
        if (row) {
            batch.received.push_back(std::move(*row));
        } else if (row.error().code !=
                   Errc::not_found) {  // removed by now: the event has its id alone
            return std::unexpected(std::move(row.error()));
        }
    }
    return batch;
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
