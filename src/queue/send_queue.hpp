/// The send queue of one group: a small ring of encoded messages (slot numbers) in the order of
/// their tickets.
///
/// A ticket is a place: codec workers may end in any order, the ring gives them out in the order in
/// which places were reserved. Small (two places a line), so that a high level never waits behind a
/// long encoded backlog. Threads: the dispatch thread. Source:  [SMSEngine] send queue; design
/// algorithms.md 1.
#pragma once

#include "src/base/check.hpp"
#include "src/queue/slot_pool.hpp"

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace smsrack::queue {

enum class Look : std::uint8_t { take, further, stop };

class SendQueue {
public:
    explicit SendQueue(std::size_t places) : places_(places) { SMSRACK_CHECK(places > 0); }

    [[nodiscard]] bool full() const {
        const std::lock_guard lock(mutex_);
        return is_full();
    }

    [[nodiscard]] bool empty() const {
        const std::lock_guard lock(mutex_);
        return head_ticket_ == next_ticket_;
    }

    /// The next place. Only when not full.
    [[nodiscard]] std::uint64_t reserve() {
        const std::lock_guard lock(mutex_);
        SMSRACK_CHECK(!is_full());
        place(next_ticket_) = Place{};
        return next_ticket_++;
    }

    void fill(std::uint64_t ticket, SlotNumber slot) {
        const std::lock_guard lock(mutex_);
        place(ticket) = {State::filled, slot};
    }

    /// The message could not be encoded: its place is passed over.
    void give_up(std::uint64_t ticket) {
        const std::lock_guard lock(mutex_);
        place(ticket) = {State::passed_over, 0};
    }

    /// Lines may take by themselves only while it is open: dispatch closes it when it has something to decide.
    void open(bool lines_may_take) {
        const std::lock_guard lock(mutex_);
        open_ = lines_may_take;
    }

    /// True where a message waits, encoded or about to be.
    [[nodiscard]] bool has_more() const {
        const std::lock_guard lock(mutex_);
        return next_ticket_ != head_ticket_;
    }

    /// For dispatch: the oldest encoded message, if the oldest place is filled.
    [[nodiscard]] std::optional<SlotNumber> take() {
        const std::lock_guard lock(mutex_);
        return head(true);
    }

    /// For dispatch: the oldest encoded message that `judge` takes, as far as it looks.
    template <typename Judge>
    [[nodiscard]] std::optional<SlotNumber> take_where(Judge judge) {
        const std::lock_guard lock(mutex_);
        skip_passed();
        for (std::uint64_t ticket = head_ticket_; ticket != next_ticket_; ++ticket) {
            Place& at = place(ticket);
            if (at.state == State::reserved) {
                return std::nullopt;
            }
            const Look look = at.state == State::filled ? judge(at.slot) : Look::further;
            if (look == Look::take) {
                const SlotNumber slot = at.slot;
                at.state = State::passed_over;
                skip_passed();
                return slot;
            }
            if (look == Look::stop) {
                return std::nullopt;
            }
        }
        return std::nullopt;
    }

    /// For a line: the oldest, while open and if the message is `fit`.
    template <typename Fit>
    [[nodiscard]] std::optional<SlotNumber> take_if(Fit fit) {
        const std::lock_guard lock(mutex_);
        if (!open_) {
            return std::nullopt;
        }
        const auto slot = head(false);
        return slot && fit(*slot) ? head(true) : std::nullopt;
    }

private:
    enum class State : std::uint8_t { reserved, filled, passed_over };
    struct Place {
        State state = State::reserved;
        SlotNumber slot = 0;
    };
    [[nodiscard]] bool is_full() const { return next_ticket_ - head_ticket_ == places_.size(); }
    void skip_passed() {
        while (head_ticket_ != next_ticket_ && place(head_ticket_).state == State::passed_over) {
            ++head_ticket_;
        }
    }
    [[nodiscard]] std::optional<SlotNumber> head(bool remove) {
        skip_passed();
        if (head_ticket_ == next_ticket_ || place(head_ticket_).state != State::filled) {
            return std::nullopt;
        }
        const SlotNumber slot = place(head_ticket_).slot;
        head_ticket_ += remove ? 1 : 0;
        return slot;
    }
    Place& place(std::uint64_t ticket) { return places_[ticket % places_.size()]; }

    mutable std::mutex mutex_;  // guards all below
    std::vector<Place> places_;
    bool open_ = false;
    std::uint64_t head_ticket_ = 0;
    std::uint64_t next_ticket_ = 0;
};

}  // namespace smsrack::queue
