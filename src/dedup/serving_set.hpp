/// The filters of all topics of one trigger. Any thread queries and fills them; rebuilt ones
/// replace them without a pause.
///
///     begin_rebuild()  ->  Rebuild::add(records) ...  ->  Rebuild::commit()
///
/// From begin on, what is inserted goes to the serving filters and to the new ones, what is erased is erased again at the
/// commit, and records may be added in any order and twice. So the new ones miss nothing that the serving ones had,
/// if the records are read after begin and whatever was inserted before begin is among them.
/// Threads: any. A call holds the lock for some microseconds for 64 pairs (a commit: to exchange pointers); a rebuild
///          holds another one while it adds, for which only inserts wait. A Rebuild belongs to one thread at a time.
/// Errors:  of begin_rebuild: busy: one is at work. Of commit: queue_full: more than erased_max pairs were erased
///          meanwhile; the serving ones stay: begin again.
/// Source:  [Welcome]: rebuilt each night from the records, next to the serving ones, then swapped.
#pragma once

#include "src/base/keyed_hash.hpp"
#include "src/base/result.hpp"
#include "src/dedup/held.hpp"
#include "src/dedup/pair_key.hpp"
#include "src/dedup/topic_filter.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

namespace smsrack::dedup {

/// One topic, for metrics and for people.
struct TopicFigures {
    std::uint32_t topic = 0;
    std::uint64_t keys = 0;
    std::uint64_t bits = 0;
    double fill = 0;
    double estimated_fp_rate = 0;
    std::size_t generations = 0;
};

class ServingSet {
public:
    /// The commit erases them under the lock: some milliseconds.
    static constexpr std::size_t erased_max = 100'000;
    class Rebuild;

    ServingSet(const FilterSize& size, const HashKey& key);
    ServingSet(const ServingSet&) = delete;
    ServingSet& operator=(const ServingSet&) = delete;
    ~ServingSet();

    /// `held` is as long as `pairs`; a topic that has had nothing holds nothing.
    void find(std::span<const PairKey> pairs, std::span<Held> held) const;
    /// Takes the pairs for which it said `no`. For a pair for which it said `maybe` and that the
    /// index finds new, call insert().
    void test_and_insert(std::span<const PairKey> pairs, std::span<Held> held);
    /// Pairs that have a record now; a rebuild at work takes each of them, whatever the serving filters held.
    void insert(std::span<const PairKey> pairs);
    void erase(std::span<const PairKey> pairs);

    [[nodiscard]] Held find(const PairKey& pair) const;
    void insert(const PairKey& pair) { insert(std::span(&pair, 1)); }
    void erase(const PairKey& pair) { erase(std::span(&pair, 1)); }

    /// Of all topics, or of one, so that only one is in memory twice. It ends with the Rebuild.
    [[nodiscard]] Result<Rebuild> begin_rebuild(std::optional<std::uint32_t> topic = {});

    [[nodiscard]] std::vector<TopicFigures> topics() const;  ///< by their number
    [[nodiscard]] std::uint64_t bytes() const;               ///< of the serving ones

private:
    using Filters = std::vector<std::unique_ptr<TopicFilter>>;  // by topic; null: holds nothing
    struct Shadow;

    [[nodiscard]] static TopicFilter& filter_of(Filters& filters, std::uint32_t topic,
                                                const FilterSize& size, const HashKey& key);
    void take(std::span<const PairKey> pairs, std::span<Held> held, bool all_to_shadow);
    void tell_shadow(const PairKey& pair, bool erased);

    const FilterSize size_;
    const HashKey key_;
    mutable std::mutex lock_ = {};  // guards serving_ and shadow_
    Filters serving_ = {};
    std::shared_ptr<Shadow> shadow_ = {};  // of the rebuild at work
};

/// Filters in the making; without a commit they are dropped at the end, and the serving ones stay. The set outlives it.
class ServingSet::Rebuild {
public:
    Rebuild(Rebuild&& other) noexcept = default;
    Rebuild& operator=(Rebuild&&) = delete;
    Rebuild(const Rebuild&) = delete;
    Rebuild& operator=(const Rebuild&) = delete;
    ~Rebuild();

    /// Records, of any length; pairs of other topics than the rebuild's are left out.
    void add(std::span<const PairKey> records);
    [[nodiscard]] Result<> commit();

private:
    friend class ServingSet;
    Rebuild(ServingSet& set, std::shared_ptr<Shadow> shadow);

    ServingSet* set_;
    std::shared_ptr<Shadow> shadow_;
};

}  // namespace smsrack::dedup
