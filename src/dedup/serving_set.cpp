#include "src/dedup/serving_set.hpp"

#include "src/base/check.hpp"
#include "src/dedup/pipelined.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace smsrack::dedup {
namespace {

constexpr std::size_t stretch = 64;  // pairs for which the lock is held

/// A filter that is asked soon; none: the topic has had nothing.
struct Asked {
    const TopicFilter* filter = nullptr;
    std::uint64_t key = 0;
};

template <typename Work>
void by_stretches(std::span<const PairKey> pairs, const Work& work) {
    for (std::size_t at = 0; at < pairs.size(); at += stretch) {
        work(at, std::min(stretch, pairs.size() - at));
    }
}

}  // namespace

struct ServingSet::Shadow {
    explicit Shadow(std::optional<std::uint32_t> only) : topic(only) {}
    [[nodiscard]] bool covers(const PairKey& pair) const { return !topic || *topic == pair.topic; }

    const std::optional<std::uint32_t> topic;
    std::mutex lock = {};  // guards all below; taken alone, or after ServingSet::lock_
    Filters filters = {};
    std::unordered_set<PairKey, PairKeyHash> erased = {};  // and not inserted again
    bool too_many_erased = false;
};

ServingSet::ServingSet(const FilterSize& size, const HashKey& key) : size_(size), key_(key) {}

ServingSet::~ServingSet() = default;

TopicFilter& ServingSet::filter_of(Filters& filters, std::uint32_t topic, const FilterSize& size,
                                   const HashKey& key) {
    SMSRACK_CHECK(topic < topics_max);
    if (topic >= filters.size()) {
        filters.resize(topic + 1);
    }
    if (filters[topic] == nullptr) {
        filters[topic] = std::make_unique<TopicFilter>(size, key);
    }
    return *filters[topic];
}

Held ServingSet::find(const PairKey& pair) const {
    Held held = Held::no;
    find(std::span(&pair, 1), std::span(&held, 1));
    return held;
}

void ServingSet::find(std::span<const PairKey> pairs, std::span<Held> held) const {
    SMSRACK_CHECK(pairs.size() == held.size());
    by_stretches(pairs, [&](std::size_t at, std::size_t count) {
        const std::lock_guard guard(lock_);
        pipelined<Asked>(
            count,
            [&](std::size_t i) {
                const PairKey& pair = pairs[at + i];
                const TopicFilter* const filter =
                    pair.topic < serving_.size() ? serving_[pair.topic].get() : nullptr;
                return Asked{.filter = filter,
                             .key = filter ? filter->prefetched_key(pair.number) : 0};
            },
            [&](std::size_t i, const Asked& asked) {
                held[at + i] = asked.filter ? asked.filter->find_key(asked.key) : Held::no;
            });
    });
}

void ServingSet::test_and_insert(std::span<const PairKey> pairs, std::span<Held> held) {
    SMSRACK_CHECK(pairs.size() == held.size());
    by_stretches(pairs, [&](std::size_t at, std::size_t count) {
        take(pairs.subspan(at, count), held.subspan(at, count), false);
    });
}

void ServingSet::insert(std::span<const PairKey> pairs) {
    by_stretches(pairs, [&](std::size_t at, std::size_t count) {
        std::array<Held, stretch> held = {};
        take(pairs.subspan(at, count), std::span(held).first(count), true);
    });
}

void ServingSet::take(std::span<const PairKey> pairs, std::span<Held> held, bool all_to_shadow) {
    const std::lock_guard guard(lock_);
    pipelined<std::uint64_t>(
        pairs.size(),
        [&](std::size_t i) {
            return filter_of(serving_, pairs[i].topic, size_, key_).prefetched_key(pairs[i].number);
        },
        [&](std::size_t i, std::uint64_t key) {
            held[i] = serving_[pairs[i].topic]->test_and_insert_key(key);
            if (shadow_ != nullptr && (all_to_shadow || held[i] == Held::no)) {
                tell_shadow(pairs[i], false);
            }
        });
}

void ServingSet::erase(std::span<const PairKey> pairs) {
    by_stretches(pairs, [&](std::size_t at, std::size_t count) {
        const std::lock_guard guard(lock_);
        for (const PairKey& pair : pairs.subspan(at, count)) {
            if (pair.topic < serving_.size() && serving_[pair.topic] != nullptr) {
                serving_[pair.topic]->erase(pair.number);
            }
            if (shadow_ != nullptr) {
                tell_shadow(pair, true);
            }
        }
    });
}

