/// Some events that a client reads at once, with the received messages that they are about.
#pragma once

#include "src/base/result.hpp"
#include "src/ports/store_reader.hpp"
#include "src/sms/event.hpp"

#include <cstddef>
#include <vector>

namespace smsrack::api {

[[nodiscard]] inline bool is_received(const Event& event) {
    return event.type == EventType::message_received;
}

struct EventBatch {
    static constexpr std::size_t events_max = 500;  ///< about 100 KiB when written
    /// Of received texts; a batch ends with the event that reaches it.
    static constexpr std::size_t texts_bytes_max = 64UL * 1024;

    std::vector<Event> events = {};
    std::vector<ports::InboxRow> received = {};  ///< the rows of those that are message.received
    EventSeq place = {};  ///< everything up to here is in it, or was seen before

    /// What follows `seen`; with `rows`, also the rows of received messages.
    [[nodiscard]] static Result<EventBatch> read_on(ports::StoreReader& reader, EventSeq seen,
                                                    EventScope scope, bool rows);
    [[nodiscard]] static Result<EventBatch> with_rows(ports::StoreReader& reader, EventBatch batch);
};

}  // namespace smsrack::api
