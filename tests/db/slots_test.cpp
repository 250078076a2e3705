#include "tests/db/store_fixture.hpp"

using namespace smsrack;
using test::StoreFixture;

namespace {

ports::SlotKnown pair(StoreFixture& f, std::string slot, std::string imei, std::string card,
                      bool keep_card = false) {
    return f
        .ask(ports::PairSlot{{.slot = std::move(slot),
                              .imei = std::move(imei),
                              .card = std::move(card),
                              .keep_card = keep_card,
                              .at = f.clock.wall()}})
        .value();
}

}  // namespace

TEST_CASE("slots: what sat in a slot is known after a restart, and replaced by what is there now") {
    StoreFixture f;
    const auto first = pair(f, "m0", "3532", "8933");
    CHECK(first.imei.empty());
    CHECK(first.card.empty());
    f.reopen();
    const auto second = pair(f, "m0", "3599", "8944");
    CHECK(second.imei == "3532");
    CHECK(second.card == "8933");
    const auto third = pair(f, "m0", "3599", "8944");
    CHECK(third.imei == "3599");
    CHECK(third.card == "8944");
}

TEST_CASE(
    "slots: a card that is kept stays the slot's, whatever is put in; the modem is the new one") {
    StoreFixture f;
    CHECK(pair(f, "m0", "3532", "8933", true).card.empty());  // the first is taken
    for (int i = 0; i < 2; ++i) {
        CHECK(pair(f, "m0", "3599", "8944", true).card == "8933");
    }
    CHECK(pair(f, "m0", "3599", "8933", true).imei == "3599");
}

TEST_CASE("slots: a card that moved tells where it was last") {
    StoreFixture f;
    (void)pair(f, "m0", "3532", "8933");
    CHECK(pair(f, "m0", "3532", "8933").card_was_in.empty());
    f.clock.advance(std::chrono::seconds(1));
    (void)pair(f, "m1", "3533", "8933");
    f.clock.advance(std::chrono::seconds(1));
    const auto in_third = pair(f, "m2", "3534", "8933");
    CHECK(in_third.card.empty());
    CHECK(in_third.card_was_in == "m1");
}

TEST_CASE("slots: what a slot had that is no longer configured is forgotten at the next start") {
    const test::TempFolder folder;
    db::SqliteStoreSettings settings;
    settings.path = folder.file("smsrack.db");
    {
        StoreFixture f(settings);
        (void)pair(f, "m0", "3532", "8933");
        (void)pair(f, "m7", "3539", "8944");
    }
    {
        StoreFixture f(settings);  // no setting says which there are
        CHECK(pair(f, "m7", "3539", "8944").card == "8944");
    }
    settings.slots = {"m0", "m1"};
    StoreFixture f(settings);
    CHECK(pair(f, "m1", "3540", "8944").card_was_in.empty());
    CHECK(pair(f, "m0", "3532", "8933").card == "8933");
    CHECK(pair(f, "m7", "3539", "8945").card.empty());
}
