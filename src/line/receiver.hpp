/// What a line has received and the store does not have yet.
///
/// A PDU is held from when the modem gives it until it is stored; only then may the modem forget it.
/// It goes to the codec as soon as its SIM is known, and again after a pause where the disk was full.
/// Bound:   as many PDUs as the receive queue has places; a full one pauses reading, and the SIM and
///          the service centre hold the rest.
/// Time:    steady, but for the times that go with a PDU.
/// Threads: the line's thread; the queue is read by one codec worker at a time.
/// Source:  [SMSEngine] receive queue.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/ids.hpp"
#include "src/ports/modem.hpp"
#include "src/queue/receive_queue.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

namespace smsrack::line {

class Receiver {
public:
    /// What the modem says of places whose PDUs were read before.
    using PlaceNews = std::variant<ports::PduErased, ports::PlacesListed>;

    /// To the codec; it outlives the object.
    explicit Receiver(queue::ReceiveQueue& queue) : queue_(queue) {}

    // Those that pass PDUs to the codec return how many; a SIM of 0 is not known yet, so none.
    [[nodiscard]] std::size_t take(const ports::ReceivedPdu& event, SimId sim, WallTime wall,
                                   SteadyTime now);
    [[nodiscard]] std::size_t sim_known(SimId sim);
    [[nodiscard]] std::size_t offer_again(SimId sim, SteadyTime now);

    /// The store has it.
    void kept(std::uint32_t token);
    /// The disk is full: it is offered again at offer_at().
    void not_kept(std::uint32_t token, SteadyTime now);
    [[nodiscard]] SteadyTime offer_at() const { return offer_at_; }

    /// Until the SIM is known, the owner of these places is unknown.
    void remember(PlaceNews news) { news_.push_back(std::move(news)); }
    [[nodiscard]] std::vector<PlaceNews> take_news() { return std::exchange(news_, {}); }

    /// Another SIM: what is held stays on the one before, and is read again when that comes back.
    void forget();

    /// The modem reads no further PDU until one of these is stored.
    [[nodiscard]] bool is_full() const { return held_.size() == queue::receive_queue_places; }
    [[nodiscard]] bool is_empty() const { return held_.empty(); }

private:
    [[nodiscard]] bool pass_on(queue::ReceivedOctets pdu, SimId sim);

    queue::ReceiveQueue& queue_;
    std::vector<queue::ReceivedOctets> held_;
    std::vector<std::uint32_t> refused_;  // by the full disk; tokens
    std::vector<PlaceNews> news_;         // <= places of held_, and a list for each memory
    SteadyTime offer_at_ = never;
};

}  // namespace smsrack::line
