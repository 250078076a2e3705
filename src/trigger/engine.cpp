#include "src/trigger/engine.hpp"

#include "src/base/check.hpp"
#include "src/trigger/batch_times.hpp"
#include "src/trigger/feed.hpp"
#include "src/trigger/walk.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace smsrack::trigger {
namespace {

using namespace std::chrono_literals;

constexpr auto load_retry = 30s;    // after a walk that failed, while the filters were never loaded
constexpr auto rebuild_retry = 1h;  // after a nightly one that failed
constexpr auto clock_look = 60s;    // how late a change of the clock is seen
constexpr auto clock_look_idle = 1h;  // where no trigger is left, and its rows alone are to go

std::unexpected<Error> no_such(std::string_view name) {
    return fail(Errc::not_found, "no trigger \"" + std::string(name) + "\" in the configuration");
}

}  // namespace

Engine::Engine(std::vector<TriggerSettings> triggers, EngineSettings settings, EngineParts parts)
    : settings_(settings),
      parts_(std::move(parts)),
      cache_(std::make_shared<dedup::ConfirmedPairs>(settings.cache_octets, settings.filter_key)),
      answers_(parts_.loop) {
    std::vector<Feed*> addresses;
    for (TriggerSettings& trigger : triggers) {
        feeds_.push_back(
            std::make_unique<Feed>(std::move(trigger), settings_.filter_key, cache_, parts_));
        addresses.push_back(feeds_.back().get());
    }
    walk_ = std::make_unique<Walk>(parts_.store, cache_, std::move(addresses), parts_.clock,
                                   parts_.log, parts_.loop);
    if (settings_.rebuild_at) {
        rebuild_at_ = next_at(parts_.clock.wall(), *settings_.rebuild_at);
    }
    if (!feeds_.empty()) {
        (void)walk_->start();
    }
}

Engine::~Engine() = default;

Feed* Engine::feed(std::string_view name) const {
    const auto found = std::ranges::find(
        feeds_, name, [](const auto& one) { return std::string_view(one->settings().name); });
    return found == feeds_.end() ? nullptr : found->get();
}

void Engine::trace(std::string_view name, std::string_view number, std::string_view topic,
                   ports::Done<Trace> done) {
    Feed* const of = feed(name);
    if (of == nullptr) {
        return done(no_such(name));
    }
    const auto digits = pair_number_of(number, of->settings().plan);
    if (!digits) {
        return done(std::unexpected(digits.error()));
    }
    std::vector<std::uint32_t> topics;
    std::vector<ports::Pair> pairs;
    const auto& all = of->book().pair_topics();
    const auto wanted = topic.empty() ? std::nullopt : of->book().known(topic);
    if (!topic.empty() && !wanted) {
        return done(fail(Errc::not_found, "no such topic in trigger " + of->settings().name));
    }
    for (std::uint32_t i = 0; i < all.size(); ++i) {
        if (all[i].view.id != ports::TopicId{} && (!wanted || *wanted == i)) {
            topics.push_back(i);
            pairs.push_back({.topic = all[i].view.id, .number = *digits});
        }
    }
    using Rows = std::vector<std::optional<ports::PairRow>>;
    parts_.store.ask(
        [pairs = std::move(pairs)](ports::TriggerReader& reader) { return reader.find(pairs); },
        answers_.back<Rows>([of, topics = std::move(topics), digits = *digits,
                             asked_one = !topic.empty(),
                             done = std::move(done)](Result<Rows> rows) mutable {
            if (!rows) {
                return done(std::unexpected(std::move(rows.error())));
            }
            Trace trace{.number = "+" + std::to_string(digits),
                        .in_share = of->check().selects(digits),
                        .tags = of->check().tags_of(digits)};
            for (std::size_t i = 0; i < topics.size(); ++i) {
                TracedPair pair = of->traced(topics[i], digits, (*rows)[i]);
                if (pair.row || pair.in_filter || asked_one) {
                    trace.pairs.push_back(std::move(pair));
                }
            }
            done(std::move(trace));
        }));
}

const EventForm* Engine::form(std::string_view trigger) const {
    const Feed* const of = feed(trigger);
    return of == nullptr ? nullptr : &of->check().form();
}

Result<> Engine::offer(std::string_view trigger, std::span<const Event> events,
                       ports::Done<Counts> done) {
    Feed* const of = feed(trigger);
    if (of == nullptr) {
        return no_such(trigger);
    }
    if (const std::string& why = of->settings().closed; !why.empty()) {
        return fail(
            Errc::conflict,
            fmt::format(
                "trigger {} takes no events: {}; correct the file, then run `smsrack reload`",
                trigger, why));
    }
    SMSRACK_CHECK(events.size() <= chunk_events_max);
    return of->offer(events, std::move(done));
}

void Engine::on_room(std::function<void()> room) {
    for (const auto& feed : feeds_) {
        feed->on_room(room);
    }
}

EngineView Engine::view() const {
    EngineView view{
        .rebuild = walk_->view(), .cache_pairs = cache_->pairs(), .cache_octets = cache_->bytes()};
    for (const auto& feed : feeds_) {
        view.filter_octets += feed->filters()->bytes();
        view.triggers.push_back(feed->view());
    }
    return view;
}

Result<> Engine::start_rebuild() {
    return walk_->start();
}

void Engine::close() {
    for (const auto& feed : feeds_) {
        feed->close();
    }
}

bool Engine::idle() const {
    return std::ranges::all_of(feeds_, [](const auto& feed) { return feed->idle(); });
}

SteadyTime Engine::step(SteadyTime now) {
    SteadyTime next = never;
    for (const auto& one : feeds_) {
        next = std::min(next, one->step(now));
    }
    return std::min({next, load_again(now), rebuild_nightly(now)});
}

/// Until it has succeeded once.
SteadyTime Engine::load_again(SteadyTime now) {
    if (feeds_.empty() || walk_->view().running || walk_->has_loaded()) {
        load_at_ = SteadyTime::min();
        return never;
    }
    if (load_at_ == SteadyTime::min()) {
        load_at_ = now + load_retry;
    }
    if (now >= load_at_) {
        (void)walk_->start();
        load_at_ = SteadyTime::min();
    }
    return std::max(load_at_, now + 1s);
}

/// After one that failed.
bool Engine::is_time_again(SteadyTime now) {
    const bool failed = !walk_->view().running && !walk_->view().failure.empty() &&
                        (feeds_.empty() || walk_->has_loaded());
    if (!failed) {
        again_at_ = never;
    } else if (again_at_ == never) {
        again_at_ = now + rebuild_retry;
    }
    return now >= again_at_;
}

SteadyTime Engine::rebuild_nightly(SteadyTime now) {
    if (!rebuild_at_) {
        return never;
    }
    const WallTime wall = parts_.clock.wall();
    const WallTime next = next_at(wall, *settings_.rebuild_at);
    rebuild_at_ = std::min(*rebuild_at_, next);  // the clock may have been ahead
    if ((wall >= *rebuild_at_ || is_time_again(now)) && walk_->start()) {
        rebuild_at_ = next;
    }
    return now + (feeds_.empty() ? SteadyTime::duration(clock_look_idle) : clock_look);
}

}  // namespace smsrack::trigger
