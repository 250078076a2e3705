/// Committed events for current subscribers: a bounded tail in memory in front of the store.
///
/// A subscriber that asks for more than the tail holds reads the store: it misses no event, and a slow one costs no memory. The row of
/// a received message is kept until the wake-up for it ends, so no row outlives its removal from the store.
///
/// Bound:   tail_max events and rows_bytes_max of rows; none while there is no subscriber.
/// Threads: committed() on the store's writing thread, wake-ups and everything else on the loop thread.
#pragma once

#include "src/base/executor.hpp"
#include "src/base/interface.hpp"
#include "src/ports/store_reader.hpp"
#include "src/sms/event.hpp"

#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace smsrack::notify {

/// Called, on the loop thread, when there are events after those it has seen.
class EventSubscriber : public Interface {
public:
    virtual void events_wait() = 0;
};

class EventStream {
public:
    /// Half a second of the busiest rack, about 1 MiB; 4 MiB more if each message has the longest
    /// note.
    static constexpr std::size_t tail_max = 8192;
    /// Of rows and their texts; further rows are read from the store.
    static constexpr std::size_t rows_bytes_max = 64UL * 1024;

    /// `loop` outlives the object.
    explicit EventStream(Executor& loop) : loop_(loop) {}

    /// What the store already has when this process begins; before anybody subscribes.
    void starts_after(EventSeq last);

    /// What StoreListener::committed() is given, in order of seq.
    void committed(std::span<const Event> events, std::span<const ports::InboxRow> received = {});

    /// Gives the newest event so far: all that follow it, and no other, wake the subscriber; with a client in `of` only those
    /// of its messages. They are woken in no particular order; one may unsubscribe in its wake-up.
    EventSeq subscribe(EventSubscriber& subscriber, EventScope of = {});
    void unsubscribe(EventSubscriber& subscriber);

    struct Part {
        std::vector<Event> events = {};
        /// All up to here are in it, or were before, or are not within the scope.
        EventSeq place = {};
    };
    /// Up to `limit` events within `of` after `after`, oldest first; nullopt where the tail does not
    /// reach back so far: ask the store.
    [[nodiscard]] std::optional<Part> after(EventSeq after, std::size_t limit,
                                            EventScope of = {}) const;

    /// In a wake-up: the row of a message that it is for; nullptr: ask the store.
    [[nodiscard]] const ports::InboxRow* received(InboxId id) const;

    [[nodiscard]] std::size_t subscribers() const { return subscribers_.size(); }

private:
    void wake_all();

    Executor& loop_;
    struct Subscription {
        EventSubscriber* subscriber;
        EventScope of;
    };
    std::vector<Subscription> subscribers_;  // loop thread
    std::vector<ports::InboxRow> rows_;      // loop thread; of the wake-up that continues
    mutable std::mutex mutex_;               // guards the rest
    std::deque<Event> tail_;    // rising seq, all that were committed after tail_after_
    EventSeq tail_after_ = {};  // the newest one that is not in the tail
    bool listening_ = false;
    bool wake_posted_ = false;
    std::vector<ports::InboxRow> rows_waiting_;  // for the next wake-up
    std::size_t rows_bytes_ = 0;                 // of them
    std::set<ClientId> news_;  // clients that have some since the last wake-up; bound: the clients
};

}  // namespace smsrack::notify
