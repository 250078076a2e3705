#include "src/api/events/event_batch.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::api {

Result<EventBatch> EventBatch::read_on(ports::StoreReader& reader, EventSeq seen, EventScope scope,
                                       bool rows) {
    const auto last = reader.last_event();  // first, so that what follows reaches at least so far
    if (!last) {
        return std::unexpected(last.error());
    }
    auto events = scope.is_all() ? reader.events(seen, events_max)
                                 : reader.events_of(scope, seen, events_max);
    if (!events) {
        return std::unexpected(events.error());
    }
    EventBatch batch{.events = std::move(*events)};
    const EventSeq read_to = batch.events.empty() ? seen : batch.events.back().seq;
    batch.place = batch.events.size() < events_max ? std::max(read_to, *last) : read_to;
    if (rows) {
        return with_rows(reader, std::move(batch));
    }
    return batch;
}

Result<EventBatch> EventBatch::with_rows(ports::StoreReader& reader, EventBatch batch) {
    std::size_t texts = 0;
    for (std::size_t i = 0; i < batch.events.size(); ++i) {
        const Event& event = batch.events[i];
        if (!is_received(event)) {
            continue;
        }
        auto row = reader.inbox_row(event.inbox);
        if (row) {
            texts += row->content.text.size() + row->content.data.size();
            batch.received.push_back(std::move(*row));
            if (texts >= texts_bytes_max && i + 1 < batch.events.size()) {
                batch.place = event.seq;
                batch.events.resize(i + 1);
            }
        } else if (row.error().code != Errc::not_found) {
            // Removed by now: the event has its id alone.
            return std::unexpected(std::move(row.error()));
        }
    }
    return batch;
}

}  // namespace smsrack::api
