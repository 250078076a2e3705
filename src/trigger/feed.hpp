/// One running trigger: verdicts on events, and the claims that follow.
///
/// Each pair has at most one lookup in flight; later requests for it wait for the same answer, so a
/// pair that comes twice in one feed gets one message. While the store or the rack can't take more,
/// the pairs to claim wait here, bounded by chunks_max.
/// Threads: the loop thread.
/// Errors:  of a chunk: storage, closed.
#pragma once

#include "src/dedup/confirmed_pairs.hpp"
#include "src/dedup/serving_set.hpp"
#include "src/trigger/engine.hpp"
#include "src/trigger/event_check.hpp"
#include "src/trigger/loop_answers.hpp"
#include "src/trigger/topic_book.hpp"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
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

class Feed {
public:
    /// Those of `parts` outlive the feed.
    Feed(TriggerSettings settings, const HashKey& key, std::shared_ptr<dedup::ConfirmedPairs> cache,
         EngineParts parts);

    /// As Engine::offer.
    [[nodiscard]] Result<> offer(std::span<const Event> events, ports::Done<Counts> done);
    void on_room(std::function<void()> room) { room_ = std::move(room); }

    /// Resumes what waited for a time.
    SteadyTime step(SteadyTime now);
    void close();
    [[nodiscard]] bool idle() const { return chunks_.empty(); }

    [[nodiscard]] const TriggerSettings& settings() const { return settings_; }
    [[nodiscard]] const EventCheck& check() const { return check_; }
    [[nodiscard]] TriggerView view() const;
    [[nodiscard]] ports::PairRules rules() const;
    /// The answer that an event of this pair would get now, and why.
    [[nodiscard]] TracedPair traced(std::uint32_t pair_topic, std::int64_t number,
                                    std::optional<ports::PairRow> row) const;
    [[nodiscard]] TopicBook& book() { return book_; }
    /// A walk's page may outlive the feed.
    [[nodiscard]] const std::shared_ptr<dedup::ServingSet>& filters() const { return filters_; }

    /// The store has had these topics: of all others it has no pairs.
    void know(std::span<const ports::TopicName> topics);
    /// The filter of this topic has all that the index has.
    void loaded(ports::TopicId topic);

private:
    struct Chunk {
        Counts counts = {};
        std::size_t open = 0;  // events not decided
        std::optional<Error> failure = {};
        ports::Done<Counts> done = {};
    };
    /// A request that waits for a pair.
    struct Asker {
        std::uint64_t chunk = 0;
        std::uint64_t line = 0;
        std::size_t tag = 0;  // its place in the shares
    };
    struct Wanted {
        TopicBook::Place place = {};
        std::int64_t number = 0;
        std::vector<std::string> fields = {};
        std::vector<Asker> askers = {};  // the first one gets "new"
        SteadyTime fresh_until = never;  // of the youngest one
        dedup::Held held = dedup::Held::no;
        WallTime due_at = {};  // with the batch; while it is being claimed
        std::uint32_t segments = 0;
    };
    // topic: the book's index.
    using InFlight = std::unordered_map<dedup::PairKey, Wanted, dedup::PairKeyHash>;
    struct Candidate {
        TopicBook::Place place = {};
        std::int64_t number = 0;
        const Event* event = nullptr;
        Asker asker = {};
        SteadyTime fresh_until = never;
    };

    // -- verdicts, in feed.cpp
    [[nodiscard]] std::optional<Candidate> candidate_of(const Event& event, std::uint64_t chunk_id,
                                                        Chunk& chunk);
    void decide(std::span<const Candidate> some, Chunk& chunk);
    void is_seen(const Candidate& candidate, Chunk& chunk);
    void follow(const Candidate& candidate, dedup::Held held);
    void route(Wanted& wanted);
    [[nodiscard]] ports::Pair pair_of(const Wanted& wanted) const;
    void resolve(Wanted& wanted, Verdict verdict, std::string_view why = {});
    void drop(Wanted& wanted, const Error& failure);
    void count(Chunk& chunk, Verdict verdict, const Asker& asker, std::string_view why);
    void close_one(std::uint64_t chunk_id);
    void pump();

    // -- what the store knows, in feed_lookups.cpp
    void look_up();
    void looked_up(std::span<Wanted* const> wanted,
                   Result<std::vector<std::optional<ports::PairRow>>> rows);
    void learn(const ports::PairRow& row);
    void name_topics();
    void named(std::span<const std::uint32_t> topics, Result<std::vector<ports::TopicId>> ids);

    // -- claims, in feed_claims.cpp
    void claim();
    [[nodiscard]] std::optional<ports::Claim> claim_of(Wanted& wanted, WallTime now);
    void claimed(std::span<Wanted* const> wanted,
                 Result<std::vector<Result<ports::Claimed>>> answers);
    void take_answer(Wanted& wanted, Result<ports::Claimed> answer, std::vector<Wanted*>& again);
    void wait(WaitingFor what, std::optional<std::chrono::milliseconds> time);
    [[nodiscard]] std::uint32_t ahead(WallTime now);
    void count_ahead(const Wanted& wanted, int sign);

    static constexpr std::string_view no_number =
        "topic: a new one, and 16383 of all triggers have been known; no more can be";

    const TriggerSettings settings_;
    const std::shared_ptr<dedup::ConfirmedPairs> cache_;
    EngineParts parts_;
    TopicBook book_;
    const EventCheck check_;
    const std::shared_ptr<dedup::ServingSet> filters_;
    std::function<void()> room_ = {};

    std::map<std::uint64_t, Chunk> chunks_ = {};  // chunks_max at most
    std::uint64_t last_chunk_ = 0;
    bool was_busy_ = false;
    bool closed_ = false;
    bool topics_known_ = false;

    InFlight in_flight_ = {};
    std::vector<Wanted*> unnamed_ = {};
    std::vector<Wanted*> to_find_ = {};
    std::deque<Wanted*> to_claim_ = {};
    bool naming_ = false;
    std::size_t finding_ = 0;                       // reads under way
    std::size_t claiming_ = 0;                      // transactions under way
    std::map<WallTime, std::uint32_t> ahead_ = {};  // segments by the batch that they wait for

    SteadyTime retry_at_ = SteadyTime::min();
    WaitingFor waiting_for_ = WaitingFor::nothing;
    Counts counts_ = {};               // without samples
    std::vector<Counts> by_tag_ = {};  // the same by places of the shares; empty: the share is one
    std::deque<BadEvent> last_bad_ = {};  // the last ones are of use, not the first
    std::uint64_t cached_ = 0;
    std::uint64_t looked_up_ = 0;
    std::uint64_t false_hits_ = 0;
    std::string label_ = {};  // of the last message

    LoopAnswers answers_;  // the last: nothing comes back to a feed that is half gone
};

}  // namespace smsrack::trigger
