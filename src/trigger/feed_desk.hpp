/// The events of one trigger that are not decided yet, and what is known of their pairs.
///
/// Events are offered in chunks; a chunk is answered when all its events are decided. Each pair is
/// in flight once; later events of it wait for the same answer, so a pair that comes twice in one
/// feed gets one message. An answer may bring the next chunk before the call here returns.
/// Time:    the injected Clock, wall.
/// Threads: the loop thread.
#pragma once

#include "src/base/clock.hpp"
#include "src/dedup/confirmed_pairs.hpp"
#include "src/dedup/serving_set.hpp"
#include "src/trigger/door.hpp"
#include "src/trigger/feed_tally.hpp"
#include "src/trigger/topic_book.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace smsrack::trigger {

static_assert(ports::topic_ids_end == dedup::topics_max);

[[nodiscard]] inline dedup::PairKey key_of(const ports::Pair& pair) {
    return {.number = static_cast<std::uint64_t>(pair.number),
            .topic = static_cast<std::uint32_t>(pair.topic.value)};
}

/// This pair's message will not be delivered any more, unless an operator forgets the pair.
[[nodiscard]] constexpr bool is_confirmed(ports::PairState state) {
    return state == ports::PairState::sent || state == ports::PairState::doubtful;
}

struct Chunk {
    std::uint64_t id = 0;
    Counts counts = {};
    std::size_t open = 0;  ///< events not decided
    std::optional<Error> failure = {};
    ports::Done<Counts> done = {};
};

/// An event that waits for its verdict.
struct Asker {
    std::uint64_t chunk = 0;
    std::uint64_t line = 0;
    std::size_t tag = 0;  ///< its place in the shares
};

/// An event that says a pair.
struct Candidate {
    TopicBook::Place place = {};
    std::int64_t number = 0;
    const Event* event = nullptr;
    Asker asker = {};
    SteadyTime fresh_until = never;
};

/// A pair that events wait for.
struct Wanted {
    TopicBook::Place place = {};
    std::int64_t number = 0;
    std::vector<std::string> fields = {};
    std::vector<Asker> askers = {};  ///< the first one gets "new"
    SteadyTime fresh_until = never;  ///< of the youngest one
    dedup::Held held = dedup::Held::no;
    WallTime due_at = {};  ///< with the batch; while it is being claimed
    std::uint32_t segments = 0;
};

class FeedDesk {
public:
    /// `clock` outlives the object.
    FeedDesk(TriggerSettings settings, const HashKey& key,
             std::shared_ptr<dedup::ConfirmedPairs> cache, const Clock& clock);
    FeedDesk(const FeedDesk&) = delete;
    FeedDesk& operator=(const FeedDesk&) = delete;
    ~FeedDesk() = default;

    // -- chunks
    /// A new chunk, valid until its answer. It waits for close_one(). Null: chunks_max wait.
    [[nodiscard]] Chunk* open(ports::Done<Counts> done);
    void count(Chunk& chunk, const Asker& asker, Verdict verdict, std::string_view why = {});
    /// Answers the chunk if it waits for nothing more.
    void close_one(std::uint64_t chunk_id);
    /// Called after an answer, if a chunk was refused before it.
    void on_room(std::function<void()> room) { room_ = std::move(room); }
    [[nodiscard]] bool idle() const { return chunks_.empty(); }

    // -- pairs in flight
    /// The event waits for its pair. Null if that is in flight already; else valid until resolve()
    /// or drop().
    [[nodiscard]] Wanted* follow(const Candidate& candidate, dedup::Held held);
    /// Decides the pair's events: where it is new, those after the first are repeats.
    void resolve(Wanted& wanted, Verdict verdict, std::string_view why = {});
    /// Answers their chunks with this error.
    void drop(Wanted& wanted, const Error& failure);
    [[nodiscard]] std::size_t events_waiting() const;

    // -- what is known of pairs
    [[nodiscard]] ports::Pair pair_of(const Wanted& wanted) const {
        return {.topic = book.pair_topic(wanted.place.pair_topic).view.id, .number = wanted.number};
    }
    /// Which rows prevent a message that is made now.
    [[nodiscard]] ports::PairRules rules() const;
    /// The store has this row, and it prevents a message.
    void learn(const ports::PairRow& row);

    const TriggerSettings settings;
    TopicBook book;
    FeedTally tally;
    const std::shared_ptr<dedup::ConfirmedPairs> cache;
    const std::shared_ptr<dedup::ServingSet> filters;

private:
    // topic: the book's index.
    using InFlight = std::unordered_map<dedup::PairKey, Wanted, dedup::PairKeyHash>;

    const Clock& clock_;
    std::function<void()> room_ = {};
    std::map<std::uint64_t, Chunk> chunks_ = {};  // chunks_max at most
    std::uint64_t last_chunk_ = 0;
    bool was_busy_ = false;
    InFlight in_flight_ = {};
};

}  // namespace smsrack::trigger
