/// What the store is asked of pairs and topics before a claim: the number of a new topic, and the
/// rows of pairs that may have had their message.
///
/// Threads: the loop thread.
/// Errors:  of a pair's chunks: storage.
#pragma once

#include "src/base/executor.hpp"
#include "src/ports/trigger_store.hpp"
#include "src/trigger/feed_desk.hpp"
#include "src/trigger/loop_answers.hpp"

#include <functional>
#include <span>

namespace smsrack::trigger {

inline constexpr std::string_view no_number =
    "topic: a new one, and 16383 of all triggers have been known; no more can be";

class FeedLookups {
public:
    struct Calls {
        std::move_only_function<void(Wanted&)> claim;  ///< the store has no row in the way
        std::move_only_function<void()> turn;          ///< an answer was taken: more may be asked
    };

    /// All outlive the object.
    FeedLookups(FeedDesk& desk, ports::TriggerStore& store, Executor& loop, Calls calls);

    /// Waits for ask(); a pair that is surely new is claimed without.
    void add(Wanted& wanted);
    /// Asks the store for what waits, as far as it may be asked now.
    void ask();
    void drop_all(const Error& failure);

    /// The store has had these topics: of all others it has no pairs.
    void know(std::span<const ports::TopicName> topics);
    [[nodiscard]] bool is_reading() const { return finding_ > 0; }

private:
    using Rows = std::vector<std::optional<ports::PairRow>>;
    using Ids = std::vector<ports::TopicId>;

    void name_topics();
    void named(std::span<const std::uint32_t> topics, const Result<Ids>& ids);
    void find_rows();
    void found(std::span<Wanted* const> wanted, const Result<Rows>& rows);

    FeedDesk& desk_;
    ports::TriggerStore& store_;
    Calls calls_;
    bool topics_known_ = false;

    std::vector<Wanted*> unnamed_ = {};
    std::vector<Wanted*> to_find_ = {};
    bool naming_ = false;
    std::size_t finding_ = 0;  // reads under way

    LoopAnswers answers_;  // the last: nothing comes back to an object that is half gone
};

}  // namespace smsrack::trigger
