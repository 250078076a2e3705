#include "db/read/message_times.hpp"

#include "db/read/message_record.hpp"

namespace smsrack::db {

MessageTimes moved(const MessageTimes& times, const ClockMove& move) {
    MessageTimes right = times;
    const bool is_ours = (times.flags & flag_scheduled) == 0 ||
                         (times.flags & flag_waits_for_parts) != 0 || times.has_topic;
    if (is_ours && move.concerns(times.created_at, times.expires_at)) {
        right.created_at += move.by;
        right.expires_at += move.by;
        if (right.due_at && times.state == MessageState::scheduled) {
            *right.due_at += move.by;
        }
    }
    if (times.queued_at && move.concerns(*times.queued_at)) {
        *right.queued_at += move.by;
    }
    return right;
}

}  // namespace smsrack::db
