#include "drivers/at/urc_pdu.hpp"

#include <doctest/doctest.h>

#include <string>

namespace smsrack::at {
namespace {

using namespace std::chrono_literals;

const SteadyTime header_at{1h};

}  // namespace

TEST_CASE("UrcPdu: the pieces of a PDU line are joined until they are as long as the header says") {
    UrcPdu urc;
    CHECK_FALSE(urc.is_open());
    CHECK(urc.by() == never);
    urc.begin("+CMT: ,3", header_at);
    CHECK(urc.is_open());
    CHECK(urc.by() == header_at + UrcPdu::limit);
    CHECK_FALSE(urc.ends_with("00040B"));
    CHECK_FALSE(urc.add("0004"));
    CHECK(urc.ends_with("0B91"));
    CHECK(urc.add("0B91"));
    const auto [header, pdu] = urc.take();
    CHECK(header == "+CMT: ,3");
    CHECK(pdu == "00040B91");
    CHECK_FALSE(urc.is_open());
    CHECK(urc.by() == never);
}

TEST_CASE("UrcPdu: given up when too many other lines come, with what came of it") {
    UrcPdu urc;
    urc.begin("+CDS: 3", header_at);
    CHECK_FALSE(urc.add("0004"));
    for (int line = 1; line < UrcPdu::patience_max; ++line) {
        CHECK_FALSE(urc.is_passed_over());
    }
    CHECK(urc.is_passed_over());
    CHECK(urc.take().second == "0004");
}

TEST_CASE(
    "UrcPdu: an owner that resumes it has the pieces, the patience and the time of the one "
    "before") {
    UrcPdu left;
    left.begin("+CMT: ,3", header_at);
    CHECK_FALSE(left.add("0004"));
    CHECK_FALSE(left.is_passed_over());
    UrcPdu resumed;
    resumed.resume(left.header(), left.pieces(), left.patience(), header_at + 200ms);
    CHECK(resumed.by() == header_at + 200ms + UrcPdu::limit);
    CHECK(resumed.patience() == UrcPdu::patience_max - 1);
    CHECK(resumed.add("0B91"));
    UrcPdu nothing;
    nothing.resume("", "", 0, header_at);
    CHECK(nothing.by() == never);
}

TEST_CASE("UrcPdu: what is longer than any line is no PDU") {
    UrcPdu urc;
    urc.begin("+CMT: ,3", header_at);
    CHECK_FALSE(urc.add(std::string(1000, '0')));
    CHECK_FALSE(urc.add(std::string(1000, '0')));
    CHECK(urc.pieces().size() == 1000);
}

}  // namespace smsrack::at
