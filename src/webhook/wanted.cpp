#include "src/webhook/wanted.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::webhook {
namespace {

// A step of the log: some 10 ms of one reader.
constexpr std::size_t page_events = 500;

struct Page {
    std::vector<Event> events = {};
    EventSeq place = {};
    bool more = false;
};

/// The next events that the filter's client has to do with. `last`: of the log.
Result<Page> read_page(ports::StoreReader& reader, const EventFilter& filter, EventSeq after,
                       EventSeq last) {
    Result<std::vector<Event>> events;
    if (filter.client.empty()) {
        events = reader.events(after, page_events);
    } else if (const auto client = reader.client(filter.client); client) {
        events = reader.events_of({.client = client->id}, after, page_events);
    } else if (client.error().code != Errc::not_found) {
        return std::unexpected(client.error());
    }
    if (!events) {
        return std::unexpected(std::move(events.error()));
    }
    const bool more = events->size() >= page_events;
    const EventSeq read_to = events->empty() ? after : events->back().seq;
    return Page{.events = *std::move(events),
                .place = more ? read_to : std::max(read_to, last),
                .more = more};
}

}  // namespace

Result<Wanted> read_wanted(ports::StoreReader& reader, const EventFilter& filter,
                           const BuildDelivery& build, const WantedQuestion& question) {
    const auto last = reader.last_event();  // first, so that what follows reaches at least so far
    if (!last) {
        return std::unexpected(last.error());
    }
    auto page = read_page(reader, filter, question.after, *last);
    if (!page) {
        return std::unexpected(std::move(page.error()));
    }
    Wanted wanted{.place = page->place, .more = page->more};
    std::size_t bytes = 0;
    for (const Event& event : page->events) {
        if (question.until && event.seq > *question.until) {
            wanted.more = false;
            break;
        }
        if (!filter.wants_type(event)) {
            continue;
        }
        if (wanted.deliveries.size() >= question.rows_max || bytes >= question.bytes_max) {
            wanted.place = EventSeq{event.seq.value - 1};  // it comes with the next step
            wanted.more = true;
            break;
        }
        auto delivery = build(reader, event, question.text);
        if (!delivery) {
            return std::unexpected(std::move(delivery.error()));
        }
        bytes += delivery->body.size();
        wanted.deliveries.push_back(*std::move(delivery));
    }
    return wanted;
}

Result<Behind> count_behind(ports::StoreReader& reader, const EventFilter& filter, EventSeq after,
                            std::size_t most) {
    Behind behind;
    bool more = true;
    for (std::size_t seen = 0; more && seen < scan_max && behind.events < most;) {
        const auto page = read_page(reader, filter, after, after);
        if (!page) {
            return std::unexpected(page.error());
        }
        for (const Event& event : page->events) {
            if (filter.wants_type(event) && behind.events < most) {
                ++behind.events;
                behind.oldest = behind.oldest.value_or(event.at);
            }
        }
        seen += page->events.size();
        after = page->place;
        more = page->more;
    }
    return behind;
}

Result<EventSeq> last_before(ports::StoreReader& reader, WallTime time) {
    const auto last = reader.last_event();
    if (!last) {
        return std::unexpected(last.error());
    }
    std::int64_t low = 0;  // came before, or 0
    std::int64_t high = last->value + 1;
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        const auto events = reader.events(EventSeq{middle - 1}, 1);
        if (!events) {
            return std::unexpected(events.error());
        }
        if (!events->empty() && events->front().seq.value < high && events->front().at < time) {
            low = events->front().seq.value;
        } else {
            high = middle;
        }
    }
    return EventSeq{low};
}

}  // namespace smsrack::webhook
