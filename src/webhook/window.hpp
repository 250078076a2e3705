/// The part of a webhook's waiting deliveries that is in memory: those ready to be sent, and those
/// that the gate has.
///
/// A cache of the store: what is dropped here is read again. A delivery that the gate holds is never
/// ready.
/// Bound:   what add() is given; the caller asks the store for no more than has room.
/// Threads: the loop thread.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/ids.hpp"
#include "src/ports/webhook_store.hpp"

#include <chrono>
#include <cstddef>
#include <deque>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace smsrack::webhook {

class Window {
public:
    /// Rows that are due, as the store read them. Those that are here already are left out.
    void add(std::vector<ports::Delivery> due);

    /// The gate holds `holding` and nothing else: what another gate had, or this one has lost, is
    /// ready again, before all others. What was given to this gate within crossing_max may be on its
    /// way there. `is_new`: another process than before, which has nothing on its way.
    void held(const std::vector<EventSeq>& holding, bool is_new, SteadyTime now);
    static constexpr std::chrono::seconds crossing_max{5};

    /// Frees what was on its way then and did not arrive, as the last held() shows. Gives when there
    /// may be more; never: nothing is on its way.
    SteadyTime free_lost(SteadyTime now);

    /// Of `asked` the store found `waiting`; the gate has them. Gives those that were not here.
    [[nodiscard]] std::vector<EventSeq> adopt(std::vector<ports::Delivery> waiting,
                                              const std::vector<EventSeq>& asked);
    /// The gate does not have it, though it was adopted. Without effect while its result is written.
    void disown(EventSeq event);

    /// Up to `limit` are given to the gate, and no more once their bodies have given_bytes_max.
    /// `fresh`: also those that were never tried.
    [[nodiscard]] std::vector<ports::Delivery> give(std::size_t limit, bool fresh, SteadyTime now);
    static constexpr std::size_t given_bytes_max = 32UL * 1024;  ///< one more than reaches it

    /// One that is here, given to the gate or ready; null: it is not. Valid until the next call.
    [[nodiscard]] const ports::Delivery* find(EventSeq event) const;
    /// Its result is being written: it is neither given nor ready, whatever the gate holds.
    void decide(EventSeq event);
    [[nodiscard]] bool is_deciding(EventSeq event) const { return deciding_.contains(event); }
    /// The result was written, or was not: then the gate still has it.
    void decided(EventSeq event, bool kept);

    /// Drops what is ready: its order may have changed.
    void forget_ready() { ready_.clear(); }
    /// What was read is no longer what the store has: that drops what is ready, and what the gate
    /// has counts as not here until it is added or adopted again.
    void outdate();
    /// Since the last call something was dropped that the store still has as due.
    [[nodiscard]] bool take_dropped() { return std::exchange(dropped_, false); }

    [[nodiscard]] std::size_t ready() const { return ready_.size(); }
    /// Of those, how many were tried before.
    [[nodiscard]] std::size_t retries() const;
    /// Attempts that are under way, as far as is known.
    [[nodiscard]] std::size_t in_flight() const { return given_.size() + not_read_.size(); }
    [[nodiscard]] std::size_t known() const { return ready_.size() + in_flight(); }

private:
    struct Given {
        ports::Delivery delivery = {};
        SteadyTime at = {};
        bool outdated = false;
    };
    using Ready = std::deque<ports::Delivery>;

    [[nodiscard]] bool is_given(EventSeq event) const { return given_.contains(event); }
    static void refresh(Given& given, ports::Delivery read);
    [[nodiscard]] Ready::iterator ready_one(EventSeq event);
    void move_to_given(Ready::iterator ready, SteadyTime at);

    Ready ready_;
    std::map<EventSeq, Given> given_;
    std::set<EventSeq> deciding_;  // of given_
    std::set<EventSeq> not_read_;  // the gate holds them, and the store was not asked yet
    std::set<EventSeq> held_;      // as the gate said last
    SteadyTime held_at_ = {};      // when it did
    bool dropped_ = false;
};

}  // namespace smsrack::webhook
