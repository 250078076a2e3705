#include "src/trigger/feed.hpp"

#include "src/trigger/batch_times.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace smsrack::trigger {
namespace {

// Asked of cache and filters at once: their memory is on its way together.
constexpr std::size_t slice = 256;
constexpr std::string_view no_place =
    "topic: a new one, and topics_max are there: raise topics_max, or name the topics in a file";

}  // namespace

Feed::Feed(TriggerSettings settings, const HashKey& key,
           std::shared_ptr<dedup::ConfirmedPairs> cache, EngineParts parts)
    : parts_(std::move(parts)),
      desk_(std::move(settings), key, std::move(cache), parts_.clock),
      check_(desk_.settings, desk_.book, parts_.clock),
      claims_(desk_, parts_, [this] { turn(); }),
      lookups_(
          desk_, parts_.store, parts_.loop,
          {.claim = [this](Wanted& wanted) { claims_.add(wanted); }, .turn = [this] { turn(); }}) {}

Result<> Feed::offer(std::span<const Event> events, ports::Done<Counts> done) {
    if (closed_) {
        return fail(Errc::closed, "the service ends");
    }
    Chunk* const chunk = desk_.open(std::move(done));
    if (chunk == nullptr) {
        return fail(Errc::busy, "trigger " + desk_.settings.name);
    }
    const std::uint64_t id = chunk->id;
    std::array<Candidate, slice> some;
    std::size_t n = 0;
    for (const Event& event : events) {
        if (const auto candidate = candidate_of(event, *chunk)) {
            some.at(n++) = *candidate;
        }
        if (n == slice) {
            decide(some, *chunk);
            n = 0;
        }
    }
    decide(std::span(some).first(n), *chunk);
    turn();
    desk_.close_one(id);
    return {};
}

/// Nullopt if its verdict is counted already.
std::optional<Candidate> Feed::candidate_of(const Event& event, Chunk& chunk) {
    const std::size_t tag = check_.shares().place_of(event.tag);
    const Asker asker{.chunk = chunk.id, .line = event.line, .tag = tag};
    const auto passed = check_.check(event, tag);
    if (!passed) {
        desk_.count(chunk, asker, passed.error().verdict, passed.error().why);
        return std::nullopt;
    }
    // Takes a place for ever: of no event that has ended above.
    const auto place = desk_.book.find(passed->topic);
    if (!place || desk_.book.pair_topic(place->pair_topic).no_number) {
        desk_.count(chunk, asker, Verdict::bad, place ? no_number : no_place);
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
        const ports::TopicId topic = desk_.book.pair_topic(some[i].place.pair_topic).view.id;
        pairs.at(i) = key_of({.topic = topic, .number = some[i].number});
    }
    if (desk_.settings.verify) {
        desk_.cache->contains(std::span(pairs).first(some.size()),
                              std::span(cached).first(some.size()));
    }
    std::array<std::size_t, slice> others;
    std::size_t n = 0;
    for (std::size_t i = 0; i < some.size(); ++i) {
        if (cached.at(i)) {
            desk_.tally.count_cached();
            is_seen(some[i], chunk);
        } else {
            pairs.at(n) = pairs.at(i);
            others.at(n++) = i;
        }
    }
    std::array<dedup::Held, slice> held{};
    desk_.filters->find(std::span(pairs).first(n), std::span(held).first(n));
    for (std::size_t i = 0; i < n; ++i) {
        const Candidate& other = some[others.at(i)];
        if (!desk_.settings.verify && held.at(i) != dedup::Held::no) {
            is_seen(other, chunk);
        } else if (Wanted* const wanted = desk_.follow(other, held.at(i))) {
            lookups_.add(*wanted);
        }
    }
}

void Feed::is_seen(const Candidate& candidate, Chunk& chunk) {
    ++desk_.book.pair_topic(candidate.place.pair_topic).view.seen;
    desk_.count(chunk, candidate.asker, Verdict::seen);
}

