#include "src/trigger/walk.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::trigger {
namespace {

constexpr std::size_t page_rows = 8'192;  // some 5 ms of a reading thread
constexpr std::size_t forget_rows = 256;  // of one transaction
// The longest that a configuration may have said.
constexpr auto retain_unknown = std::chrono::days(3'650);

}  // namespace

/// What the reading thread works on, and this one waits for.
struct Walk::Page {
    Feed* feed = nullptr;  // none: there is nothing to load
    ports::TopicId topic = {};
    bool verify = true;
    WallTime forgotten_before = {};
    std::shared_ptr<dedup::ConfirmedPairs> cache;
    std::shared_ptr<dedup::ServingSet> filters;  // outlives what follows
    // none: the topic has no place any more.
    std::optional<dedup::ServingSet::Rebuild> rebuild = {};
    std::int64_t after = 0;  // number

    std::vector<ports::Pair> expired = {};
    std::vector<dedup::PairKey> kept = {};
    std::vector<dedup::PairKey> confirmed = {};
    std::uint64_t rows = 0;
    bool last = false;

    Result<> read(ports::TriggerReader& reader) {
        const auto found = reader.pairs({.topic = topic, .number = after}, page_rows);
        if (!found) {
            return std::unexpected(found.error());
        }
        kept.clear();
        confirmed.clear();
        rows = 0;
        const ports::PairRules rules{.forgotten_before = forgotten_before};
        last = found->size() < page_rows;
        for (const ports::PairRow& row : *found) {
            if (row.pair.topic != topic) {
                last = true;
                break;
            }
            ++rows;
            after = row.pair.number;
            if (rules.is_forgotten(row)) {
                expired.push_back(row.pair);
                cache->erase(key_of(row.pair));
                continue;
            }
            const bool sure = is_confirmed(row.state);
            if (verify || sure) {
                kept.push_back(key_of(row.pair));
            }
            if (verify && sure) {
                confirmed.push_back(key_of(row.pair));
            }
        }
        if (!rebuild) {
            return {};
        }
        rebuild->add(kept);
        cache->insert(confirmed);
        return last ? rebuild->commit() : Result<>();
    }
};

Walk::Walk(ports::TriggerStore& store, std::shared_ptr<dedup::ConfirmedPairs> cache,
           std::vector<Feed*> feeds, const Clock& clock, Log& log, Executor& loop)
    : store_(store),
      cache_(std::move(cache)),
      feeds_(std::move(feeds)),
      clock_(clock),
      log_(log),
      answers_(loop) {}

Result<> Walk::start() {
    if (view_.running) {
        return fail(Errc::conflict, "a rebuild is under way");
    }
    view_ = {.running = true,
             .first = !loaded_,
             .rows_expected = view_.rows,
             .began_at = clock_.wall(),
             .ended_at = view_.ended_at,
             .took = view_.took};
    began_ = clock_.steady();
    std::vector<ports::TriggerDays> days;
    for (const Feed* const feed : feeds_) {
        days.push_back({.trigger = feed->settings().name, .retain = feed->settings().retain});
    }
    // Of use when they are gone. A disk that can't take it holds up no loading, and the next walk says it again.
    store_.post(ports::NoteDays{std::move(days)});
    using Names = std::vector<ports::TopicName>;
    store_.ask([](ports::TriggerReader& reader) { return reader.topics(); },
               answers_.back<Names>([this](Result<Names> topics) { know(std::move(topics)); }));
    return {};
}

Feed* Walk::feed_named(std::string_view name) const {
    const auto found = std::ranges::find(
        feeds_, name, [](const Feed* feed) { return std::string_view(feed->settings().name); });
    return found == feeds_.end() ? nullptr : *found;
}

void Walk::know(Result<std::vector<ports::TopicName>> topics) {
    if (!topics) {
        return end(topics.error().context);
    }
    for (Feed* const feed : feeds_) {
        feed->know(*topics);
    }
    targets_.clear();
    for (const ports::TopicName& topic : *topics) {
        if (const auto target = target_of(topic)) {
            targets_.push_back(*target);
        }
    }
    std::ranges::reverse(targets_);
    next_topic();
}

std::optional<Walk::Target> Walk::target_of(const ports::TopicName& topic) const {
    Feed* const feed = feed_named(topic.trigger);
    if (feed != nullptr) {
        return Target{
            .feed = feed, .topic = topic.id, .forgotten_before = feed->rules().forgotten_before};
    }
    if (view_.first && !feeds_.empty()) {
        return std::nullopt;
    }
    return Target{.topic = topic.id,
                  .forgotten_before = clock_.wall() - topic.retain.value_or(retain_unknown)};
}

void Walk::next_topic() {
    if (targets_.empty()) {
        return end({});
    }
    const Target target = targets_.back();
    targets_.pop_back();
    page_ = std::make_shared<Page>();
    page_->feed = target.feed;
    page_->topic = target.topic;
    page_->forgotten_before = target.forgotten_before;
    page_->cache = cache_;
    if (target.feed != nullptr) {
        page_->verify = target.feed->settings().verify;
        page_->filters = target.feed->filters();
    }
    if (target.feed != nullptr && target.feed->book().with_id(target.topic)) {
        auto rebuild =
            page_->filters->begin_rebuild(static_cast<std::uint32_t>(target.topic.value));
        if (!rebuild) {
            return end(rebuild.error().context);
        }
        page_->rebuild.emplace(*std::move(rebuild));
    }
    next_page();
}

void Walk::next_page() {
    store_.ask([page = page_](ports::TriggerReader& reader) { return page->read(reader); },
               answers_.back<void>([this](Result<> read) {
                   if (read) {
                       turn();
                   } else {
                       end(read.error().context);
                   }
               }));
}

void Walk::turn() {
    view_.rows += std::exchange(page_->rows, 0);
    if (!page_->expired.empty()) {
        return forget();
    }
    if (!page_->last) {
        return next_page();
    }
    if (page_->feed != nullptr) {
        page_->feed->loaded(page_->topic);
    }
    next_topic();
}

void Walk::forget() {
    std::vector<ports::Pair>& expired = page_->expired;
    const auto count = std::min(forget_rows, expired.size());
    std::vector<ports::Pair> some(expired.end() - static_cast<std::ptrdiff_t>(count),
                                  expired.end());
    expired.resize(expired.size() - count);
    store_.post(ports::ForgetPairs{.pairs = std::move(some), .before = page_->forgotten_before},
                answers_.back<std::size_t>([this](Result<std::size_t> forgotten) {
                    if (!forgotten) {
                        return end(forgotten.error().context);
                    }
                    view_.forgotten += *forgotten;
                    turn();
                }));
}

/// A Rebuild that was not committed is dropped with its page.
void Walk::end(std::string_view failure) {
    page_.reset();
    targets_.clear();
    view_.running = false;
    view_.failure = failure;
    view_.ended_at = clock_.wall();
    view_.took = std::chrono::duration_cast<std::chrono::milliseconds>(clock_.steady() - began_);
    loaded_ = loaded_ || failure.empty();
    if (failure.empty() && feeds_.empty() && view_.rows == 0) {
        return;  // a box without triggers has nothing to say each night
    }
    if (failure.empty()) {
        log_.info(
            "triggers_rebuilt",
            {{"rows", view_.rows}, {"forgotten", view_.forgotten}, {"ms", view_.took.count()}});
    } else {
        log_.error("trigger_rebuild_fails", {{"why", failure}});
    }
}

}  // namespace smsrack::trigger
