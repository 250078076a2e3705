#include "firmware-host/rack_links.hpp"

namespace smsrack::host {

void RackLinks::committed(std::span<const Event> events,
                          std::span<const ports::InboxRow> received) {
    RackParts* const to = parts_.load(std::memory_order_acquire);
    if (to == nullptr) {
        return;
    }
    std::uint64_t queued = 0;
    bool all_tell = true;
    for (const Event& event : events) {
        if (event.client == rack_itself) {
            to->self_sms.committed(event);
            all_tell = false;
            continue;
        }
        if (event.type != EventType::message_state) {
            continue;
        }
        if (event.state == MessageState::queued && event.attempt == 0) {
            ++queued;
        } else if (event.state == MessageState::scheduled) {
            // Its time is later than this: the dispatcher asks the store.
            to->dispatcher.due_hint(event.at);
        }
    }
    if (queued > 0) {
        to->flow.accepted(queued);
    }
    if (all_tell) {
        return to->events.committed(events, received);
    }
    std::vector<Event> told(events.begin(), events.end());
    std::erase_if(told, [](const Event& event) { return event.client == rack_itself; });
    to->events.committed(told, received);
}

void RackLinks::work_waits(GroupId group, Level level) {
    if (RackParts* const to = parts_.load(std::memory_order_acquire)) {
        to->dispatcher.work_waits(group, level);
    }
}

void RackLinks::pauses_changed(const std::vector<ports::Pause>& pauses) {
    if (RackParts* const to = parts_.load(std::memory_order_acquire)) {
        to->pauses.show(pauses);
        to->dispatcher.pauses_changed(pauses);
    }
}

}  // namespace smsrack::host
