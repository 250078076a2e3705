#include "db/connection.hpp"
#include "db/going_back.hpp"
#include "db/migrate.hpp"
#include "tests/tools/smsrack/firmware_rig.hpp"
#include "tools/smsrack/firmware_command.hpp"

#include <fmt/format.h>

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

FirmwareRig::Ended restore(FirmwareRig& rig) {
    rig.programs.scripts = {
        {"smsrackd --about", {.out = fmt::format(R"({{"version":"1","schema":{}}})", known)}}};
    return rig.run([&](const auto& box, auto& context) {
        return cli::firmware_restore({.where = {.database = (rig.root() / "smsrack.db").string()}},
                                     box, context);
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

TEST_CASE("firmware restore: without a copy nothing is changed, and that is said") {
    FirmwareRig rig;
    make_database(rig.root() / "smsrack.db", known + 1);
    const auto ended = restore(rig);
    CHECK(ended.code == 1);
    CHECK(ended.why.contains("no copy of before the migration"));
    CHECK(db::schema_of(rig.root() / "smsrack.db")->version == known + 1);
}
