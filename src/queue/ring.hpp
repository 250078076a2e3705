/// A circular buffer with a fixed number of places, in order; entries can also be added and removed
/// in the middle.
///
/// All memory is taken by the constructor. An entry in the middle moves those of the shorter side by one place.
/// Unit:    entries; index 0 is the first one.
/// Threads: none of its own.
/// Source:  [SMSEngine] the send queue is a fixed-size ring.
#pragma once

#include "src/base/check.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace smsrack::queue {

template <typename T>
class Ring {
public:
    Ring() = default;  // of no places
    explicit Ring(std::size_t places) : places_(places) {}

    [[nodiscard]] std::size_t places() const { return places_.size(); }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }

    [[nodiscard]] T& operator[](std::size_t index) { return places_[place_of(index)]; }
    [[nodiscard]] const T& operator[](std::size_t index) const { return places_[place_of(index)]; }
    [[nodiscard]] const T& front() const { return (*this)[0]; }
    [[nodiscard]] const T& back() const { return (*this)[size_ - 1]; }

    /// Before the one that has this index now; `size()`: at the end. There must be a free place.
    void insert(std::size_t index, T entry) {
        SMSRACK_CHECK(size_ < places_.size() && index <= size_);
        ++size_;
        if (index < size_ / 2) {
            first_ = first_ == 0 ? places_.size() - 1 : first_ - 1;
            for (std::size_t i = 0; i < index; ++i) {
                (*this)[i] = std::move((*this)[i + 1]);
            }
        } else {
            for (std::size_t i = size_ - 1; i > index; --i) {
                (*this)[i] = std::move((*this)[i - 1]);
            }
        }
        (*this)[index] = std::move(entry);
    }

    /// The one that has this index leaves.
    T take(std::size_t index) {
        SMSRACK_CHECK(index < size_);
        T entry = std::move((*this)[index]);
        if (index < size_ / 2) {
            for (std::size_t i = index; i > 0; --i) {
                (*this)[i] = std::move((*this)[i - 1]);
            }
            first_ = place_of(1);
        } else {
            for (std::size_t i = index; i + 1 < size_; ++i) {
                (*this)[i] = std::move((*this)[i + 1]);
            }
        }
        --size_;
        return entry;
    }

private:
    [[nodiscard]] std::size_t place_of(std::size_t index) const {
        const std::size_t place = first_ + index;
        return place < places_.size() ? place : place - places_.size();
    }

    std::vector<T> places_ = {};
    std::size_t first_ = 0;
    std::size_t size_ = 0;
};

/// As insert_at() and take_at() of other lists.
template <typename T>
void insert_at(Ring<T>& ring, std::size_t index, T entry) {
    ring.insert(index, std::move(entry));
}
template <typename T>
T take_at(Ring<T>& ring, std::size_t index) {
    return ring.take(index);
}

}  // namespace smsrack::queue
