// What people see of a webhook with which something is wrong.
#include "tests/db/webhook_rig.hpp"

#include <chrono>
#include <string>

using namespace smsrack;
using namespace std::chrono_literals;
using ports::ConditionKind;
using test::WebhookRig;

namespace {

/// The words of this condition; empty: there is none.
std::string text_of(const WebhookRig& rig, ConditionKind kind) {
    for (const ports::Condition& one : rig.board->conditions()) {
        if (one.kind == kind) {
            return one.text;
        }
    }
    return {};
}

void switch_webhook(WebhookRig& rig, webhook::Happened order) {
    rig.hook().switch_to(order, [](const Result<>& done) { CHECK(done); });
    REQUIRE(rig.settle());
}

}  // namespace

TEST_CASE("webhook conditions: one that is off for longer than keep_days says what it has lost") {
    WebhookRig rig;
    REQUIRE(rig.settle());
    REQUIRE(rig.board->conditions().empty());
    switch_webhook(rig, webhook::Happened::switched_off);
    for (int i = 0; i < 4; ++i) {
        rig.send_message();
    }
    REQUIRE(rig.pass(1h));
    const auto before = rig.clock.wall();
    while (rig.ask(ports::RemoveOld{before, before, 100}).value() > 0) {
    }
    REQUIRE(rig.pass(webhook::Webhooks::name_every));
    CHECK(text_of(rig, ConditionKind::webhook_lost)
              .contains("webhook crm has lost 12 events since "));
    switch_webhook(rig, webhook::Happened::switched_on);
    CHECK(text_of(rig, ConditionKind::webhook_lost).empty());
}

TEST_CASE("webhook conditions: a gate that does not come, or can't send, is seen; off needs none") {
    WebhookRig rig;
    REQUIRE(rig.pass(59s));
    CHECK(text_of(rig, ConditionKind::webhook_unusable).empty());
    REQUIRE(rig.pass(2s));
    CHECK(text_of(rig, ConditionKind::webhook_unusable).contains("does not ask"));
    rig.unusable = "webhooks need libcurl";
    rig.take();
    REQUIRE(rig.settle());
    CHECK(text_of(rig, ConditionKind::webhook_unusable) ==
          "webhook crm does not get its events: smsrack-gate can't send for it: webhooks need "
          "libcurl");
    switch_webhook(rig, webhook::Happened::switched_off);
    CHECK(text_of(rig, ConditionKind::webhook_unusable).empty());
    switch_webhook(rig, webhook::Happened::switched_on);
    rig.unusable.clear();
    rig.take();
    REQUIRE(rig.settle());
    CHECK(text_of(rig, ConditionKind::webhook_unusable).empty());
}
