/// The network's side of one SIM: the messages that wait for it at the service centre.
///
/// A message that the modem can't take stays here, as with a real centre, and comes later.
/// Unit:    at most 20,000 inbound segments should wait: ask has_room() before put().
#pragma once

#include "src/base/clock.hpp"
#include "tools/modem_model/sms/tpdu.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace smsrack::modem_sim {

/// One PDU on its way to the modem, with what the journal wants to know of it.
struct Delivery {
    NetworkPdu pdu = {};
    bool report = false;
    std::uint64_t id = 0;
    int segment = 1;
    int segments = 1;
    std::string peer = {};
    std::string text = {};
    int mr = 0;
    int status = 0;
};

class Smsc {
public:
    static constexpr std::size_t waiting_max = 20'000;

    /// Whether this many more inbound segments may wait.
    [[nodiscard]] bool has_room(std::size_t segments) const {
        return inbound_.size() + segments <= waiting_max;
    }
    /// Also takes back what the modem could not deliver: that is never refused.
    void put(SteadyTime due, Delivery delivery) {
        queue_of(delivery.report).emplace(due, std::move(delivery));
    }
    /// When the first of its kind may go; `never` where none waits.
    [[nodiscard]] SteadyTime due(bool report) const {
        const auto& queue = report ? reports_ : inbound_;
        return queue.empty() ? never : queue.begin()->first;
    }
    /// The first of its kind; there must be one.
    [[nodiscard]] Delivery take(bool report) {
        auto& queue = queue_of(report);
        Delivery first = std::move(queue.begin()->second);
        queue.erase(queue.begin());
        return first;
    }
    [[nodiscard]] std::size_t waiting(bool report) const {
        return report ? reports_.size() : inbound_.size();
    }

private:
    using Queue = std::multimap<SteadyTime, Delivery>;
    Queue& queue_of(bool report) { return report ? reports_ : inbound_; }

    Queue inbound_;
    Queue reports_;
};

}  // namespace smsrack::modem_sim
