#include "db/engine/connection.hpp"
#include "db/engine/migrate.hpp"
#include "src/wire/json.hpp"
#include "tests/tools/smsrack/firmware_rig.hpp"
#include "tools/smsrack/firmware/firmware_command.hpp"
#include "tools/smsrack/rack/going_back.hpp"

#include <fmt/format.h>

using namespace smsrack;
using namespace smsrack::test;

namespace {

/// A database of schema `version`, of which the last sequence number is `last`.
void make_database(const std::filesystem::path& file, int version, int last) {
    auto db = db::Connection::open(file, {.may_create = true});
    REQUIRE(db);
    REQUIRE(db::migrate(**db, db::migrations()));
    (*db)->script(
        fmt::format("DROP TABLE IF EXISTS schema_reader; UPDATE head SET sequence = {}; "
                    "PRAGMA user_version = {}",
                    last, version));
}

void add_message(const std::filesystem::path& file, int id, int state) {
    auto db = db::Connection::open(file, {});
    REQUIRE(db);
    (*db)->script(fmt::format(
        "INSERT INTO messages (id, state, level, grp, segments, flags, waiting, to_addr, body, "
        "fingerprint, created_at, expires_at, updated_at) VALUES ({}, {}, 3, 1, 1, 0, 0, '+1', "
        "'x', 0, 0, 0, 0)",
        id, state));
}

class RollbackRig : public FirmwareRig {
public:
    RollbackRig() {
        rauc(rauc_status({.version = "1.0.0", .sha256 = "aa"},
                         {.booted = true, .version = "2.0.0", .sha256 = "bb"}, "rootfs.1"));
        note_of_a(13);
    }
    void note_of_a(int schema) const {
        write("data/firmware/slot-A.json",
              fmt::format(R"({{"version":"1.0.0","schema":{},"sha256":"aa"}})", schema));
    }
    [[nodiscard]] std::filesystem::path database() const { return root() / "smsrack.db"; }
    [[nodiscard]] std::filesystem::path copy() const { return root() / "before-migration-13.db"; }

    Ended rollback(bool yes = false) {
        return run([&](const auto& box, auto& context) {
            return cli::firmware_rollback({.where = {.database = database().string()}, .yes = yes},
                                          box, context);
        });
    }
    [[nodiscard]] bool rolled_back() const {
        return programs.called("rauc status mark-active other");
    }
};

}  // namespace

TEST_CASE("firmware rollback: with nothing to lose it does not ask") {
    struct Row {
        const char* so;
        int database;  // 0: there is none
        int other;
        const char* booted;
    };
    for (const Row& row :
         {Row{"both have the same schema", 13, 13, ""}, Row{"the other one is newer", 13, 15, ""},
          Row{"there is no database yet", 0, 13, ""},
          Row{"the release that runs says that the other can use it", 14, 13,
              R"({"version":"2.0.0","schema":14,"readable_from":13,"sha256":"bb"})"}}) {
        CAPTURE(row.so);
        RollbackRig rig;
        rig.note_of_a(row.other);
        rig.write("data/firmware/slot-B.json", row.booted);
        if (row.database > 0) {
            make_database(rig.database(), row.database, 7);
        }
        const auto ended = rig.rollback();
        CHECK(ended.code == 0);
        CHECK(ended.out ==
              "slot A, version 1.0.0, starts with the next restart: `systemctl reboot`\n");
        CHECK(rig.rolled_back());
    }
}

TEST_CASE("firmware rollback: says what would be lost, and does nothing without --yes") {
    RollbackRig rig;
    make_database(rig.copy(), 13, 7);
    add_message(rig.copy(), 5, 1);
    make_database(rig.database(), 14, 20);
    add_message(rig.database(), 5, 4);   // waited in the copy, sent since
    add_message(rig.database(), 8, 1);   // waits
    add_message(rig.database(), 9, 5);   // delivered
    add_message(rig.database(), 10, 6);  // undelivered
    add_message(rig.database(), 11, 7);  // failed
    make_database(rig.root() / "before-migration-12.db", 12, 3);
    make_database(rig.root() / "before-migration-14.db", 14, 3);  // of a later one
    const auto ended = rig.rollback();
    CHECK(ended.code == 1);
    CHECK(ended.why.starts_with("not rolled back"));
    CHECK(ended.why.contains("--yes"));
    CHECK_FALSE(rig.rolled_back());
    CHECK(ended.out ==
          "version 1.0.0 in slot A can't use the database, whose schema is 14; its own is 13.\n"
          "It would continue with " +
              rig.copy().string() +
              ", from before the migration.\n"
              "What came since is lost:\n"
              "  1 message accepted that waits: it would not be sent\n"
              "  2 messages accepted and sent\n"
              "  1 message accepted that failed, expired or was cancelled\n"
              "  1 message that waited then was sent or ended since: it would be sent again\n");
    CHECK_FALSE(std::filesystem::exists(rig.root() / "data/firmware/loss-agreed"));
    CHECK(rig.rollback(true).code == 0);
    CHECK(rig.rolled_back());
    CHECK(std::filesystem::exists(rig.root() / "data/firmware/loss-agreed"));
}

