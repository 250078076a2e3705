#include "src/smpp/receipt.hpp"

#include "src/base/time_text.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace smsrack;
using namespace smsrack::smpp;

namespace {

const Account account{.name = "shop", .hash = "$y$"};
const Account of_kannel{.name = "shop", .hash = "$y$", .unreported_unknown = true};

MessageChange change(MessageState state, std::string code = {}) {
    return {.id = "4711",
            .state = state,
            .code = std::move(code),
            .at = smsrack::time_of("2026-11-27T12:34:56Z").value()};
}

Note note(std::uint8_t registered_delivery) {
    return {.registered_delivery = registered_delivery,
            .source = {.ton = 5, .npi = 0, .text = "Bank"},
            .destination = {.ton = 1, .npi = 1, .text = "33612345678"},
            .submitted = smsrack::time_of("2026-11-27T12:30:00Z").value(),
            .text = "Your code is 1234"};
}

std::string text(const MessageChange& it, const Account& by = account) {
    const auto receipt = receipt_of(it, note(1), by);
    return receipt ? receipt->short_message : "none";
}

}  // namespace

TEST_CASE("receipts: the end of a message is there in words and in parameters") {
    Note asked = note(1);
    asked.reference = 7;
    const auto receipt = receipt_of(change(MessageState::delivered), asked, account);
    REQUIRE(receipt);
    CHECK(receipt->esm_class == 0x04);
    CHECK(receipt->source == asked.destination);
    CHECK(receipt->destination == asked.source);
    CHECK(receipt->short_message ==
          "id:4711 sub:001 dlvrd:001 submit date:2611271230 done date:2611271234 stat:DELIVRD "
          "err:000 text:Your code is 1234");
    REQUIRE(find(receipt->tlvs, Tag::receipted_message_id) != nullptr);
    CHECK(find(receipt->tlvs, Tag::receipted_message_id)->text() == "4711");
    CHECK(find(receipt->tlvs, Tag::message_state)->number() == 2);
    CHECK(find(receipt->tlvs, Tag::user_message_reference)->number() == 7);
    CHECK(find(receipt->tlvs, Tag::network_error_code)->octets == std::string("\3\0\0", 3));
}

TEST_CASE("receipts: each end has its word") {
    struct Case {
        MessageChange change;
        std::string_view says;
    };
    for (const auto& [it, says] :
         {Case{change(MessageState::undelivered, "tp_status_65"), "stat:UNDELIV err:065"},
          Case{change(MessageState::failed, "cms_42"), "stat:REJECTD err:042"},
          Case{change(MessageState::failed, "outcome_unknown"), "stat:UNKNOWN err:000"},
          Case{change(MessageState::expired, "ttl"), "stat:EXPIRED err:000"},
          Case{change(MessageState::cancelled), "stat:DELETED err:000"},
          Case{change(MessageState::sent, "no_report"), "stat:ACCEPTD err:000"}}) {
        CAPTURE(says);
        CHECK(text(it).find(says) != std::string::npos);
        CHECK((text(it).find("dlvrd:001") != std::string::npos) ==
              (it.state == MessageState::sent));
    }
    CHECK(text(change(MessageState::sent, "no_report"), of_kannel).find("stat:UNKNOWN") !=
          std::string::npos);
}

TEST_CASE("receipts: there is one only for what was asked for") {
    const auto is_told = [](MessageState state, std::uint8_t registered_delivery) {
        return receipt_of(change(state), note(registered_delivery), account).has_value();
    };
    CHECK_FALSE(is_told(MessageState::delivered, 0));
    CHECK_FALSE(is_told(MessageState::undelivered, 0));
    CHECK_FALSE(is_told(MessageState::delivered, 2));
    CHECK(is_told(MessageState::undelivered, 2));
    for (const MessageState state : {MessageState::scheduled, MessageState::queued,
                                     MessageState::sending, MessageState::uncertain}) {
        CHECK_FALSE(is_told(state, 0x11));
    }
    CHECK_FALSE(is_told(MessageState::sent, 1));
    CHECK(is_told(MessageState::sent, 0x11));
    const auto between = receipt_of(change(MessageState::sent), note(0x11), account);
    REQUIRE(between);
    CHECK(between->esm_class == 0x20);
    CHECK(between->short_message.find("stat:ENROUTE") != std::string::npos);
    CHECK(find(between->tlvs, Tag::message_state)->number() == 1);
}

TEST_CASE("receipts: text that the default alphabet can't say has question marks") {
    Note asked = note(1);
    asked.text = "é😀漢";
    const auto receipt = receipt_of(change(MessageState::delivered), asked, account);
    REQUIRE(receipt);
    CHECK(receipt->data_coding == 0);
    CHECK(receipt->short_message.ends_with("text:\x05??"));
}

TEST_CASE("receipts: a query is answered with the state, and with its date once it is the last") {
    const QueryAnswer waits = query_answer(change(MessageState::queued), false, account);
    CHECK(waits.message_state == 1);
    CHECK(waits.final_date.empty());
    const QueryAnswer over =
        query_answer(change(MessageState::undelivered, "tp_status_70"), false, account);
    CHECK(over.message_state == 5);
    CHECK(over.error_code == 70);
    CHECK(over.final_date == "261127123456000+");
    CHECK(query_answer(change(MessageState::sent), true, account).message_state == 6);
    CHECK(query_answer(change(MessageState::sent), true, of_kannel).message_state == 7);
}
