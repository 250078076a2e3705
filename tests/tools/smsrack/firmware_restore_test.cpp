#include "db/engine/connection.hpp"
#include "db/engine/migrate.hpp"
#include "db/upkeep/going_back.hpp"
#include "tests/tools/smsrack/firmware_rig.hpp"
#include "tools/smsrack/firmware/firmware_command.hpp"
#include "tools/smsrack/rack/going_back.hpp"

#include <fmt/format.h>
#include <vector>

using namespace smsrack;
using namespace smsrack::test;

namespace {

const int known = static_cast<int>(db::migrations().size());

void make_database(const std::filesystem::path& file, int version) {
    auto db = db::Connection::open(file, {.may_create = true});
    REQUIRE(db);
    REQUIRE(db::migrate(**db, db::migrations()));
    (*db)->script(
        fmt::format("DROP TABLE IF EXISTS schema_reader; PRAGMA user_version = {}", version));
}

FirmwareRig::Ended restore(FirmwareRig& rig, bool yes = false) {
    rig.programs.scripts = {
        {"smsrackd --about", {.out = fmt::format(R"({{"version":"1","schema":{}}})", known)}}};
    return rig.run([&](const auto& box, auto& context) {
        return cli::firmware_restore(
            {.where = {.database = (rig.root() / "smsrack.db").string()}, .yes = yes}, box,
            context);
    });
}

}  // namespace

TEST_CASE("firmware restore: a database that this release can use, or none, stays as it is") {
    FirmwareRig rig;
    CHECK(restore(rig).code == 0);
    CHECK_FALSE(std::filesystem::exists(rig.root() / "smsrack.db"));
    make_database(rig.root() / "smsrack.db", known);
    const auto ended = restore(rig);
    CHECK(ended.code == 0);
    CHECK(ended.out == "this release can use the database as it is\n");
}

TEST_CASE("firmware restore: one of a later release gives way to the copy, and is kept") {
    FirmwareRig rig;
    make_database(rig.root() / "smsrack.db", known + 1);
    make_database(rig.root() / fmt::format("before-migration-{}.db", known), known);
    const auto ended = restore(rig);
    CHECK(ended.code == 0);
    CHECK(ended.out.contains("it is kept as " + (rig.root() / "smsrack.db.newer-").string()));
    CHECK(db::schema_of(rig.root() / "smsrack.db")->version == known);
    CHECK(restore(rig).out == "this release can use the database as it is\n");
}

TEST_CASE("firmware restore: what a going back left that the power ended gets its name") {
    FirmwareRig rig;
    int expected = 0;
    SUBCASE("where this release can use the database") {
        make_database(rig.root() / "smsrack.db", known);
    }
    SUBCASE("and where it can't, and stops") {
        make_database(rig.root() / "smsrack.db", known + 2);
        expected = 1;
    }
    make_database(rig.root() / "smsrack.db.going-back", known + 1);
    CHECK(restore(rig).code == expected);
    CHECK_FALSE(std::filesystem::exists(rig.root() / "smsrack.db.going-back"));
    std::vector<int> kept;
    for (const auto& entry : std::filesystem::directory_iterator(rig.root())) {
        if (entry.path().filename().string().starts_with("smsrack.db.newer-")) {
            kept.push_back(db::schema_of(entry.path())->version);
        }
    }
    CHECK(kept == std::vector{known + 1});
}

TEST_CASE("firmware restore: without a copy nothing is changed, and that is said") {
    FirmwareRig rig;
    make_database(rig.root() / "smsrack.db", known + 1);
    const auto ended = restore(rig);
    CHECK(ended.code == 1);
    CHECK(ended.why.contains("no copy from before the migration"));
    CHECK(db::schema_of(rig.root() / "smsrack.db")->version == known + 1);
}

TEST_CASE(
    "firmware restore: where messages would be lost or sent again nothing is changed until a "
    "person agrees") {
    FirmwareRig rig;
    make_database(rig.root() / "smsrack.db", known + 1);
    const auto copy = rig.root() / fmt::format("before-migration-{}.db", known);
    make_database(copy, known);
    const auto made = std::filesystem::last_write_time(copy);
    auto later = db::Connection::open(rig.root() / "smsrack.db", {});
    REQUIRE(later);
    (*later)->script(
        "INSERT INTO inbox (id, from_addr, to_addr, modem, sim, content, scts_text, received_at, "
        "segments, incomplete, undecodable, reply_to) VALUES (9, '1', '', 'm0', 1, 'x', '', 0, 1, "
        "0, 0, 0)");
    later->reset();  // a database in use stays where it is
    const auto refused = restore(rig);
    CHECK(refused.code == 1);
    CHECK(refused.why.contains("1 received ones would be missing"));
    CHECK(refused.why.contains("restore --yes"));
    CHECK(db::schema_of(rig.root() / "smsrack.db")->version == known + 1);
    SUBCASE("now") {
        CHECK(restore(rig, true).code == 0);
    }
    SUBCASE("or when the box was sent back") {
        rig.write("data/firmware/loss-agreed", cli::loss_agreement("A", copy));
        CHECK(restore(rig).code == 1);  // another slot
        rig.write("proc/cmdline", "quiet rauc.slot=A ro\n");
        std::filesystem::last_write_time(copy, made + std::chrono::hours(1));
        CHECK(restore(rig).code == 1);  // another copy: of a later migration
        std::filesystem::last_write_time(copy, made);
        CHECK(restore(rig).code == 0);
    }
    CHECK(db::schema_of(rig.root() / "smsrack.db")->version == known);
}
