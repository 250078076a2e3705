/// Rebuilds filters and cache from the index, topic by topic, next to those that serve.
///
/// The walk goes through the index in its order, a page at a time on a reading thread, each page a look of its own, so that nothing is
/// held up. One topic's filter is in memory twice; what is claimed meanwhile goes to both. Pairs past their days are removed on the
/// way, in small steps; so are those of a trigger that the configuration has no more, by its days as it said last, though not at the
/// start, where they have no filter to load. A power cut leaves nothing half done: the next start walks anyway.
/// Threads: the loop thread; a page on the reading thread has the new filter for itself.
/// Errors:  reported in the view: storage. The serving filters stay.
/// Source:  [Welcome]: rebuilt each night from the records.
#pragma once

#include "src/dedup/confirmed_pairs.hpp"
#include "src/trigger/feed.hpp"
#include "src/trigger/loop_answers.hpp"
#include "src/trigger/view.hpp"

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace smsrack::trigger {

class Walk {
public:
    /// All outlive the walk.
    Walk(ports::TriggerStore& store, std::shared_ptr<dedup::ConfirmedPairs> cache,
         std::vector<Feed*> feeds, const Clock& clock, Log& log, Executor& loop);

    /// conflict: one is under way.
    [[nodiscard]] Result<> start();
    [[nodiscard]] const RebuildView& view() const { return view_; }
    /// The filters have been loaded once.
    [[nodiscard]] bool has_loaded() const { return loaded_; }

private:
    struct Target {
        Feed* feed = nullptr;  // none: its trigger was removed
        ports::TopicId topic = {};
        WallTime forgotten_before = {};
    };
    struct Page;

    [[nodiscard]] Feed* feed_named(std::string_view name) const;
    void know(Result<std::vector<ports::TopicName>> topics);
    [[nodiscard]] std::optional<Target> target_of(const ports::TopicName& topic) const;
    void next_topic();
    void next_page();
    void turn();
    void forget();
    void end(std::string_view failure);

    ports::TriggerStore& store_;
    const std::shared_ptr<dedup::ConfirmedPairs> cache_;
    const std::vector<Feed*> feeds_;
    const Clock& clock_;
    Log& log_;
    RebuildView view_ = {};
    bool loaded_ = false;
    SteadyTime began_ = {};
    std::vector<Target> targets_ = {};  // the next one is the last
    std::shared_ptr<Page> page_ = {};
    LoopAnswers answers_;
};

}  // namespace smsrack::trigger
