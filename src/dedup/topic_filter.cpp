#include "src/dedup/topic_filter.hpp"

#include "src/base/check.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace smsrack::dedup {
namespace {

constexpr std::uint64_t first_keys = 256;

/// The first generation gets most of the rate, since it is mostly alone; the others share the rest: 0.2, 0.1, ...
double rate_of(double whole, std::size_t generation) {
    constexpr double first = 0.6;
    return whole * (generation == 0 ? first : std::ldexp(1 - first, -static_cast<int>(generation)));
}

}  // namespace

TopicFilter::TopicFilter(const FilterSize& size, const HashKey& key)
    : size_(size), cipher_(key_bits, key) {
    SMSRACK_CHECK(size.capacity >= 1 && size.fp_rate <= 0.5);
    tables_.emplace_back(exact_shape(key_bits, first_keys));
}

Held TopicFilter::find_key(std::uint64_t key) const {
    Held held = Held::no;
    for (const BlockTable& table : tables_) {
        held = std::max(held, table.find(key));
    }
    return held;
}

Held TopicFilter::find(std::uint64_t number) const {
    return find_key(cipher_.encrypt(number));
}

Held TopicFilter::test_and_insert_key(std::uint64_t key) {
    for (std::size_t i = 0; i + 1 < tables_.size(); ++i) {
        if (const Held held = tables_[i].find(key); held != Held::no) {
            return held;
        }
    }
    const Held before = tables_.back().test_and_insert(key);
    if (before == Held::no && tables_.back().full()) {
        grow();
    }
    return before;
}

/// Whole numbers are moved into the next table; a filter can't be, so a further filter, which
/// begins small too, is added.
void TopicFilter::grow() {
    const BlockTable& last = tables_.back();
    const std::uint64_t next_keys = last.keys() * 2;
    if (!last.exact() || last.keys() > exact_max) {
        tables_.emplace_back(exact_shape(key_bits, first_keys));
    } else if (next_keys <= exact_max) {
        move_to(exact_shape(key_bits, next_keys));
    } else {
        const std::uint64_t capacity = std::max({size_.capacity, keys(), exact_max * 2});
        move_to(whole()
                    ? exact_shape(key_bits, capacity)
                    : filter_shape(key_bits, capacity, rate_of(size_.fp_rate, tables_.size() - 1)));
    }
}

void TopicFilter::move_to(const TableShape& shape) {
    BlockTable next(shape);
    tables_.back().for_each([&](std::uint64_t key) { (void)next.test_and_insert(key); });
    tables_.back() = std::move(next);
}

void TopicFilter::erase(std::uint64_t number) {
    const std::uint64_t key = cipher_.encrypt(number);
    for (BlockTable& table : tables_) {
        if (table.exact()) {
            (void)table.erase(key);
        }
    }
}

std::uint64_t TopicFilter::prefetched_key(std::uint64_t number) const {
    const std::uint64_t key = cipher_.encrypt(number);
    for (const BlockTable& table : tables_) {
        table.prefetch(key);
    }
    return key;
}

std::uint64_t TopicFilter::keys() const {
    std::uint64_t keys = 0;
    for (const BlockTable& table : tables_) {
        keys += table.keys();
    }
    return keys;
}

std::uint64_t TopicFilter::bits() const {
    std::uint64_t bytes = 0;
    for (const BlockTable& table : tables_) {
        bytes += table.bytes();
    }
    return bytes * 8;
}

double TopicFilter::fill() const {
    std::uint64_t slots = 0;
    for (const BlockTable& table : tables_) {
        slots += table.shape().blocks * table.shape().block.slots;
    }
    return std::min(1.0, static_cast<double>(keys()) / static_cast<double>(slots));
}

double TopicFilter::estimated_fp_rate() const {
    double none = 1;
    for (const BlockTable& table : tables_) {
        none *= 1 - fp_rate(table.shape(), table.keys());
    }
    return 1 - none;
}

std::size_t TopicFilter::generations() const {
    return tables_.size();
}

}  // namespace smsrack::dedup
