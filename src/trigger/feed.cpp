#include "src/trigger/feed.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace smsrack::trigger {
namespace {

// Asked of cache and filters at once: their memory is on its way together.
constexpr std::size_t slice = 256;
constexpr std::string_view no_place =
    "topic: a new one, and topics_max are there: raise topics_max, or name the topics in a file";

dedup::FilterSize size_of(const TriggerSettings& settings) {
    return {.capacity = settings.capacity, .fp_rate = settings.fp_rate};
}

dedup::PairKey flight_key(const TopicBook::Place& place, std::int64_t number) {
    return {.number = static_cast<std::uint64_t>(number), .topic = place.pair_topic};
}

}  // namespace

Feed::Feed(TriggerSettings settings, const HashKey& key,
           std::shared_ptr<dedup::ConfirmedPairs> cache, EngineParts parts)
    : settings_(std::move(settings)),
      cache_(std::move(cache)),
      parts_(parts),
      book_(settings_),
      check_(settings_, book_, parts_.clock),
      filters_(std::make_shared<dedup::ServingSet>(size_of(settings_), key)),
      by_tag_(check_.form().tag ? check_.shares().size() : 0),
      answers_(parts.loop) {}

Result<> Feed::offer(std::span<const Event> events, ports::Done<Counts> done) {
    if (closed_) {
        return fail(Errc::closed, "the service ends");
    }
    if (chunks_.size() >= chunks_max) {
        was_busy_ = true;
        return fail(Errc::busy, "trigger " + settings_.name);
    }
    const std::uint64_t id = ++last_chunk_;
    Chunk& chunk = chunks_[id];
    chunk.done = std::move(done);
    chunk.open = 1;  // until all of them were looked at
    std::array<Candidate, slice> some;
    std::size_t n = 0;
    for (const Event& event : events) {
        if (const auto candidate = candidate_of(event, id, chunk)) {
            some.at(n++) = *candidate;
        }
        if (n == slice) {
            decide(some, chunk);
            n = 0;
        }
    }
    decide(std::span(some).first(n), chunk);
    pump();
    close_one(id);
    return {};
}

/// Nullopt if its verdict is counted already.
std::optional<Feed::Candidate> Feed::candidate_of(const Event& event, std::uint64_t chunk_id,
                                                  Chunk& chunk) {
    const std::size_t tag = check_.shares().place_of(event.tag);
    const Asker asker{.chunk = chunk_id, .line = event.line, .tag = tag};
    const auto passed = check_.check(event, tag);
    if (!passed) {
        count(chunk, passed.error().verdict, asker, passed.error().why);
        return std::nullopt;
    }
    // Takes a place for ever: of no event that has ended above.
    const auto place = book_.find(passed->topic);
    if (!place || book_.pair_topic(place->pair_topic).no_number) {
        count(chunk, Verdict::bad, asker, place ? no_number : no_place);
        return std::nullopt;
    }
    return Candidate{.place = *place,
                     .number = passed->number,
                     .event = &event,
                     .asker = asker,
                     .fresh_until = passed->fresh_until};
}

/// Most events are repeats that the cache knows: the filters' memory is asked for the others alone.
void Feed::decide(std::span<const Candidate> some, Chunk& chunk) {
    std::array<dedup::PairKey, slice> pairs;
    std::array<bool, slice> cached{};
    for (std::size_t i = 0; i < some.size(); ++i) {
        const ports::TopicId topic = book_.pair_topic(some[i].place.pair_topic).view.id;
        pairs.at(i) = key_of({.topic = topic, .number = some[i].number});
    }
    if (settings_.verify) {
        cache_->contains(std::span(pairs).first(some.size()), std::span(cached).first(some.size()));
    }
    std::array<std::size_t, slice> others;
    std::size_t n = 0;
    for (std::size_t i = 0; i < some.size(); ++i) {
        if (cached.at(i)) {
            ++cached_;
            is_seen(some[i], chunk);
        } else {
            pairs.at(n) = pairs.at(i);
            others.at(n++) = i;
        }
    }
    std::array<dedup::Held, slice> held{};
    filters_->find(std::span(pairs).first(n), std::span(held).first(n));
    for (std::size_t i = 0; i < n; ++i) {
        const Candidate& other = some[others.at(i)];
        if (!settings_.verify && held.at(i) != dedup::Held::no) {
            is_seen(other, chunk);
        } else {
            follow(other, held.at(i));
        }
    }
}

void Feed::is_seen(const Candidate& candidate, Chunk& chunk) {
    ++book_.pair_topic(candidate.place.pair_topic).view.seen;
    count(chunk, Verdict::seen, candidate.asker, {});
}

