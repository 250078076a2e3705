#include "src/dispatch/condition_board.hpp"

#include "tests/support/quiet_log.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace smsrack;
using namespace smsrack::dispatch;
using namespace std::chrono_literals;
using ports::ConditionKind;

namespace {

constexpr WallTime board_noon{1'800'000'000'000ms};
using Conditions = std::vector<ports::Condition>;

Conditions full() {
    return {{.kind = ConditionKind::disk_full, .subject = "disk", .text = "one"}};
}

/// Only if it lasts.
Conditions silent() {
    return {{.kind = ConditionKind::modem_silent, .subject = "modem m0", .patience = 60s}};
}

}  // namespace

TEST_CASE(
    "ConditionBoard: a condition keeps its begin while it lasts, and begins again after it ended") {
    test::QuietLog log;
    ConditionBoard board(log);
    CHECK(board.look(full(), board_noon).at(0).since == board_noon);
    auto other_words = full();
    other_words[0].text = "two";
    CHECK(board.look(other_words, board_noon + 1h).at(0).since == board_noon);
    CHECK(log.count("condition_begins") == 1);
    CHECK(board.look({}, board_noon + 2h).empty());
    CHECK(log.count("condition_ends") == 1);
    CHECK(board.look(full(), board_noon + 3h).at(0).since == board_noon + 3h);

    SUBCASE("one that says its own begin keeps it") {
        auto dated = full();
        dated[0].since = board_noon - 1h;
        CHECK(board.look(dated, board_noon + 4h).at(0).since == board_noon - 1h);
    }
    SUBCASE("two subjects are two conditions") {
        auto both = full();
        both.push_back({.kind = ConditionKind::disk_full, .subject = "other"});
        CHECK(board.look(both, board_noon + 4h).at(1).since == board_noon + 4h);
        CHECK(log.count("condition_begins") == 3);
    }
    SUBCASE("a begin is never in the future: the clock was set back") {
        CHECK(board.look(full(), board_noon).at(0).since == board_noon);
    }
}

TEST_CASE("ConditionBoard: what mostly passes by itself is shown when its patience is over") {
    test::QuietLog log;
    ConditionBoard board(log);
    CHECK(board.look(silent(), board_noon).empty());
    CHECK(board.look(silent(), board_noon + 59s).empty());
    CHECK(log.count("condition_begins") == 0);

    SUBCASE("with its true begin") {
        CHECK(board.look(silent(), board_noon + 60s).at(0).since == board_noon);
        CHECK(log.count("condition_begins") == 1);
        CHECK(board.look({}, board_noon + 61s).empty());
        CHECK(log.count("condition_ends") == 1);
    }
    SUBCASE("if it passes before, the log says nothing of it") {
        CHECK(board.look({}, board_noon + 59s).empty());
        CHECK(board.look(silent(), board_noon + 61s).empty());
        CHECK(log.count("condition_begins") == 0);
        CHECK(log.count("condition_ends") == 0);
    }
}

TEST_CASE("ConditionBoard: another run of the service continues what the one before has seen") {
    test::QuietLog log;
    ConditionBoard before(log);
    auto seen = full();
    seen.push_back(silent()[0]);
    (void)before.look(seen, board_noon);
    (void)before.look(seen, board_noon + 1min);
    auto left = before.carried();
    CHECK(left.size() == 2);
    left.push_back({.name = "of_a_later_version", .subject = "x", .since = board_noon});
    ConditionBoard board(log);
    board.adopt(left, board_noon + 1h);

    SUBCASE("a modem that is found silent again has been so all the time") {
        CHECK(board.look({}, board_noon + 1h).empty());  // it is still being asked
        CHECK(board.look(silent(), board_noon + 1h + 30s).at(0).since == board_noon);
        CHECK(log.count("condition_begins") == 2);
        CHECK(log.count("condition_ends") == 0);
    }
    SUBCASE("one that is not found again within two minutes has ended") {
        CHECK(board.look({}, board_noon + 1h + 119s).empty());
        CHECK(log.count("condition_ends") == 0);
        CHECK(board.look({}, board_noon + 1h + 120s).empty());
        CHECK(log.count("condition_ends") == 2);
        CHECK(board.look(full(), board_noon + 2h).at(0).since == board_noon + 2h);
    }
    SUBCASE("one that ends after it was seen again has ended at once") {
        (void)board.look(full(), board_noon + 1h);
        (void)board.look({}, board_noon + 1h + 1s);
        CHECK(log.count("condition_ends") == 1);
    }
}
