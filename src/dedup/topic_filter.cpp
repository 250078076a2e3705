#include "src/dedup/topic_filter.hpp"

#include "src/base/check.hpp"

namespace smsrack::dedup {

TopicFilter::TopicFilter(const FilterSize& size, const HashKey& /*key*/) : size_(size) {}

Held TopicFilter::find(std::uint64_t number) const {
    return numbers_.contains(number) ? Held::yes : Held::no;
}

Held TopicFilter::test_and_insert(std::uint64_t number) {
    return numbers_.insert(number).second ? Held::no : Held::yes;
}

void TopicFilter::erase(std::uint64_t number) {
    numbers_.erase(number);
}

void TopicFilter::find(std::span<const std::uint64_t> numbers, std::span<Held> held) const {
    SMSRACK_CHECK(numbers.size() == held.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        held[i] = find(numbers[i]);
    }
}

void TopicFilter::test_and_insert(std::span<const std::uint64_t> numbers, std::span<Held> held) {
    SMSRACK_CHECK(numbers.size() == held.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        held[i] = test_and_insert(numbers[i]);
    }
}

void TopicFilter::prefetch(std::uint64_t /*number*/) const {}

std::uint64_t TopicFilter::keys() const {
    return numbers_.size();
}

std::uint64_t TopicFilter::bits() const {
    return numbers_.size() * 8 * 32;
}

double TopicFilter::fill() const {
    return static_cast<double>(numbers_.size()) / static_cast<double>(size_.capacity);
}

double TopicFilter::estimated_fp_rate() const {
    return 0;
}

std::size_t TopicFilter::generations() const {
    return 1;
}

}  // namespace smsrack::dedup
