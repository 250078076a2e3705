// An interrupted search continues where it was, and never counts what was not run.
#include "tests/days/seeds_lived.hpp"

#include "tests/support/temp_dir.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace smsrack;
using days::DaysTotals;
using days::SeedsLived;

namespace {

constexpr std::uint64_t program = 0x1234;

DaysTotals totals(std::uint64_t accepted) {
    return {.days = 5, .accepted = accepted};
}

struct Folder {
    std::filesystem::path file() const { return dir.path() / "lived"; }
    test::TempDir dir;
};

}  // namespace

TEST_CASE_FIXTURE(Folder, "seeds run before: the next search finds them, with their totals") {
    {
        SeedsLived lived(file(), program, {});
        lived.add(7, totals(70));
        lived.add(9, totals(90));
    }
    const SeedsLived again(file(), program, {});
    REQUIRE(again.find(7));
    CHECK(again.find(7)->numbers() == totals(70).numbers());
    REQUIRE(again.find(9));
    CHECK(again.find(9)->accepted == 90);
    CHECK_FALSE(again.find(8));
}

TEST_CASE_FIXTURE(Folder,
                  "seeds run before: those of another program, or of other days, do not count") {
    SeedsLived(file(), program, {}).add(7, totals(70));
    SUBCASE("program") {
        CHECK(SeedsLived(file(), program + 1, {}).size() == 0);
    }
    SUBCASE("days") {
        CHECK(SeedsLived(file(), program, {.days = 2}).size() == 0);
    }
    SUBCASE("messages") {
        CHECK(SeedsLived(file(), program, {.messages = 2}).size() == 0);
    }
    SUBCASE("inbound") {
        CHECK(SeedsLived(file(), program, {.inbound = 2}).size() == 0);
    }
    SUBCASE("faults") {
        CHECK(SeedsLived(file(), program, {.faults = 2}).size() == 0);
    }
    SUBCASE("crashes") {
        CHECK(SeedsLived(file(), program, {.crashes = 2}).size() == 0);
    }
    CHECK_MESSAGE(SeedsLived(file(), program, {}).size() == 0, "it was begun again");
}

TEST_CASE_FIXTURE(
    Folder,
    "seeds run before: a line that was broken off does not count, and ruins none that follows") {
    {
        SeedsLived lived(file(), program, {});
        lived.add(7, totals(70));
        lived.add(9, totals(90));
    }
    const auto whole = std::filesystem::file_size(file());
    SUBCASE("without its end") {
        std::filesystem::resize_file(file(), whole - 1);
    }
    SUBCASE("half of it") {
        std::filesystem::resize_file(file(), whole - 20);
    }
    SUBCASE("zeros") {
        std::filesystem::resize_file(file(), whole - 20);
        std::filesystem::resize_file(file(), whole);
    }
    SeedsLived(file(), program, {}).add(11, totals(110));
    const SeedsLived again(file(), program, {});
    CHECK(again.find(7));
    CHECK_FALSE(again.find(9));
    REQUIRE(again.find(11));
    CHECK(again.find(11)->accepted == 110);
}

TEST_CASE_FIXTURE(Folder, "seeds run before: where the file can't be written, it says which") {
    CHECK_THROWS_WITH_AS(SeedsLived(dir.path() / "no" / "lived", program, {}),
                         doctest::Contains("no/lived"), std::runtime_error);
}

TEST_CASE("seeds run before: without a file nothing is kept") {
    SeedsLived lived({}, program, {});
    lived.add(7, totals(70));
    CHECK(lived.find(7));
}
