/// One running trigger: takes events in chunks, and decides each.
///
/// Here is the way of an event: check, cache and filters, then the parts, each with its own test.
/// FeedDesk has the events under way and what is known of their pairs, with TopicBook and FeedTally.
/// FeedLookups asks the store, FeedClaims makes the messages. While the store or the rack can't take
/// more, the pairs to claim wait there, bounded by chunks_max.
/// Threads: the loop thread.
/// Errors:  of a chunk: storage, closed.
#pragma once

#include "src/trigger/engine.hpp"
#include "src/trigger/event_check.hpp"
#include "src/trigger/feed_claims.hpp"
#include "src/trigger/feed_desk.hpp"
#include "src/trigger/feed_lookups.hpp"

#include <span>

namespace smsrack::trigger {

class Feed {
public:
    /// Those of `parts` outlive the feed.
    Feed(TriggerSettings settings, const HashKey& key, std::shared_ptr<dedup::ConfirmedPairs> cache,
         EngineParts parts);

    /// As Engine::offer.
    [[nodiscard]] Result<> offer(std::span<const Event> events, ports::Done<Counts> done);
    void on_room(std::function<void()> room) { desk_.on_room(std::move(room)); }

    /// Resumes what waited for a time.
    SteadyTime step(SteadyTime now) { return claims_.step(now); }
    void close();
    [[nodiscard]] bool idle() const { return desk_.idle(); }

    [[nodiscard]] const TriggerSettings& settings() const { return desk_.settings; }
    [[nodiscard]] const EventCheck& check() const { return check_; }
    [[nodiscard]] TriggerView view() const;
    [[nodiscard]] ports::PairRules rules() const { return desk_.rules(); }
    /// The answer that an event of this pair would get now, and why.
    [[nodiscard]] TracedPair traced(std::uint32_t pair_topic, std::int64_t number,
                                    std::optional<ports::PairRow> row) const;
    [[nodiscard]] TopicBook& book() { return desk_.book; }
    /// A walk's page may outlive the feed.
    [[nodiscard]] const std::shared_ptr<dedup::ServingSet>& filters() const {
        return desk_.filters;
    }

    /// The store has had these topics: of all others it has no pairs.
    void know(std::span<const ports::TopicName> topics) { lookups_.know(topics); }
    /// The filter of this topic has all that the index has.
    void loaded(ports::TopicId topic);

private:
    [[nodiscard]] std::optional<Candidate> candidate_of(const Event& event, Chunk& chunk);
    void decide(std::span<const Candidate> some, Chunk& chunk);
    void is_seen(const Candidate& candidate, Chunk& chunk);
    void turn();

    const EngineParts parts_;
    FeedDesk desk_;
    const EventCheck check_;
    FeedClaims claims_;
    FeedLookups lookups_;
    bool closed_ = false;
};

}  // namespace smsrack::trigger
