#include "src/intake/router.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>
#include <map>
#include <string>

using namespace smsrack;
using namespace std::chrono_literals;
using intake::Router;

namespace {

/// Groups as the test has them.
struct Groups {
    ports::GroupLoad& operator[](const std::string& name) { return all[name]; }
    [[nodiscard]] Router::LoadOf look() const {
        return [this](const std::string& name) {
            const auto found = all.find(name);
            return found == all.end() ? std::nullopt : std::optional(found->second);
        };
    }
    std::map<std::string, ports::GroupLoad> all;
};

ports::GroupLoad group(std::uint32_t lines, double rate, std::int64_t ahead = 0) {
    ports::GroupLoad load{.lines = {.able = lines, .total = lines}, .rate = rate};
    for (auto& level : load.levels) {
        level.ahead = ahead;
    }
    return load;
}

Router router(bool sticky = false) {
    return Router({{.prefix = "+337", .groups = {"only"}},
                   {.prefix = "+33", .groups = {"a", "b", "c"}, .sticky = sticky},
                   {.prefix = "+336", .groups = {"never"}}},
                  "rest");
}

std::string number(int i) {
    return fmt::format("+336{:08}", i);
}

constexpr SteadyTime now{1'000s};

/// How many of `count` messages go to each group, one every 100 ms.
std::map<std::string, int> shares(Router& router, const Groups& groups, int count) {
    std::map<std::string, int> shares;
    for (int i = 0; i < count; ++i) {
        const auto choice = router.choose({.to = number(i)}, groups.look(), now + i * 100ms);
        router.went(choice.group, 1, now + i * 100ms);
        ++shares[choice.group];
    }
    return shares;
}

}  // namespace

TEST_CASE("Router: the first route that fits decides; without one, the default group") {
    const Groups none;
    CHECK(router().choose({.to = "+33700000000"}, none.look(), now).group == "only");
    CHECK(router().choose({.to = "+33700000000"}, none.look(), now).why == "route +337");
    CHECK(router().choose({.to = "+33600000000"}, none.look(), now).group == "a");
    CHECK(router().choose({.to = "+44700000000"}, none.look(), now).group == "rest");
    CHECK(router().why("+33600000000", "b") == "route +33");
    CHECK(router().why("+44700000000", "rest") == "the default group, no route fits");
    CHECK(router().why("+33600000000", "x").starts_with("asked for by the sender"));
    CHECK(router().leads_to("+33600000000", "b"));
    CHECK(router().leads_to("+44700000000", "rest"));
    CHECK_FALSE(router().leads_to("+33600000000", "rest"));
}

TEST_CASE("Router: of several groups, the one that sends it soonest, with the reason") {
    Groups groups;
    groups["a"] = group(4, 2.0, 40);
    groups["b"] = group(1, 0.5, 2);
    groups["c"] = group(2, 1.0, 30);
    const auto choice = router().choose({.to = number(1), .segments = 1}, groups.look(), now);
    CHECK(choice.group == "b");
    CHECK(choice.why == "route +33: of a (21 s), b (6 s), c (31 s) the soonest");
}

TEST_CASE("Router: a group that can't send is taken only where none can") {
    Groups groups;
    groups["a"] = group(4, 2.0);
    groups["b"] = group(1, 0.5, 100);
    groups["c"] = group(1, 0.5, 200);
    const auto chosen = [&] { return router().choose({.to = number(1)}, groups.look(), now); };
    REQUIRE(chosen().group == "a");
    SUBCASE("paused") {
        groups["a"].lines.paused = true;
        CHECK(chosen().why.contains("a (paused)"));
    }
    SUBCASE("no line") {
        groups["a"].lines.able = 0;
        CHECK(chosen().why.contains("a (no modem can send)"));
    }
    SUBCASE("its quotas are spent by what waits already") {
        groups["a"].lines.quota_left = 50;
        groups["a"].levels.fill({.ahead = 50});
        CHECK(chosen().why.contains("a (its quotas are spent)"));
    }
    CHECK(chosen().group == "b");
    for (const std::string name : {"a", "b", "c"}) {
        groups[name].lines.able = 0;
        groups[name].lines.paused = false;
        groups[name].lines.quota_left.reset();
    }
    CHECK_FALSE(chosen().group.empty());
}

TEST_CASE("Router: idle groups share in proportion to what they can do") {
    Groups groups;
    groups["a"] = group(6, 6.0);
    groups["b"] = group(3, 3.0);
    groups["c"] = group(1, 1.0);
    Router to = router();
    const auto share = shares(to, groups, 1'000);
    CHECK(share.at("a") == doctest::Approx(600).epsilon(0.1));
    CHECK(share.at("b") == doctest::Approx(300).epsilon(0.1));
    CHECK(share.at("c") == doctest::Approx(100).epsilon(0.2));
}

TEST_CASE("Router: a sticky route gives a recipient the same group, in proportion to the lines") {
    Groups groups;
    groups["a"] = group(3, 1.0);
    groups["b"] = group(2, 1.0);
    groups["c"] = group(1, 1.0, 1'000);
    Router to = router(true);
    const auto share = shares(to, groups, 6'000);
    CHECK(share.at("a") == doctest::Approx(3'000).epsilon(0.1));
    CHECK(share.at("b") == doctest::Approx(2'000).epsilon(0.1));
    CHECK(share.at("c") == doctest::Approx(1'000).epsilon(0.1));

    // A group that leaves moves only its own recipients, and they come back with it.
    int moved = 0;
    for (int i = 0; i < 1'000; ++i) {
        const auto before = router(true).choose({.to = number(i)}, groups.look(), now);
        CHECK(before.sticky);
        groups["b"].lines.able = 0;
        const auto without = router(true).choose({.to = number(i)}, groups.look(), now);
        groups["b"].lines.able = 2;
        CHECK(without.group != "b");
        CHECK((before.group == "b" || without.group == before.group));
        moved += before.group == "b" ? 1 : 0;
    }
    CHECK(moved > 0);
}
