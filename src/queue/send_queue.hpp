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
#include <optional>
#include <vector>

namespace smsrack::queue {

class SendQueue {
public:
    explicit SendQueue(std::size_t places) : places_(places) { SMSRACK_CHECK(places > 0); }

    [[nodiscard]] bool full() const { return next_ticket_ - head_ticket_ == places_.size(); }

    /// The next place. Only when not full.
    [[nodiscard]] std::uint64_t reserve() {
        SMSRACK_CHECK(!full());
        place(next_ticket_) = Place{};
        return next_ticket_++;
    }

    void fill(std::uint64_t ticket, SlotNumber slot) { place(ticket) = {State::filled, slot}; }

    /// The message could not be encoded: its place is passed over.
    void give_up(std::uint64_t ticket) { place(ticket) = {State::passed_over, 0}; }

    /// The oldest encoded message, if the oldest place is filled.
    [[nodiscard]] std::optional<SlotNumber> take() {
        while (head_ticket_ != next_ticket_ && place(head_ticket_).state == State::passed_over) {
            ++head_ticket_;
        }
        if (head_ticket_ == next_ticket_ || place(head_ticket_).state != State::filled) {
            return std::nullopt;
        }
        return place(head_ticket_++).slot;
    }

private:
    enum class State : std::uint8_t { reserved, filled, passed_over };
    struct Place {
        State state = State::reserved;
        SlotNumber slot = 0;
    };
    Place& place(std::uint64_t ticket) { return places_[ticket % places_.size()]; }

    std::vector<Place> places_;
    std::uint64_t head_ticket_ = 0;
    std::uint64_t next_ticket_ = 0;
};

}  // namespace smsrack::queue