void Feed::follow(const Candidate& candidate, dedup::Held held) {
    const auto [at, fresh] = in_flight_.try_emplace(flight_key(candidate.place, candidate.number));
    Wanted& wanted = at->second;
    wanted.askers.push_back(candidate.asker);
    ++chunks_[candidate.asker.chunk].open;
    if (!fresh) {
        wanted.fresh_until = std::max(wanted.fresh_until, candidate.fresh_until);
        return;
    }
    wanted.fresh_until = candidate.fresh_until;
    wanted.place = candidate.place;
    wanted.number = candidate.number;
    wanted.held = held;
    for (const std::string_view field : candidate.event->fields) {
        wanted.fields.emplace_back(field);
    }
    route(wanted);
}

/// Only a filter that is whole may say that a pair is new; and without `verify` it does not know of those under way.
void Feed::route(Wanted& wanted) {
    const TopicBook::PairTopic& topic = book_.pair_topic(wanted.place.pair_topic);
    if (topic.view.id == ports::TopicId{}) {
        unnamed_.push_back(&wanted);
    } else if (settings_.verify && topic.loaded && wanted.held == dedup::Held::no) {
        to_claim_.push_back(&wanted);
    } else {
        to_find_.push_back(&wanted);
    }
}

ports::Pair Feed::pair_of(const Wanted& wanted) const {
    return {.topic = book_.pair_topic(wanted.place.pair_topic).view.id, .number = wanted.number};
}

ports::PairRules Feed::rules() const {
    const WallTime now = parts_.clock.wall();
    ports::PairRules rules{.forgotten_before = now - settings_.retain};
    if (settings_.on_failed == OnFailed::release) {
        rules.failed_before = now - settings_.recent;
    }
    return rules;
}

void Feed::resolve(Wanted& wanted, Verdict verdict, std::string_view why) {
    const std::uint32_t index = wanted.place.pair_topic;
    auto gone = in_flight_.extract(flight_key(wanted.place, wanted.number));
    for (const Asker& asker : gone.mapped().askers) {
        // Each time: a caller that gets an answer may bring new ones.
        TopicView& topic = book_.pair_topic(index).view;
        topic.fresh += verdict == Verdict::fresh ? 1 : 0;
        topic.seen += verdict == Verdict::seen ? 1 : 0;
        count(chunks_[asker.chunk], verdict, asker, why);
        if (verdict == Verdict::fresh) {
            verdict = Verdict::seen;
        }
        close_one(asker.chunk);
    }
}

void Feed::drop(Wanted& wanted, const Error& failure) {
    auto gone = in_flight_.extract(flight_key(wanted.place, wanted.number));
    for (const Asker& asker : gone.mapped().askers) {
        chunks_[asker.chunk].failure = failure;
        close_one(asker.chunk);
    }
}

void Feed::count(Chunk& chunk, Verdict verdict, const Asker& asker, std::string_view why) {
    chunk.counts.count(verdict);
    counts_.count(verdict);
    if (!by_tag_.empty()) {
        by_tag_[asker.tag].count(verdict);
    }
    if (!why.empty()) {
        chunk.counts.sample(asker.line, std::string(why));
        last_bad_.push_back({.line = asker.line, .why = std::string(why)});
        if (last_bad_.size() > bad_samples_max) {
            last_bad_.pop_front();
        }
    }
}

void Feed::close_one(std::uint64_t chunk_id) {
    const auto at = chunks_.find(chunk_id);
    if (--at->second.open > 0) {
        return;
    }
    auto chunk = chunks_.extract(at);
    if (chunk.mapped().failure) {
        chunk.mapped().done(std::unexpected(*std::move(chunk.mapped().failure)));
    } else {
        chunk.mapped().done(std::move(chunk.mapped().counts));
    }
    if (std::exchange(was_busy_, false) && room_) {
        room_();
    }
}

void Feed::pump() {
    if (closed_) {
        return close();
    }
    name_topics();
    look_up();
    claim();
}

SteadyTime Feed::step(SteadyTime now) {
    if (now >= retry_at_ && !to_claim_.empty()) {
        claim();
    }
    return !to_claim_.empty() && retry_at_ > now ? retry_at_ : never;
}

/// What a transaction or a read has under way is answered by it.
void Feed::close() {
    closed_ = true;
    const Error ends{.code = Errc::closed,
                     .context = "the service ends; what was not answered may come again"};
    const auto drop_all = [&](auto& queue) {
        for (Wanted* const wanted : std::exchange(queue, {})) {
            drop(*wanted, ends);
        }
    };
    drop_all(unnamed_);
    drop_all(to_find_);
    drop_all(to_claim_);
}

}  // namespace smsrack::trigger