TEST_CASE("firmware rollback: a copy since which nothing came costs nothing") {
    RollbackRig rig;
    make_database(rig.copy(), 13, 7);
    make_database(rig.database(), 14, 7);
    const auto ended = rig.rollback();
    CHECK(ended.code == 0);
    CHECK(ended.out.contains("Nothing came since."));
    CHECK(rig.rolled_back());
}

TEST_CASE("firmware rollback: what can't be known, or can't work, wants --yes") {
    RollbackRig stuck;
    make_database(stuck.database(), 14, 7);
    CHECK(stuck.rollback().out.contains("no copy from before the migration"));
    CHECK_FALSE(stuck.rolled_back());

    RollbackRig never_confirmed;
    make_database(never_confirmed.database(), 14, 7);
    std::filesystem::remove(never_confirmed.root() / "data/firmware/slot-A.json");
    CHECK(never_confirmed.rollback().out.contains("is unknown: what slot A can use"));
    CHECK_FALSE(never_confirmed.rolled_back());
    CHECK(never_confirmed.rollback(true).code == 0);
    CHECK(never_confirmed.rolled_back());

    RollbackRig damaged;
    damaged.write("smsrack.db", std::string(4'096, 'x'));
    CHECK(damaged.rollback().code == 1);
    CHECK_FALSE(damaged.rolled_back());

    RollbackRig bad_copy;
    make_database(bad_copy.database(), 14, 7);
    bad_copy.write("before-migration-13.db", std::string(4'096, 'x'));
    CHECK(bad_copy.rollback().out.contains("it can't be counted"));
    CHECK_FALSE(bad_copy.rolled_back());
}

TEST_CASE("firmware rollback: into a slot that nothing was installed to only with --yes") {
    RollbackRig rig;
    std::filesystem::remove(rig.root() / "data/firmware/slot-A.json");
    rig.rauc(rauc_status({.good = false}, {.booted = true, .version = "2.0.0", .sha256 = "bb"},
                         "rootfs.1"));
    const auto ended = rig.rollback();
    CHECK(ended.code == 1);
    CHECK(ended.out == "Nothing was ever installed to slot A, as far as RAUC knows.\n");
    CHECK_FALSE(rig.rolled_back());
    CHECK(rig.rollback(true).code == 0);
    CHECK(rig.rolled_back());
}

TEST_CASE("firmware rollback: a slot that is not confirmed is named, and not asked about") {
    RollbackRig rig;
    rig.rauc(rauc_status({.good = false, .version = "1.0.0", .sha256 = "aa"},
                         {.booted = true, .version = "2.0.0", .sha256 = "bb"}, "rootfs.1"));
    const auto ended = rig.rollback();
    CHECK(ended.code == 0);
    CHECK(ended.out.starts_with("Slot A is not confirmed"));
    CHECK(rig.rolled_back());
}

TEST_CASE("firmware rollback: for programs, the counts by name") {
    RollbackRig rig;
    make_database(rig.copy(), 13, 7);
    make_database(rig.database(), 14, 20);
    add_message(rig.database(), 8, 1);
    rig.json = true;
    const auto ended = rig.rollback();
    CHECK(ended.code == 1);
    const auto said = wire::parse_json(ended.out);
    REQUIRE(said);
    CHECK((*said)["rolled_back"] == false);
    CHECK((*said)["database"] == "with_copy");
    CHECK((*said)["copy"] == rig.copy().string());
    CHECK((*said)["loss"]["waiting"] == 1);
    CHECK((*said)["loss"]["received"] == 0);
    CHECK(wire::parse_json(rig.rollback(true).out).value()["rolled_back"] == true);
}

TEST_CASE("copy_for: the newest that a program of this schema can use") {
    const RollbackRig rig;
    for (const char* name : {"before-migration-9.db", "before-migration-13.db",
                             "before-migration-x.db", "before-migration-.db", "other-12.db"}) {
        rig.write(name, "");
    }
    CHECK(cli::copy_for(rig.database(), 13).filename() == "before-migration-13.db");
    CHECK(cli::copy_for(rig.database(), 12).filename() == "before-migration-9.db");
    CHECK(cli::copy_for(rig.database(), 8).empty());
}

TEST_CASE("firmware rollback: this slot keeps its newest configuration, before the other starts") {
    RollbackRig rig;
    CHECK(rig.rollback().code == 0);
    const auto& calls = rig.programs.calls;
    const auto kept =
        std::find(calls.begin(), calls.end(), cli::configuration_script + std::string(" keep"));
    const auto marked = std::find(calls.begin(), calls.end(), "rauc status mark-active other");
    CHECK(kept < marked);
    CHECK(marked != calls.end());
    RollbackRig other;
    other.script(cli::configuration_script, {.code = 1, .err = "no space\n"});
    const auto ended = other.rollback();
    CHECK(ended.code == 0);
    CHECK(ended.err.contains("could not be saved"));
}

TEST_CASE("firmware rollback: below the floor only where a person insists") {
    RollbackRig rig;
    rig.script(cli::floor_script + std::string(" admits 1.0.0"),
               {.code = 1, .out = "version 1.0.0 is below the floor of this box, version 2.0\n"});
    const auto refused = rig.rollback();
    CHECK(refused.code == 1);
    CHECK(refused.out.contains("Slot A: version 1.0.0 is below the floor of this box"));
    CHECK_FALSE(rig.rolled_back());
    CHECK(rig.rollback(true).code == 0);
    CHECK(rig.rolled_back());
}
