#include "firmware-host/net/flush_queue.hpp"

#include "firmware-host/net/http_connection.hpp"

#include <algorithm>

namespace smsrack::net {

void FlushQueue::forget(HttpConnection& connection) {
    std::erase(to_flush_, &connection);
    if (connection.waits_for_room) {
        std::erase(want_room_, &connection);
    }
    std::ranges::replace(flushing_, &connection, nullptr);
}

void FlushQueue::run() {
    offer_room();
    while (!to_flush_.empty()) {
        flushing_.swap(to_flush_);
        for (HttpConnection* const& place : flushing_) {
            flush(place);
        }
        flushing_.clear();
        offer_room();
    }
}

/// forget() makes a place null.
void FlushQueue::flush(HttpConnection* const& place) {
    if (place == nullptr) {
        return;
    }
    place->flush_wanted = false;
    place->flush();
    if (place == nullptr) {
        return;
    }
    armed_(place->deadline());
    if (place->wanted_room() > 0 && !std::exchange(place->waits_for_room, true)) {
        want_room_.push_back(place);
    }
}

/// Each that waits looks once, in the order in which they came: its flush puts it at the end again
/// if it must wait on.
void FlushQueue::offer_room() {
    if (want_room_.empty() || !budget_.take_released()) {
        return;
    }
    std::deque<HttpConnection*> waiting;
    for (HttpConnection* const connection : std::exchange(want_room_, {})) {
        if (connection->room() < connection->wanted_room()) {
            waiting.push_back(connection);
            continue;
        }
        connection->waits_for_room = false;
        connection->look_again();
    }
    want_room_ = std::move(waiting);
}

}  // namespace smsrack::net
