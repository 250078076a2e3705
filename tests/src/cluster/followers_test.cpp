// Clients that wait until the engine has their message.
#include "src/cluster/followers.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

using namespace smsrack;
using namespace smsrack::cluster;
using namespace std::chrono_literals;

namespace {

constexpr SteadyTime start{1h};

/// One client, and what it was answered.
struct Client {
    std::optional<Result<ports::Accepted>> answer = {};

    void follows(Followers& followers, std::int64_t id, SteadyTime until,
                 ports::FleetChecks checks = {}) {
        followers.add(
            {.id = MessageId{id}, .state = MessageState::elsewhere, .kept = Kept::here}, checks,
            [this](Result<ports::Accepted> got) { answer = std::move(got); }, until);
    }
};

}  // namespace

TEST_CASE("followers: a client is answered as soon as the engine has its message") {
    Followers followers;
    Client client;
    client.follows(followers, 7, start + 2s);
    CHECK(followers.next_overdue() == start + 2s);
    CHECK(followers.take_overdue(start).empty());
    CHECK_FALSE(client.answer);
    followers.kept(MessageId{7}, Kept::cluster);
    REQUIRE(client.answer);
    CHECK(client.answer->value().kept == Kept::cluster);
    CHECK(followers.take_overdue(start + 3s).empty());
    CHECK(followers.next_overdue() == never);
    CHECK_FALSE(followers.checks_of(MessageId{7}));
}

TEST_CASE(
    "followers: when its time is over it is answered `here`, and the checks stay for a while") {
    Followers followers;
    Client client;
    client.follows(followers, 7, start + 2s, {.text_hash = 5, .duplicate_window = 60s});
    CHECK(followers.take_overdue(start + 1'999ms).empty());
    const auto overdue = followers.take_overdue(start + 2s);
    REQUIRE(overdue.size() == 1);
    CHECK_FALSE(client.answer);
    followers.answer(overdue.front().id);
    REQUIRE(client.answer);
    CHECK(client.answer->value().kept == Kept::here);
    REQUIRE(followers.checks_of(MessageId{7}));
    CHECK(followers.checks_of(MessageId{7})->text_hash == 5);
    client.answer.reset();
    followers.kept(MessageId{7}, Kept::cluster);
    CHECK_FALSE(client.answer);  // it has its answer
}

TEST_CASE("followers: nothing is followed for ever") {
    Followers followers;
    Client client;
    client.follows(followers, 7, start + 2s);
    for (const ports::Accepted& one : followers.take_overdue(start + 2s)) {
        followers.answer(one.id);
    }
    CHECK(followers.take_overdue(start + 2s + checks_kept - 1ms).empty());
    CHECK(followers.checks_of(MessageId{7}));
    CHECK(followers.take_overdue(start + 2s + checks_kept).empty());
    CHECK_FALSE(followers.checks_of(MessageId{7}));
}

TEST_CASE("followers: a client may be refused since no engine answers") {
    Followers followers;
    Client client;
    client.follows(followers, 7, start + 2s);
    followers.refuse(MessageId{7}, {.code = Errc::cluster_away});
    REQUIRE(client.answer);
    CHECK(client.answer->error().code == Errc::cluster_away);
    CHECK_FALSE(followers.checks_of(MessageId{7}));
}

TEST_CASE("followers: what the engine says over all boxes is what a single box would say") {
    struct Case {
        ports::PutOutcome outcome;
        Errc code;
        const char* says;
    };
    for (const Case& one : {
             Case{ports::PutOutcome::ref_conflict, Errc::ref_conflict, "ref"},
             Case{ports::PutOutcome::opted_out, Errc::forbidden, "rule opt_out"},
             Case{ports::PutOutcome::duplicate, Errc::duplicate, "window"},
             Case{ports::PutOutcome::recipient_limit, Errc::forbidden,
                  "rule recipient_limit: 3 in a day to one number"},
             Case{ports::PutOutcome::client_limit, Errc::queue_full, "rule client_waiting_max"},
             Case{ports::PutOutcome::batch_cancelled, Errc::conflict, "batch"},
             Case{ports::PutOutcome::seen, Errc::conflict, "already"},
         }) {
        CAPTURE(one.says);
        Followers followers;
        Client client;
        client.follows(followers, 7, start + 2s, {.limits = {.per_day = 3}});
        CHECK(followers.refused(MessageId{7}, {.outcome = one.outcome}));
        REQUIRE(client.answer);
        REQUIRE_FALSE(*client.answer);
        CHECK(client.answer->error().code == one.code);
        CHECK(client.answer->error().context.contains(one.says));
    }
}

TEST_CASE("followers: a ref that another box had first gets that box's answer") {
    Followers followers;
    Client client;
    client.follows(followers, 7, start + 2s);
    CHECK(followers.refused(MessageId{7},
                            {.outcome = ports::PutOutcome::repeated, .first = MessageId{99}}));
    REQUIRE(client.answer);
    REQUIRE(*client.answer);
    CHECK(client.answer->value().id == MessageId{99});
    CHECK(client.answer->value().repeated);
}

TEST_CASE("followers: a refusal is no answer to a client that was answered before") {
    Followers followers;
    Client client;
    client.follows(followers, 7, start);
    followers.answer(MessageId{7});
    client.answer.reset();
    CHECK_FALSE(followers.refused(MessageId{7}, {.outcome = ports::PutOutcome::duplicate}));
    CHECK_FALSE(followers.refused(MessageId{8}, {.outcome = ports::PutOutcome::duplicate}));
    CHECK_FALSE(client.answer);
}

TEST_CASE("followers: beyond the bound a client is answered at once") {
    Followers followers;
    std::size_t answered = 0;
    for (std::size_t i = 0; i < followers_max + 3; ++i) {
        followers.add(
            {.id = MessageId{static_cast<std::int64_t>(i + 1)}}, {},
            [&answered](const Result<ports::Accepted>&) { ++answered; }, start + 2s);
    }
    CHECK(answered == 3);
    followers.answer_all();
    CHECK(answered == followers_max + 3);
}
