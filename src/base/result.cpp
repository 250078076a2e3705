#include "src/base/result.hpp"

#include "src/base/check.hpp"

namespace smsrack {

std::string_view errc_name(Errc code) {
    switch (code) {
        case Errc::bad_request:
            return "bad_request";
        case Errc::bad_sender:
            return "bad_sender";
        case Errc::bad_number:
            return "bad_number";
        case Errc::bad_encoding:
            return "bad_encoding";
        case Errc::too_long:
            return "too_long";
        case Errc::duplicate:
            return "duplicate";
        case Errc::ref_conflict:
            return "ref_conflict";
        case Errc::overloaded:
            return "overloaded";
        case Errc::queue_full:
            return "queue_full";
        case Errc::quota_exhausted:
            return "quota_exhausted";
        case Errc::unauthorized:
            return "unauthorized";
        case Errc::forbidden:
            return "forbidden";
        case Errc::not_found:
            return "not_found";
        case Errc::conflict:
            return "conflict";
        case Errc::payload_too_large:
            return "payload_too_large";
        case Errc::storage:
            return "storage";
        case Errc::newer_database:
            return "newer_database";
        case Errc::damaged_database:
            return "damaged_database";
        case Errc::timeout:
            return "timeout";
        case Errc::closed:
            return "closed";
        case Errc::outcome_unknown:
            return "outcome_unknown";
        case Errc::cluster_away:
            return "cluster_away";
        case Errc::busy:
            return "busy";
        case Errc::no_device:
            return "no_device";
        case Errc::not_allowed:
            return "not_allowed";
        case Errc::protocol:
            return "protocol";
        case Errc::bad_config:
            return "bad_config";
        case Errc::internal:
            return "internal";
    }
    SMSRACK_CHECK(false);
    return {};
}

}  // namespace smsrack
