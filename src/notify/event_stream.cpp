#include "src/notify/event_stream.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::notify {
namespace {

/// What answers no client is news of client 0.
bool concerns(const std::set<ClientId>& news, const EventScope& of) {
    return of.client == ClientId{} || news.contains(of.client) ||
           (of.inbox == InboxShare::all && news.contains(ClientId{}));
}

}  // namespace

void EventStream::starts_after(EventSeq last) {
    const std::lock_guard lock(mutex_);
    tail_after_ = std::max(tail_after_, last);
}

void EventStream::committed(std::span<const Event> events,
                            std::span<const ports::InboxRow> received) {
    if (events.empty()) {
        return;
    }
    bool post = false;
    {
        const std::lock_guard lock(mutex_);
        if (!listening_) {
            tail_after_ = events.back().seq;
            return;
        }
        tail_.insert(tail_.end(), events.begin(), events.end());
        for (const Event& event : events) {
            news_.insert(event.client);
            news_.insert(event.answers);
        }
        for (const ports::InboxRow& row : received) {
            rows_bytes_ += sizeof(row) + row.content.text.size() + row.content.data.size();
            if (rows_bytes_ > rows_bytes_max) {
                break;
            }
            rows_waiting_.push_back(row);
        }
        while (tail_.size() > tail_max) {
            tail_after_ = tail_.front().seq;
            tail_.pop_front();
        }
        post = !wake_posted_;
        wake_posted_ = true;
    }
    if (post) {
        loop_.post([this] { wake_all(); });
    }
}

EventSeq EventStream::subscribe(EventSubscriber& subscriber, EventScope of) {
    subscribers_.push_back({&subscriber, of});
    const std::lock_guard lock(mutex_);
    listening_ = true;
    return tail_.empty() ? tail_after_ : tail_.back().seq;
}

void EventStream::unsubscribe(EventSubscriber& subscriber) {
    std::erase_if(subscribers_, [&](const auto& it) { return it.subscriber == &subscriber; });
    if (!subscribers_.empty()) {
        return;
    }
    const std::lock_guard lock(mutex_);
    listening_ = false;
    if (!tail_.empty()) {
        tail_after_ = tail_.back().seq;
        tail_.clear();
    }
}

std::optional<EventStream::Part> EventStream::after(EventSeq after, std::size_t limit,
                                                    EventScope of) const {
    const std::lock_guard lock(mutex_);
    if (!listening_ || after < tail_after_) {
        return std::nullopt;
    }
    Part part{.place = std::max(after, tail_.empty() ? tail_after_ : tail_.back().seq)};
    for (auto it = std::ranges::upper_bound(tail_, after, {}, &Event::seq); it != tail_.end();
         ++it) {
        if (of.has(*it)) {
            part.events.push_back(*it);
            if (part.events.size() == limit) {
                part.place = it->seq;
                break;
            }
        }
    }
    return part;
}

/// Those whom it concerns.
void EventStream::wake_all() {
    std::set<ClientId> news;
    {
        const std::lock_guard lock(mutex_);
        wake_posted_ = false;
        news = std::exchange(news_, {});
        rows_ = std::exchange(rows_waiting_, {});
        rows_bytes_ = 0;
    }
    const std::vector<Subscription> woken = subscribers_;
    for (const Subscription& it : woken) {
        if (!concerns(news, it.of)) {
            continue;
        }
        if (std::ranges::find(subscribers_, it.subscriber, &Subscription::subscriber) !=
            subscribers_.end()) {
            it.subscriber->events_wait();
        }
    }
    rows_.clear();
}

const ports::InboxRow* EventStream::received(InboxId id) const {
    const auto row = std::ranges::find(rows_, id, &ports::InboxRow::id);
    return row == rows_.end() ? nullptr : &*row;
}

}  // namespace smsrack::notify
