#include "src/trigger/feed_desk.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::trigger {
namespace {

dedup::FilterSize size_of(const TriggerSettings& settings) {
    return {.capacity = settings.capacity, .fp_rate = settings.fp_rate};
}

dedup::PairKey flight_key(const TopicBook::Place& place, std::int64_t number) {
    return {.number = static_cast<std::uint64_t>(number), .topic = place.pair_topic};
}

}  // namespace

FeedDesk::FeedDesk(TriggerSettings of, const HashKey& key,
                   std::shared_ptr<dedup::ConfirmedPairs> confirmed, const Clock& clock)
    : settings(std::move(of)),
      book(settings),
      tally(settings),
      cache(std::move(confirmed)),
      filters(std::make_shared<dedup::ServingSet>(size_of(settings), key)),
      clock_(clock) {}

Chunk* FeedDesk::open(ports::Done<Counts> done) {
    if (chunks_.size() >= chunks_max) {
        was_busy_ = true;
        return nullptr;
    }
    const std::uint64_t id = ++last_chunk_;
    Chunk& chunk = chunks_[id];
    chunk.id = id;
    chunk.done = std::move(done);
    chunk.open = 1;  // until all of them were looked at
    return &chunk;
}

void FeedDesk::count(Chunk& chunk, const Asker& asker, Verdict verdict, std::string_view why) {
    chunk.counts.count(verdict);
    if (!why.empty()) {
        chunk.counts.sample(asker.line, std::string(why));
    }
    tally.count(verdict, asker.tag, asker.line, why);
}

void FeedDesk::close_one(std::uint64_t chunk_id) {
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

Wanted* FeedDesk::follow(const Candidate& candidate, dedup::Held held) {
    const auto [at, fresh] = in_flight_.try_emplace(flight_key(candidate.place, candidate.number));
    Wanted& wanted = at->second;
    wanted.askers.push_back(candidate.asker);
    ++chunks_[candidate.asker.chunk].open;
    if (!fresh) {
        wanted.fresh_until = std::max(wanted.fresh_until, candidate.fresh_until);
        return nullptr;
    }
    wanted.fresh_until = candidate.fresh_until;
    wanted.place = candidate.place;
    wanted.number = candidate.number;
    wanted.held = held;
    for (const std::string_view field : candidate.event->fields) {
        wanted.fields.emplace_back(field);
    }
    return &wanted;
}

void FeedDesk::resolve(Wanted& wanted, Verdict verdict, std::string_view why) {
    const std::uint32_t index = wanted.place.pair_topic;
    const auto gone = in_flight_.extract(flight_key(wanted.place, wanted.number));
    for (const Asker& asker : gone.mapped().askers) {
        // Each time: a caller that gets an answer may bring new ones.
        TopicView& topic = book.pair_topic(index).view;
        topic.fresh += verdict == Verdict::fresh ? 1 : 0;
        topic.seen += verdict == Verdict::seen ? 1 : 0;
        count(chunks_[asker.chunk], asker, verdict, why);
        if (verdict == Verdict::fresh) {
            verdict = Verdict::seen;
        }
        close_one(asker.chunk);
    }
}

void FeedDesk::drop(Wanted& wanted, const Error& failure) {
    const auto gone = in_flight_.extract(flight_key(wanted.place, wanted.number));
    for (const Asker& asker : gone.mapped().askers) {
        chunks_[asker.chunk].failure = failure;
        close_one(asker.chunk);
    }
}

std::size_t FeedDesk::events_waiting() const {
    std::size_t events = 0;
    for (const auto& [key, wanted] : in_flight_) {
        events += wanted.askers.size();
    }
    return events;
}

ports::PairRules FeedDesk::rules() const {
    const WallTime now = clock_.wall();
    ports::PairRules rules{.forgotten_before = now - settings.retain};
    if (settings.on_failed == OnFailed::release) {
        rules.failed_before = now - settings.recent;
    }
    return rules;
}

void FeedDesk::learn(const ports::PairRow& row) {
    if (!is_confirmed(row.state)) {
        return;
    }
    if (settings.verify) {
        cache->insert(key_of(row.pair));
    } else {
        filters->insert(key_of(row.pair));
    }
}

}  // namespace smsrack::trigger