void Feed::turn() {
    if (closed_) {
        return close();
    }
    lookups_.ask();
    claims_.claim();
}

/// What a transaction or a read has under way is answered by it.
void Feed::close() {
    closed_ = true;
    const Error ends{.code = Errc::closed,
                     .context = "the service ends; what was not answered may come again"};
    lookups_.drop_all(ends);
    claims_.drop_all(ends);
}

void Feed::loaded(ports::TopicId topic) {
    if (const auto index = desk_.book.with_id(topic)) {
        desk_.book.pair_topic(*index).loaded = true;
    }
}

TriggerView Feed::view() const {
    const TriggerSettings& settings = desk_.settings;
    TriggerView view{.name = settings.name,
                     .verify = settings.verify,
                     .max_age = settings.max_age,
                     .share = settings.share,
                     .per_minute = settings.per_minute,
                     .batch = settings.batch,
                     .capacity = settings.capacity,
                     .fp_rate = settings.fp_rate,
                     .waiting = desk_.events_waiting(),
                     .batch_label = batch_label(settings.name, parts_.clock.wall())};
    desk_.tally.show(view);
    claims_.show(view);
    if (view.waiting_for == WaitingFor::nothing &&
        (claims_.is_claiming() || lookups_.is_reading())) {
        view.waiting_for = WaitingFor::store;
    }
    const auto figures = desk_.filters->topics();
    for (const TopicBook::PairTopic& topic : desk_.book.pair_topics()) {
        TopicView& one = view.topics.emplace_back(topic.view);
        const auto id = static_cast<std::uint32_t>(one.id.value);
        // In order.
        const auto of = std::ranges::lower_bound(figures, id, {}, &dedup::TopicFigures::topic);
        if (of != figures.end() && of->topic == id) {
            one.keys = of->keys;
            one.bits = of->bits;
            one.fill = of->fill;
            one.fp_rate = of->estimated_fp_rate;
            one.generations = static_cast<std::uint32_t>(of->generations);
        }
    }
    return view;
}

TracedPair Feed::traced(std::uint32_t pair_topic, std::int64_t number,
                        std::optional<ports::PairRow> row) const {
    const TopicBook::PairTopic& topic = desk_.book.pair_topic(pair_topic);
    const dedup::PairKey key = key_of({.topic = topic.view.id, .number = number});
    TracedPair pair{.topic = topic.view.name,
                    .in_filter = desk_.filters->find(key) != dedup::Held::no,
                    .in_cache = desk_.cache->contains(key),
                    .row = row};
    const auto say = [&pair](Verdict verdict, std::string_view why) {
        pair.verdict = verdict;
        pair.why = why;
    };
    const bool free = !row || rules().is_free(*row);
    const bool known = desk_.settings.verify ? pair.in_cache : pair.in_filter;
    if (!check_.selects(number)) {
        say(Verdict::outside,
            check_.form().tag
                ? "the number is outside of the trigger's share for events without a tag"
                : "the number is outside of the trigger's share");
    } else if (row && !free) {
        constexpr std::array<std::string_view, 4> words{
            "its message is on its way", "its message was sent",
            "its message failed, and the pair is kept (on_failed, or recent_s is not over)",
            "its message may have been sent; the outcome is unknown"};
        say(Verdict::seen, words.at(static_cast<std::size_t>(row->state)));
    } else if (known) {
        say(Verdict::seen, desk_.settings.verify
                               ? "it is past its days, and forgotten by the next rebuild"
                               : "the filter has it; the index was not asked");
    } else if (!row) {
        say(Verdict::fresh, pair.in_filter ? "the filter has it wrongly; the index has no such pair"
                                           : "no such pair");
    } else {
        say(Verdict::fresh, row->state == ports::PairState::failed
                                ? "its message failed, and it is free again"
                                : "it is past its days");
    }
    return pair;
}

}  // namespace smsrack::trigger
