#include "db/read/newest.hpp"

#include "tests/db/store_fixture.hpp"

using namespace smsrack;
using test::StoreFixture;

TEST_CASE("newest_time: of the latest row, while the service runs") {
    StoreFixture f;
    const auto file = f.folder.file("smsrack.db");
    const auto empty = db::newest_time(file);
    REQUIRE(empty);
    CHECK(!*empty);
    f.accepted();
    const auto first = db::newest_time(file);
    REQUIRE(first);
    CHECK(*first == f.clock.wall());
    f.clock.advance(std::chrono::hours(1));
    f.accepted();
    CHECK(*db::newest_time(file).value() == f.clock.wall());
    CHECK(db::newest_time(f.folder.file("none.db")).error().code == Errc::not_found);
}
