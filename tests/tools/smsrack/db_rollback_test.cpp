// `smsrack db schema` and `smsrack db rollback`, as the packages and an operator call them.
#include "db/engine/connection.hpp"
#include "db/engine/migrate.hpp"
#include "db/upkeep/going_back.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/tools/smsrack/program_run.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fmt/format.h>
#include <string>

using namespace smsrack;
using namespace smsrack::test;

namespace {

const int latest = static_cast<int>(db::migrations().size());

/// `told`: the database says which versions can use it.
void make_schema(const std::filesystem::path& file, int version, bool told = false) {
    auto db = db::Connection::open(file, {.may_create = true});
    REQUIRE(db);
    REQUIRE(db::migrate(**db, db::migrations()));
    (*db)->script(fmt::format("PRAGMA user_version = {}", version));
    if (!told) {
        (*db)->script("DROP TABLE schema_reader");
    }
}

struct Folder {
    TempDir folder = {};
    std::filesystem::path database = folder.path() / "smsrack.db";

    [[nodiscard]] ProgramRun run(const std::string& words) const {
        return run_smsrack(words + " --db " + database.string());
    }
    [[nodiscard]] int schema() const { return db::schema_of(database)->version; }
};

}  // namespace

TEST_CASE("db schema: tells the schema and the earliest version that can use it") {
    const Folder folder;
    CHECK(folder.run("db schema").code == 1);  // there is none
    CHECK_FALSE(std::filesystem::exists(folder.database));
    make_schema(folder.database, latest, true);
    const ProgramRun told = folder.run("--json db schema");
    CHECK(told.code == 0);
    // The package's preinst reads it with sed.
    CHECK(told.out.contains(fmt::format("\"schema\":{}", latest)));
    CHECK(told.out.contains(fmt::format("\"readable_from\":{}", db::readable_from)));
}

TEST_CASE("db rollback: the copy takes the place of a database that the other version can't use") {
    const Folder folder;
    make_schema(folder.database, latest + 1);
    const std::string command = fmt::format("db rollback {}", latest);
    const ProgramRun stuck = folder.run(command);
    CHECK(stuck.code == 1);
    CHECK(stuck.err.contains("no copy from before the migration"));
    CHECK(folder.schema() == latest + 1);
    make_schema(folder.folder.path() / fmt::format("before-migration-{}.db", latest), latest);
    const ProgramRun done = folder.run(command);
    CHECK(done.code == 0);
    CHECK(done.out.contains("smsrack.db.newer-"));
    CHECK(folder.schema() == latest);
    CHECK(folder.run(command).out.contains("can use the database as it is"));
}

TEST_CASE("db rollback: where messages would be lost, nothing changes until the operator agrees") {
    const Folder folder;
    make_schema(folder.database, latest + 1);
    make_schema(folder.folder.path() / fmt::format("before-migration-{}.db", latest), latest);
    {
        const auto later = db::Connection::open(folder.database, {});
        REQUIRE(later);
        (*later)->script(
            "INSERT INTO inbox (id, from_addr, to_addr, modem, sim, content, scts_text, "
            "received_at, segments, incomplete, undecodable, reply_to) VALUES (9, '1', '', 'm0', "
            "1, 'x', '', 0, 1, 0, 0, 0)");
    }
    const std::string command = fmt::format("db rollback {}", latest);
    const ProgramRun refused = folder.run(command);
    CHECK(refused.code == 1);
    CHECK(refused.err.contains("1 message received"));
    CHECK(refused.err.contains("--yes"));
    CHECK(folder.schema() == latest + 1);
    CHECK(folder.run(command + " --yes").code == 0);
    CHECK(folder.schema() == latest);
}

TEST_CASE("db rollback: wants the schema as a number from 1") {
    const Folder folder;
    for (const char* words : {"db rollback", "db rollback 0", "db rollback x"}) {
        CAPTURE(words);
        CHECK(folder.run(words).code == 64);
    }
}