/// Under lock_, so that a commit comes before or after, never between.
void ServingSet::tell_shadow(const PairKey& pair, bool erased) {
    if (!shadow_->covers(pair)) {
        return;
    }
    const std::lock_guard guard(shadow_->lock);
    if (!erased) {
        shadow_->erased.erase(pair);
        filter_of(shadow_->filters, pair.topic, size_, key_).insert(pair.number);
    } else if (shadow_->erased.size() < erased_max) {
        shadow_->erased.insert(pair);
    } else {
        shadow_->too_many_erased = true;
    }
}

Result<ServingSet::Rebuild> ServingSet::begin_rebuild(std::optional<std::uint32_t> topic) {
    const std::lock_guard guard(lock_);
    if (shadow_ != nullptr) {
        return fail(Errc::busy, "a rebuild of the filters is at work");
    }
    shadow_ = std::make_shared<Shadow>(topic);
    return Rebuild(*this, shadow_);
}

std::vector<TopicFigures> ServingSet::topics() const {
    std::vector<TopicFigures> figures;
    const std::lock_guard guard(lock_);
    for (std::uint32_t topic = 0; topic < serving_.size(); ++topic) {
        if (const TopicFilter* const filter = serving_[topic].get(); filter != nullptr) {
            figures.push_back({.topic = topic,
                               .keys = filter->keys(),
                               .bits = filter->bits(),
                               .fill = filter->fill(),
                               .estimated_fp_rate = filter->estimated_fp_rate(),
                               .generations = filter->generations()});
        }
    }
    return figures;
}

std::uint64_t ServingSet::bytes() const {
    std::uint64_t bits = 0;
    for (const TopicFigures& topic : topics()) {
        bits += topic.bits;
    }
    return bits / 8;
}

ServingSet::Rebuild::Rebuild(ServingSet& set, std::shared_ptr<Shadow> shadow)
    : set_(&set), shadow_(std::move(shadow)) {}

ServingSet::Rebuild::~Rebuild() {
    if (shadow_ != nullptr) {
        const std::lock_guard guard(set_->lock_);
        set_->shadow_.reset();
    }
}

void ServingSet::Rebuild::add(std::span<const PairKey> records) {
    SMSRACK_CHECK(shadow_ != nullptr);
    by_stretches(records, [&](std::size_t at, std::size_t count) {
        const std::lock_guard guard(shadow_->lock);
        const auto part = records.subspan(at, count);
        pipelined<std::uint64_t>(
            count,
            [&](std::size_t i) {
                return shadow_->covers(part[i])
                           ? filter_of(shadow_->filters, part[i].topic, set_->size_, set_->key_)
                                 .prefetched_key(part[i].number)
                           : 0;
            },
            [&](std::size_t i, std::uint64_t key) {
                if (shadow_->covers(part[i])) {
                    (void)shadow_->filters[part[i].topic]->test_and_insert_key(key);
                }
            });
    });
}

Result<> ServingSet::Rebuild::commit() {
    SMSRACK_CHECK(shadow_ != nullptr);
    Filters old;  // freed after the locks
    const std::shared_ptr<Shadow> shadow = std::move(shadow_);
    const std::lock_guard guard(set_->lock_);
    const std::lock_guard shadow_guard(shadow->lock);
    set_->shadow_.reset();
    if (shadow->too_many_erased) {
        return fail(Errc::queue_full, "too many pairs were given back during the rebuild");
    }
    for (const PairKey& pair : shadow->erased) {
        if (pair.topic < shadow->filters.size() && shadow->filters[pair.topic] != nullptr) {
            shadow->filters[pair.topic]->erase(pair.number);
        }
    }
    if (!shadow->topic) {
        old = std::exchange(set_->serving_, std::move(shadow->filters));
        return {};
    }
    const std::uint32_t topic = *shadow->topic;
    const std::size_t size = std::max<std::size_t>(set_->serving_.size(), topic + 1);
    set_->serving_.resize(size);
    shadow->filters.resize(size);
    std::swap(set_->serving_[topic], shadow->filters[topic]);
    old = std::move(shadow->filters);
    return {};
}

}  // namespace smsrack::dedup
