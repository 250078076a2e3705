// Times of the API and of PDUs: what is read and written again is the same moment.
#include "src/base/check.hpp"
#include "src/base/time_text.hpp"
#include "src/pdu/scts.hpp"
#include "tests/fuzz/input.hpp"

#include <string>

namespace smsrack::fuzz {
namespace {

void check(std::string_view text) {
    const auto time = time_of(text);
    if (time) {
        const std::string written = time_text(*time);
        const auto again = time_of(written);
        SMSRACK_CHECK(again && *again == *time);
        SMSRACK_CHECK(time_text(*again) == written);
    } else {
        SMSRACK_CHECK(time.error().code == Errc::bad_request);
    }
    const auto civil = pdu::parse_civil_time(text);
    if (civil) {
        SMSRACK_CHECK(time && *time == civil->wall());
        const auto stamp = pdu::timestamp_of(pdu::make_timestamp(*civil));
        SMSRACK_CHECK(stamp.time && stamp.time->rfc3339().view() == civil->rfc3339().view());
        const auto again = pdu::parse_civil_time(civil->rfc3339().view());
        SMSRACK_CHECK(again && again->wall() == civil->wall());
    }
}

}  // namespace

int fuzz_times(Octets input) {
    check(text_of(input));
    for (const std::string_view line : lines_of(text_of(input))) {
        check(line);
    }
    return 0;
}

}  // namespace smsrack::fuzz
