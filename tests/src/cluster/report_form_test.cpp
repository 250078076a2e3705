// A status report between boxes: it comes as it was.
#include "src/cluster/report_form.hpp"

#include "src/cluster/message_form.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

cluster::ReportLetter letter() {
    cluster::ReportLetter letter{.from = BoxNumber{3}, .name = "north"};
    letter.stray.card = "8933";
    StatusReport& r = letter.stray.report;
    r.modem = "m1";
    r.tp_mr = 200;
    r.recipient = "+33612345678";
    r.scts = WallTime{5s};
    r.tp_status = 0x30;
    r.raw = std::string("\x00\x06\xff", 3);
    r.fingerprint = {1, 2, 255};
    r.received_at = WallTime{77s};
    return letter;
}

}  // namespace

TEST_CASE("report form: all of a report comes as it was, and the modem with its box") {
    const auto sent = letter();
    const auto read = cluster::report_letter_of(cluster::form_of(sent)).value();
    CHECK(read.from == sent.from);
    CHECK(read.stray.card == sent.stray.card);
    const StatusReport& r = read.stray.report;
    CHECK(r.modem == "north m1");
    CHECK(r.tp_mr == 200);
    CHECK(r.recipient == "+33612345678");
    CHECK(r.scts == WallTime{5s});
    CHECK_FALSE(r.discharge);
    CHECK(r.tp_status == 0x30);
    CHECK(r.raw == sent.stray.report.raw);
    CHECK(r.fingerprint == sent.stray.report.fingerprint);
    CHECK(r.received_at == WallTime{77s});
}

TEST_CASE("report form: what is not a report is refused") {
    CHECK_FALSE(cluster::report_letter_of(""));
    CHECK_FALSE(cluster::report_letter_of("{}"));
    CHECK_FALSE(cluster::report_letter_of(R"({"report_of":"8933"})"));
    CHECK_FALSE(
        cluster::report_letter_of(cluster::form_of(cluster::EndLetter{.message = MessageId{1}})));
    auto form = cluster::form_of(letter());
    form.replace(form.find("0006ff"), 2, "zz");
    CHECK_FALSE(cluster::report_letter_of(form));
    // An end is not taken for a report, and a report not for an end.
    CHECK_FALSE(cluster::letter_of(cluster::form_of(letter())));
}
