#include "firmware-host/rack_address.hpp"

#include "src/dispatch/self_sms/self_sms.hpp"

#include <algorithm>

namespace smsrack::host {

void RackAddress::committed(std::span<const Event> all, std::span<const ports::InboxRow> received) {
    std::uint64_t queued = 0;
    bool all_tell = true;
    for (const Event& event : all) {
        if (event.client == rack_itself) {
            dispatch::self_sms_ended(event, board, stats_, log_);
            all_tell = false;
        } else if (event.type != EventType::message_state) {
            continue;
        } else if (event.state == MessageState::queued && event.attempt == 0) {
            queued += event.detail == "replaced" ? 0 : 1;
        } else if (event.state == MessageState::scheduled) {
            // Its time is later than this: the dispatcher asks the store.
            dispatcher.due_hint(event.at);
        }
    }
    if (queued > 0) {
        flow.accepted(queued);
    }
    if (fleet_moved) {
        fleet_moved(std::ranges::find(all, EventType::opt_out_stop, &Event::type) != all.end());
    }
    if (all_tell) {
        return events.committed(all, received);
    }
    std::vector<Event> told(all.begin(), all.end());
    std::erase_if(told, [](const Event& event) { return event.client == rack_itself; });
    events.committed(told, received);
}

}  // namespace smsrack::host
