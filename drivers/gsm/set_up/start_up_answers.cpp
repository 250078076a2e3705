#include "drivers/gsm/set_up/start_up_answers.hpp"

#include "drivers/gsm/fields.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::gsm {

void StartUpAnswers::begin() {
    facts_ = {};
    booted_ = {};
}

void StartUpAnswers::ask(InitStep step) {
    if (std::exchange(step_, step) != step) {
        reading_.begin();
    }
    answer_ = {};
}

void StartUpAnswers::take(std::string_view line) {
    auto& identity = facts_.identity;
    answer_.has_line = true;
    switch (step_) {
        case InitStep::imei:
            identity.imei = number_of(line);
            answer_.has_line = !identity.imei.empty();
            return reading_.take(Identity::imei, identity.imei);
        case InitStep::imsi:
            identity.imsi = number_of(line);
            answer_.has_line = !identity.imsi.empty();
            return reading_.take(Identity::imsi, identity.imsi);
        case InitStep::pin_card:
        case InitStep::iccid:
            identity.iccid = iccid_of(line);
            return reading_.take(Identity::iccid, identity.iccid);
        case InitStep::model:
            identity.model = line;
            return;
        case InitStep::revision:
            identity.revision = line;
            return;
        case InitStep::own_number:
            identity.number = field(line, 1);
            return;
        case InitStep::mark:
            facts_.mark_kept = number_field(line, 0).value_or(0) != 0;
            return;
        case InitStep::functionality:
            answer_.functionality = number_field(line, 0);
            return;
        case InitStep::events:
            events_ = static_cast<unsigned>(std::max(0, number_field(line, 0).value_or(0)));
            return;
        case InitStep::pin_state:
            answer_.pin_state = std::string(field(line, 0));
            return;
        case InitStep::pin_attempts:
            answer_.attempts_left = number_field(line, profile_.pin_fields.pin).value_or(0);
            return;
        case InitStep::centre:
            answer_.has_centre = !field(line, 0).empty();
            return;
        case InitStep::rate_list:
            answer_.rates = line;
            return;
        case InitStep::memory_sm:
            facts_.storage_used = number_field(line, 0).value_or(0);
            facts_.storage_total = number_field(line, 1).value_or(0);
            return;
        case InitStep::booted_service:
            booted_.service = number_field(line, 0);
            return;
        case InitStep::booted_notify:
            booted_.mt = number_field(line, 1);
            booted_.ds = number_field(line, 3);
            return;
        default:
            return;
    }
}

bool StartUpAnswers::lacks_events() const {
    const EventMask& mask = profile_.event_mask;
    const bool is_older = events_ <= mask.older_max;
    const unsigned possible = is_older ? mask.wanted & mask.older_max : mask.wanted;
    return (events_ & mask.wanted) != mask.wanted && (events_ & mask.wanted) != possible;
}

unsigned StartUpAnswers::event_sum(InitStep step) const {
    const EventMask& mask = profile_.event_mask;
    const unsigned sum = events_ | mask.wanted;
    return step == InitStep::events_on ? sum : sum & mask.older_max;
}

/// A modem that has not restarted has the last settings it got, not what it begins with; and AT&W would keep our
/// mark, AT+CREG=1.
bool StartUpAnswers::is_needless(InitStep step) const {
    switch (step) {
        case InitStep::booted_service:
        case InitStep::booted_notify:
            return facts_.mark_kept;
        case InitStep::keep_general:
            return facts_.mark_kept || kept_by_ == facts_.identity.imei || !boots_otherwise();
        default:
            return false;
    }
}

bool StartUpAnswers::boots_otherwise() const {
    const int service = facts_.confirms ? 1 : 0;
    const int ds = facts_.reports_stored ? 2 : 1;  // as notify_command() sets it
    return booted_.service.value_or(service) != service || booted_.mt.value_or(1) != 1 ||
           booted_.ds.value_or(ds) != ds;
}

}  // namespace smsrack::gsm
