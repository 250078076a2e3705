#include "src/cluster/upgrade_form.hpp"

#include "src/cluster/message_form.hpp"
#include "src/cluster/report_form.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using namespace smsrack::cluster;

TEST_CASE(
    "upgrade form: an order and its answer are read as they were written, and as nothing else") {
    const UpgradeLetter order{
        .mark = {.by = BoxNumber{3}, .since = 70, .beats = 77},
        .order = {.binary = "/opt/\"new\"/smsrackd", .hash = "00ff", .agreed = true}};
    const auto read = upgrade_letter_of(form_of(order));
    REQUIRE(read);
    CHECK(read->mark == order.mark);
    CHECK(read->order.binary == order.order.binary);
    CHECK(read->order.hash == "00ff");
    CHECK(read->order.agreed);

    const UpgradeAnswer answer{.from = BoxNumber{2},
                               .mark = order.mark,
                               .hash = "00ff",
                               .epoch = Epoch{9},
                               .why_not = "another file"};
    const auto why = upgrade_answer_of(form_of(answer));
    REQUIRE(why);
    CHECK(why->from == BoxNumber{2});
    CHECK(why->mark == order.mark);
    CHECK(why->hash == "00ff");
    CHECK(why->epoch == Epoch{9});
    CHECK(why->why_not == "another file");

    for (const std::string& form : {form_of(order), form_of(answer)}) {
        CAPTURE(form);
        CHECK_FALSE(letter_of(form));
        CHECK_FALSE(report_letter_of(form));
    }
    CHECK_FALSE(upgrade_letter_of(form_of(answer)));
    CHECK_FALSE(upgrade_answer_of(form_of(order)));
    CHECK_FALSE(upgrade_letter_of(form_of(EndLetter{.message = MessageId{5}})));
}

TEST_CASE("upgrade form: an order names a program by its whole path, and which file it means") {
    for (const std::string form :
         {R"({"upgrade_to":"smsrackd","hash":"00","by":1,"beats":2})",
          R"({"upgrade_to":"/opt/smsrackd","by":1,"beats":2})",
          R"({"upgrade_to":"/opt/smsrackd","hash":"00","by":1,"beats":-2})",
          R"({"upgrade_to":5,"hash":"00","by":1,"beats":2})", R"({})", R"([])", ""}) {
        CAPTURE(form);
        CHECK(upgrade_letter_of(form).error().code == Errc::bad_request);
    }
}
