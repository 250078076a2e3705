// What the machine may get wrong: configuration, ports, database, disk. Each a clear error, nothing
// accepted is lost.
#include "db/engine/connection.hpp"
#include "tests/support/rack.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/mount.h>
#include <unistd.h>
#include <vector>

namespace smsrack::test {

using namespace std::chrono_literals;

namespace {

constexpr int exit_software = 70;  // sysexits.h: a database that is newer or damaged
constexpr int exit_config = 78;

/// Takes space until there is none, and gives it back.
struct Ballast {
    std::filesystem::path file;

    void take() const {
        std::ofstream out(file, std::ios::app | std::ios::binary);
        // Ever smaller, so that nothing is left.
        for (std::size_t size = 65'536; size > 0; size /= 2) {
            const std::string block(size, 'x');
            while (out.write(block.data(), static_cast<std::streamsize>(size)).flush()) {
            }
            out.clear();
        }
    }
    void give_back() const { std::filesystem::remove(file); }
};

/// Posts until one is refused; gives the ids of those that were accepted before.
std::vector<std::string> post_until_refused(const Rack& rack, HttpAnswer& refusal) {
    constexpr int far_more_than_fits = 20'000;
    std::vector<std::string> ids;
    for (int n = 0; n < far_more_than_fits; ++n) {
        refusal = rack.http(
            "POST", "/v1/messages",
            wire::Json{{"to", fmt::format("+336{:08}", n)}, {"text", std::string(150, 'f')}}
                .dump());
        if (refusal.status != 202) {
            return ids;
        }
        ids.push_back(refusal.json().at("id"));
    }
    return ids;
}

/// The disk fills, is full for a while, and has room again.
template <typename Fill, typename Free>
void check_full_disk(Rack& rack, Fill fill, Free free) {
    auto ids = std::vector{rack.submit({{"to", "+33600000050"}, {"text", "before"}})};
    fill();
    HttpAnswer refusal;
    for (std::string& id : post_until_refused(rack, refusal)) {
        ids.push_back(std::move(id));
    }
    CHECK(refusal.status == 507);
    CHECK(refusal.json().value("code", "") == "storage");
    CHECK(rack.service().running());
    free();
    CHECK(wait_for(20s, [&] {
        const auto answer = rack.http("POST", "/v1/messages",
                                      R"({"to":"+33600000051","text":"after","ref":"after"})");
        if (answer.status == 202) {
            ids.push_back(answer.json().at("id"));
        }
        return answer.status == 202;
    }));
    const auto all = static_cast<std::int64_t>(ids.size());
    CHECK(wait_for(60s, [&] { return rack.states()["delivered"] >= all; }));
    for (const std::string& id : ids) {
        CHECK(rack.message(id).at("state") == "delivered");
    }
}

}  // namespace

TEST_CASE("a wrong configuration is refused with file, line and key, and exit code 78") {
    struct Case {
        const char* what;
        const char* text;
        std::vector<const char*> said;
    };
    for (const Case& bad : std::vector<Case>{
             {"not TOML", "[service]\nsocket = \n", {":2"}},
             {"an unknown key", "[service]\nsockett = \"/tmp/x\"\n", {":2", "sockett"}},
             {"a wrong type", "[queue]\ncapacity = \"many\"\n", {":2", "capacity"}},
             {"out of range", "[queue]\nsegments_max = 999\n", {":2", "segments_max"}},
             {"a fleet that was not joined",
              "[cluster]\nname = \"a\"\nengine = \"host=127.0.0.1\"\n",
              {"smsrack cluster join"}},
         }) {
        CAPTURE(bad.what);
        const TempDir folder;
        const auto file = folder.path() / "smsrack.toml";
        std::ofstream(file) << bad.text;
        for (const auto& words :
             {std::vector<std::string>{program("smsrackd"), "--config", file},
              std::vector<std::string>{program("smsrack"), "config", "check", file}}) {
            const auto finished = run({.words = words});
            CAPTURE(finished.output);
            CHECK(finished.ending.code == (words.size() == 3 ? exit_config : 65));
            CHECK(finished.output.contains(file.string()));
            for (const char* word : bad.said) {
                CHECK(finished.output.contains(word));
            }
        }
    }
}

TEST_CASE("a configuration that is not there is said so") {
    const auto finished =
        run({.words = {program("smsrackd"), "--config", "/nonexistent/smsrack.toml"}});
    CHECK(finished.ending.code == exit_config);
    CHECK(finished.output.contains("/nonexistent/smsrack.toml"));
}

TEST_CASE("a modem port that does not exist keeps only its own line from working") {
    const Rack rack(
        {.modems = 1,
         .more_modems = "[[modem]]\nname = \"ghost\"\nport = \"/dev/serial/by-path/nowhere\"\n"});
    CHECK(rack.get("/v1/modems/ghost").at("link") != "active");
    CHECK(rack.reaches(rack.submit({{"to", "+33600000040"}, {"text", "by the other line"}}),
                       "delivered"));
}

TEST_CASE("a modem that comes later is found") {
    const TempDir elsewhere;
    const auto late = elsewhere.path() / "late";
    const Rack rack(
        {.modems = 1,
         .more_modems = fmt::format("[[modem]]\nname = \"late\"\nport = \"{}\"\n", late.string())});
    const TempDir second;
    const Process modem({.words = {program("smsrack-sim"), "--modems", "1", "--dir", second.path(),
                                   "--seed", "9"}});
    REQUIRE(wait_for(20s, [&] { return std::filesystem::exists(second.path() / "modem0"); }));
    std::filesystem::create_symlink(second.path() / "modem0", late);
    CHECK(wait_for(60s, [&] { return rack.get("/v1/modems/late").at("link") == "active"; }));
}

/// The file's bytes.
std::string contents(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST_CASE("a database that only newer programs may use is refused and left as it is") {
    Rack rack({.modems = 1});
    REQUIRE(rack.stop_service().code == 0);
    const auto database = rack.state_dir() / "smsrack.db";
    {
        auto connection = db::Connection::open(database, {});
        REQUIRE(connection);
        (*connection)
            ->script(
                "PRAGMA user_version = 9999; UPDATE schema_reader SET oldest = 9999; "
                "PRAGMA wal_checkpoint(TRUNCATE)");
    }
    const auto before = contents(database);
    REQUIRE(!before.empty());
    rack.launch_service();
    const auto ending = rack.service().wait(20s);
    REQUIRE(ending);
    CHECK(ending->code == exit_software);
    CHECK(rack.service_log().contains("newer"));
    CHECK(contents(database) == before);
}

TEST_CASE(
    "a disk that takes no write: submits are refused with 507, and are accepted when it works "
    "again") {
    Rack rack({.modems = 2});
    check_full_disk(
        rack, [&] { rack.service().refuse_file_writes(true); },
        [&] { rack.service().refuse_file_writes(false); });
}

TEST_CASE(
    "a small disk that is full: submits are refused with 507, and are accepted when there is "
    "room") {
    const TempDir disk;
    if (geteuid() != 0 || mount("tmpfs", disk.path().c_str(), "tmpfs", 0, "size=3m") != 0) {
        MESSAGE(
            "skipped: mounting a tmpfs needs root; the case above shows the same with writes that "
            "fail");
        return;
    }
    {
        Rack rack({.modems = 2, .state_dir = disk.path() / "state"});
        const Ballast ballast{disk.path() / "ballast"};
        check_full_disk(
            rack, [&] { ballast.take(); }, [&] { ballast.give_back(); });
    }
    CHECK(umount(disk.path().c_str()) == 0);
}

}  // namespace smsrack::test
