/// A pool with a fixed number of slots for messages in flight; the queues carry slot numbers.
///
/// Threads: take() and release() by one thread, the owner. A slot's content belongs to the holder
///          of its number.
#pragma once

#include "src/base/check.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace smsrack::queue {

using SlotNumber = std::uint32_t;

template <typename T>
class SlotPool {
public:
    explicit SlotPool(std::size_t slots) : slots_(slots), taken_(slots, false) {
        free_.reserve(slots);
        for (std::size_t i = slots; i > 0; --i) {
            free_.push_back(static_cast<SlotNumber>(i - 1));
        }
    }

    /// Nullopt if all are taken. The content is what the last owner left.
    [[nodiscard]] std::optional<SlotNumber> take() {
        if (free_.empty()) {
            return std::nullopt;
        }
        const SlotNumber slot = free_.back();
        free_.pop_back();
        taken_[slot] = true;
        return slot;
    }

    void release(SlotNumber slot) {
        SMSRACK_CHECK(slot < slots_.size() && taken_[slot]);
        taken_[slot] = false;
        free_.push_back(slot);
    }

    [[nodiscard]] T& operator[](SlotNumber slot) { return slots_[slot]; }
    [[nodiscard]] const T& operator[](SlotNumber slot) const { return slots_[slot]; }
    [[nodiscard]] std::size_t free() const { return free_.size(); }
    [[nodiscard]] std::size_t size() const { return slots_.size(); }

private:
    std::vector<T> slots_;
    std::vector<bool> taken_;
    std::vector<SlotNumber> free_;
};

}  // namespace smsrack::queue
