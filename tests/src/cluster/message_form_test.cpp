// What boxes write to each other: it comes back as it was, and strange words are refused.
#include "src/cluster/message_form.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

NewMessage message() {
    NewMessage m;
    m.body = {.to = "+33612345678",
              .text = "Grüße \"€\"\n",
              .report = false,
              .message_class = 1,
              .ports = PortAddress{.dst = 5, .src = 6}};
    m.body.elements = std::string("\x70\x01\x00", 3);
    m.body.pid = 0x41;
    m.level = 5;
    m.group = "north";
    m.segments = 2;
    m.ref = "order 7";
    m.client = "shop";
    m.owner = OwnerId{1001};
    m.created_at = WallTime{1'000s};
    m.expires_at = WallTime{2'000s};
    m.batch = "spring";
    m.sticky = true;
    m.by = SimCard{.iccid = "893301", .imsi = "20801"};
    return m;
}

}  // namespace

TEST_CASE("message form: what is sent comes back; client, account and ref stay where they are") {
    const auto back = cluster::message_of(cluster::form_of(message()), 0s).value();
    const NewMessage m = message();
    CHECK(back.body.to == m.body.to);
    CHECK(back.body.text == m.body.text);
    CHECK_FALSE(back.body.is_data);
    CHECK_FALSE(back.body.report);
    CHECK(back.body.message_class == m.body.message_class);
    CHECK(back.body.ports->dst == 5);
    CHECK(back.body.ports->src == 6);
    CHECK(back.body.elements == m.body.elements);
    CHECK(back.body.pid == 0x41);
    CHECK(back.level == 5);
    CHECK(back.group == "north");
    CHECK(back.segments == 2);
    CHECK(back.batch == "spring");
    CHECK(back.sticky);
    CHECK(back.by == m.by);
    CHECK(back.shared);
    CHECK(back.ref.empty());
    CHECK(back.client.empty());
    CHECK(back.owner == OwnerId{});
}

TEST_CASE("message form: octets are octets") {
    NewMessage m = message();
    m.body.is_data = true;
    m.body.data = std::string("\x00\xff{", 3);
    const auto back = cluster::message_of(cluster::form_of(m), 0s).value();
    CHECK(back.body.is_data);
    CHECK(back.body.data == m.body.data);
}

TEST_CASE("message form: times are moved by what the reader's clock is ahead") {
    NewMessage m = message();
    m.not_before = WallTime{1'500s};
    const auto back = cluster::message_of(cluster::form_of(m), -24h).value();
    CHECK(back.created_at == m.created_at - 24h);
    CHECK(back.expires_at == m.expires_at - 24h);
    CHECK(back.not_before == *m.not_before - 24h);
}

TEST_CASE(
    "message form: a neighbouring release's members are ignored, and absent ones have defaults") {
    const auto read =
        cluster::message_of(R"({"to":"+33612345678","text":"a","moon":{"phase":1}})", 0s);
    REQUIRE(read);
    CHECK(read->level == NewMessage{}.level);
    CHECK(read->body.report);
}

TEST_CASE("message form: what no box has written is refused") {
    for (const char* const form :
         {"", "[]", "7", R"({"text":"a"})", R"({"to":"+33612345678","text":7})",
          R"({"to":"+33612345678","data":"0g"})", R"({"to":"+33612345678","segments":0})"}) {
        CAPTURE(std::string(form));
        CHECK(cluster::message_of(form, 0s).error().code == Errc::bad_request);
    }
    for (const char* const form :
         {"", "{}", R"({"message":7,"state":"asleep"})", R"({"message":0,"state":"sent"})"}) {
        CAPTURE(std::string(form));
        CHECK(cluster::letter_of(form).error().code == Errc::bad_request);
    }
}

TEST_CASE("message form: a letter says how another box's message ended") {
    const cluster::EndLetter letter{.message = MessageId{before_ids_of(BoxNumber{1'023}) + 5},
                                    .state = MessageState::failed,
                                    .detail = "outcome_unknown",
                                    .box = BoxNumber{2}};
    const auto back = cluster::letter_of(cluster::form_of(letter)).value();
    CHECK(back.message == letter.message);
    CHECK(back.state == letter.state);
    CHECK(back.detail == letter.detail);
    CHECK(back.box == letter.box);
}
