#include "db/upkeep/set_aside.hpp"

#include "tests/db/store_fixture.hpp"

#include <algorithm>
#include <fstream>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

void spoil(const std::filesystem::path& file, std::streamoff from, std::size_t octets) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(from);
    stream << std::string(octets, '\xA5');
}

std::vector<std::string> files(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        names.push_back(entry.path().filename());
    }
    std::ranges::sort(names);
    return names;
}

}  // namespace

TEST_CASE("set aside: a damaged database makes room for a new one, and nothing is deleted") {
    test::StoreFixture f;
    const auto file = f.folder.file("smsrack.db");
    const MessageId before = f.accepted();
    for (int i = 0; i < 200; ++i) {
        (void)f.accepted();
    }
    f.store.reset();
    SUBCASE("its head") {
        spoil(file, 0, 100);
    }
    SUBCASE("its schema") {
        spoil(file, 100, 2'000);
    }
    SUBCASE("pages in its midst") {
        const auto size = static_cast<std::streamoff>(std::filesystem::file_size(file));
        spoil(file, size / 2, static_cast<std::size_t>(size / 4));
    }
    SUBCASE("cut short") {
        std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
    }
    SUBCASE("not a database at all") {
        std::ofstream(file, std::ios::trunc) << std::string(8'192, 'x');
    }
    f.open();
    CHECK(f.store->damaged().filename() == "smsrack.db.damaged-20260101T000000Z");
    CHECK(std::filesystem::exists(f.store->damaged()));
    f.run();
    const auto notice = f.look([](ports::StoreReader& r) { return r.events({}, 10); });
    REQUIRE(notice);
    REQUIRE(notice->size() == 1);
    CHECK(event_name(notice->front()) == "service.notice");
    CHECK(notice->front().detail == "database_set_aside");
    const MessageId after = f.accepted();
    CHECK(after > before);  // a number that a client knows is not given again
    CHECK(after.value > 1'000'000'000);
    f.reopen();
    CHECK(f.store->damaged().empty());
    CHECK(f.state(after) == MessageState::queued);
}

TEST_CASE("set aside: -wal and -shm go along") {
    const test::TempFolder folder;
    const auto file = folder.file("x.db");
    for (const char* ending : {"", "-wal", "-shm"}) {
        std::ofstream(file.string() + ending) << "x";
    }
    const auto name = db::set_aside(file, WallTime(1'767'225'600s));
    REQUIRE(name);
    const std::string to = "x.db.damaged-20260101T000000Z";
    CHECK(files(file.parent_path()) == std::vector<std::string>{to, to + "-shm", to + "-wal"});
}

TEST_CASE("set aside: a large database is read whole only when damage was met before") {
    test::StoreFixture f;
    for (int i = 0; i < 400; ++i) {
        (void)f.sent(1);
    }
    f.store.reset();
    const auto file = f.folder.file("smsrack.db");
    const auto size = static_cast<std::streamoff>(std::filesystem::file_size(file));
    {
        const auto connection = db::Connection::open(file, {});
        REQUIRE(connection);
        spoil(file, size / 2, static_cast<std::size_t>(size / 8));
        CHECK(db::quick_check(**connection, file, 1'000));
        db::mark_suspect(file);
        const auto whole = db::quick_check(**connection, file, 1'000);
        REQUIRE_FALSE(whole);
        CHECK(whole.error().code == Errc::damaged_database);
    }
    f.open();
    CHECK_FALSE(f.store->damaged().empty());
    f.reopen();
    CHECK(f.store->damaged().empty());
}
