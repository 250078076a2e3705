// Rows of what the operator's rules refused.
#include "db/write/refusals.hpp"

#include "tests/db/store_fixture.hpp"

#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using test::StoreFixture;

namespace {

ports::RefusalCount refusal(const StoreFixture& f, std::string client, std::int64_t count = 1,
                            std::string rule = "premium") {
    return {.client = std::move(client),
            .rule = std::move(rule),
            .count = count,
            .first_at = f.clock.wall(),
            .last_at = f.clock.wall()};
}

void note(StoreFixture& f, std::vector<ports::RefusalCount> refusals) {
    REQUIRE(f.ask(ports::NoteRefusals{std::move(refusals)}));
}

std::vector<ports::RefusalCount> listed(StoreFixture& f, const std::string& client,
                                        std::size_t limit = 100'000) {
    return f.look([&](ports::StoreReader& r) { return r.refusals(client, limit); }).value();
}

void remove_before(StoreFixture& f, WallTime before, std::size_t limit = 100) {
    REQUIRE(f.ask(ports::RemoveOld{before, before, limit}));
}

}  // namespace

TEST_CASE("refusals: one row for each client, rule and day, whatever their number") {
    StoreFixture f;
    const WallTime first = f.clock.wall();
    note(f, {refusal(f, "shop", 500), refusal(f, "shop", 2, "deny"), refusal(f, "bank")});
    f.clock.advance(1min);
    note(f, {refusal(f, "shop", 1'000'000)});
    f.reopen();
    const auto of_shop = listed(f, "shop");
    REQUIRE(of_shop.size() == 2);
    CHECK(of_shop[0].rule == "deny");
    CHECK(of_shop[0].count == 2);
    CHECK(of_shop[1].rule == "premium");
    CHECK(of_shop[1].count == 1'000'500);
    CHECK(of_shop[1].first_at == first);
    CHECK(of_shop[1].last_at == first + 1min);
    CHECK(listed(f, "bank").size() == 1);
    f.clock.advance(24h);
    note(f, {refusal(f, "shop")});
    CHECK(listed(f, "shop").size() == 3);
    CHECK(listed(f, "shop", 1).at(0).first_at == f.clock.wall());  // the newest day
}

TEST_CASE("refusals: the sum of each named client is over all its rules and days") {
    StoreFixture f;
    note(f, {refusal(f, "shop", 500), refusal(f, "shop", 2, "deny"), refusal(f, "bank"),
             refusal(f, "", 9)});
    f.clock.advance(24h);
    note(f, {refusal(f, "shop", 3)});
    const auto sums = f.look([](ports::StoreReader& r) { return r.refused_messages(); }).value();
    CHECK(sums == std::map<std::string, std::int64_t>{{"bank", 1}, {"shop", 505}});
}

TEST_CASE("refusals: those of no client are separate for each account") {
    StoreFixture f;
    auto of_other = refusal(f, "");
    of_other.owner = OwnerId{1001};
    note(f, {refusal(f, ""), of_other, of_other});
    const auto rows = listed(f, "");
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].owner == OwnerId{});
    CHECK(rows[1].owner == OwnerId{1001});
    CHECK(rows[1].count == 2);
}

TEST_CASE("refusals: they go with the messages, by whole days") {
    StoreFixture f;
    note(f, {refusal(f, "shop")});
    remove_before(f, f.clock.wall());
    CHECK(listed(f, "shop").size() == 1);
    f.clock.advance(24h);
    note(f, {refusal(f, "shop")});
    remove_before(f, f.clock.wall());
    REQUIRE(listed(f, "shop").size() == 1);
    CHECK(listed(f, "shop")[0].first_at == f.clock.wall());
}

TEST_CASE(
    "refusals: names beyond the bound of a day are counted together, and known ones keep their "
    "rows") {
    StoreFixture f;
    std::vector<ports::RefusalCount> many;
    for (std::int64_t i = 0; i < ports::refusal_rows_a_day + 50; ++i) {
        many.push_back(refusal(f, "c" + std::to_string(i)));
    }
    note(f, many);
    note(f, {refusal(f, "c0")});
    CHECK(listed(f, "c0").at(0).count == 2);
    CHECK(listed(f, "c" + std::to_string(ports::refusal_rows_a_day)).empty());
    REQUIRE(listed(f, "").size() == 1);
    CHECK(listed(f, "")[0].count == 50);
}

TEST_CASE("refusals: the oldest days beyond the bound of all go") {
    StoreFixture f;
    std::vector<ports::RefusalCount> many(static_cast<std::size_t>(ports::refusal_rows_a_day));
    for (std::size_t i = 0; i < many.size(); ++i) {
        many[i] = refusal(f, "c" + std::to_string(i));
    }
    const std::int64_t days = ports::refusal_rows_max / ports::refusal_rows_a_day;
    for (std::int64_t day = 0; day <= days; ++day) {
        for (ports::RefusalCount& one : many) {
            one.first_at = one.last_at = f.clock.wall();
        }
        note(f, many);
        f.clock.advance(24h);
    }
    CHECK(std::ssize(listed(f, "c7")) == days);
    CHECK(listed(f, "c7").back().first_at == f.clock.wall() - 24h * days);
}
