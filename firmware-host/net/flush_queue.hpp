/// Connections that something has changed for, each flushed once per wake-up of the loop; and those
/// that wait for room in the memory of all.
///
/// Threads: loop thread.
#pragma once

#include "src/base/clock.hpp"
#include "src/wire/session_budget.hpp"

#include <deque>
#include <functional>
#include <utility>
#include <vector>

namespace smsrack::net {

class HttpConnection;

class FlushQueue {
public:
    /// `armed` gets the deadline of each connection that was flushed. `budget` outlives the object.
    FlushQueue(wire::SessionBudget& budget, std::function<void(SteadyTime)> armed)
        : budget_(budget), armed_(std::move(armed)) {}

    void add(HttpConnection& connection) { to_flush_.push_back(&connection); }
    /// It is closing, perhaps within run().
    void forget(HttpConnection& connection);
    /// All connections have left.
    void clear() { to_flush_.clear(); }

    void run();

private:
    void flush(HttpConnection* const& place);
    void offer_room();

    wire::SessionBudget& budget_;
    const std::function<void(SteadyTime)> armed_;
    std::vector<HttpConnection*> to_flush_;
    std::vector<HttpConnection*> flushing_;
    std::deque<HttpConnection*> want_room_;  // longest waiting first
};

}  // namespace smsrack::net
