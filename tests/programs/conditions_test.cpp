// What is wrong with the box: readyz, status and doctor name it and what to do, and are fine again by themselves.
#include "db/engine/connection.hpp"
#include "tests/support/rack.hpp"
#include "tests/support/read_file.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <sys/mount.h>
#include <unistd.h>
#include <vector>

namespace smsrack::test {
namespace {

using namespace std::chrono_literals;

constexpr auto noticed_within = 60s;  // an idle disk is tried each 30 s; the machine may be busy

/// The condition of this name in an answer; null: it does not hold.
wire::Json condition_in(const wire::Json& answer, std::string_view name) {
    for (const wire::Json& one : answer.at("conditions")) {
        if (one.at("condition") == name) {
            return one;
        }
    }
    return {};
}

/// What `doctor` finds under this name; null: nothing.
wire::Json found_by_doctor(const Rack& rack, std::string_view problem) {
    const Finished finished = rack.command({"--json", "doctor", "--config", rack.config_file()});
    const auto answer = wire::parse_json(finished.output);
    REQUIRE_MESSAGE(answer, finished.output);
    for (const wire::Json& finding : answer->at("findings")) {
        if (finding.at("problem") == problem) {
            return finding;
        }
    }
    return {};
}

struct Wanted {
    std::string_view name;
    std::string_view stops;
    std::string_view text;
    std::string_view advice;
};

void check_named(const Rack& rack, const Wanted& wanted) {
    CAPTURE(wanted.name);
    REQUIRE(wait_for(noticed_within, [&] {
        return condition_in(rack.http("GET", "/readyz").json(), wanted.name).is_object();
    }));
    const bool stops_all = wanted.stops == "sending" || wanted.stops == "all";
    const HttpAnswer ready = rack.http("GET", "/readyz");
    CHECK(ready.status == (stops_all ? 503 : 200));
    CHECK(rack.http("GET", "/healthz").status == 200);  // a restart would cure nothing
    CHECK(rack.get("/healthz").at("status") == "degraded");
    const wire::Json status = rack.get("/v1/status");
    CHECK(status.at("ready") == !stops_all);
    for (const wire::Json& answer : {ready.json(), rack.get("/healthz"), status}) {
        const wire::Json condition = condition_in(answer, wanted.name);
        CAPTURE(condition.dump());
        REQUIRE(condition.is_object());
        CHECK(condition.at("stops") == wanted.stops);
        CHECK(condition.at("text").get<std::string>().contains(wanted.text));
        CHECK(condition.at("advice").get<std::string>().contains(wanted.advice));
        CHECK(condition.at("since").get<std::string>().starts_with("20"));
    }
    const wire::Json finding = found_by_doctor(rack, wanted.name);
    CAPTURE(finding.dump());
    REQUIRE(finding.is_object());
    CHECK(finding.at("text").get<std::string>().contains(wanted.text));
    CHECK(finding.at("advice").get<std::string>().contains(wanted.advice));
    const Finished words = rack.command({"status"});
    CAPTURE(words.output);
    CHECK(words.output.contains(wanted.name));
    CHECK(words.output.contains(wanted.advice));
}

/// It listens, ready or not.
bool answers(const Rack& rack) {
    return wait_for(20s, [&] {
        try {
            return rack.http("GET", "/healthz").status == 200;
        } catch (const std::runtime_error&) {
            return false;  // not yet
        }
    });
}

/// By itself, from now on.
void check_over(const Rack& rack, std::string_view name) {
    CAPTURE(name);
    CHECK(wait_for(noticed_within, [&] {
        const HttpAnswer ready = rack.http("GET", "/readyz");
        return ready.status == 200 && condition_in(ready.json(), name).is_null();
    }));
    CHECK(condition_in(rack.get("/v1/status"), name).is_null());
    CHECK(found_by_doctor(rack, name).is_null());
    CHECK(rack.service_log().contains("condition_ends"));
}

/// On the disk, so that it holds after a start, too. `count`: of its rows.
bool is_kept(const Rack& rack, db::Sql count) {
    const auto database =
        db::Connection::open(rack.state_dir() / "smsrack.db", {.read_only = true});
    REQUIRE(database);
    return (*database)->scalar(count, 0) > 0;
}

/// Seconds counted for this answer to a submit; -1: the metric is missing.
long seconds_in(const Rack& rack, std::string_view state) {
    const std::string metrics = rack.http("GET", "/metrics").body;
    const std::string sample =
        fmt::format("\nsmsrack_availability_seconds_total{{state=\"{}\"}} ", state);
    const auto found = metrics.find(sample);
    return found == std::string::npos ? -1 : std::stol(metrics.substr(found + sample.size()));
}

/// Takes all space of a small disk, and gives it back.
struct Filling {
    std::filesystem::path file;

    void take() const {
        std::ofstream out(file, std::ios::app | std::ios::binary);
        for (std::size_t size = 65'536; size > 0; size /= 2) {
            const std::string block(size, 'x');
            while (out.write(block.data(), static_cast<std::streamsize>(size)).flush()) {
            }
            out.clear();
        }
    }
    void give_back() const { std::filesystem::remove(file); }
};

/// A tmpfs of its own, for as long as the object exists.
class SmallTmpfs {
public:
    SmallTmpfs() { REQUIRE(::mount("tmpfs", folder_.path().c_str(), "tmpfs", 0, "size=24m") == 0); }
    SmallTmpfs(const SmallTmpfs&) = delete;
    SmallTmpfs& operator=(const SmallTmpfs&) = delete;
    ~SmallTmpfs() { (void)::umount2(folder_.path().c_str(), MNT_DETACH); }

    [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }

private:
    TempDir folder_;
};

/// Without root no tmpfs is mounted; `sudo -n` may give it.
bool may_mount_or_done() {
    if (geteuid() == 0) {
        const TempDir folder;
        if (::mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=64k") == 0) {
            (void)::umount(folder.path().c_str());
            return true;
        }
        MESSAGE("skipped: this machine lets root mount no tmpfs");
        return false;
    }
    const std::string sudo = "/usr/bin/sudo";
    if (access(sudo.c_str(), X_OK) == 0 && run({.words = {sudo, "-n", "true"}}).ending.code == 0) {
        const auto self = std::filesystem::read_symlink("/proc/self/exe").string();
        const Finished all =
            run({.words = {sudo, "-n", self, "-tc=conditions: a full disk*"}}, 280s);
        CHECK_MESSAGE(all.ending.code == 0, all.output);
    } else {
        MESSAGE("skipped: mounting a tmpfs needs root");
    }
    return false;
}

}  // namespace

TEST_CASE("conditions: what a person stops is named until a person resumes it") {
    const Rack rack({.modems = 2, .modem_keys = {{1, "group = \"b\"\n"}}});
    CHECK(rack.get("/healthz").at("status") == "ok");
    SUBCASE("the rack is paused") {
        REQUIRE(rack.command({"pause"}).ending.code == 0);
        check_named(rack, {"rack_paused", "sending", "the rack is paused", "`smsrack resume`"});
        REQUIRE(rack.command({"resume"}).ending.code == 0);
        check_over(rack, "rack_paused");
    }
    SUBCASE("one of two groups is paused, then both") {
        REQUIRE(rack.command({"pause", "--group", "b"}).ending.code == 0);
        check_named(rack, {"group_paused", "group", "group b", "`smsrack resume --group b`"});
        REQUIRE(rack.command({"pause", "--group", "default"}).ending.code == 0);
        CHECK(wait_for(noticed_within, [&] { return rack.http("GET", "/readyz").status == 503; }));
        REQUIRE(rack.command({"resume", "--group", "default"}).ending.code == 0);
        REQUIRE(rack.command({"resume", "--group", "b"}).ending.code == 0);
        check_over(rack, "group_paused");
    }
    SUBCASE("all modems are drained") {
        REQUIRE(rack.command({"modem", "drain", "m0"}).ending.code == 0);
        check_named(rack, {"modems_drained", "group", "group default", "smsrack modem resume m0"});
        REQUIRE(rack.command({"modem", "drain", "m1"}).ending.code == 0);
        CHECK(wait_for(noticed_within, [&] { return rack.http("GET", "/readyz").status == 503; }));
        check_named(rack, {"modems_drained", "sending", "m0, m1", "smsrack modem resume m0"});
        REQUIRE(rack.command({"modem", "resume", "m0"}).ending.code == 0);
        REQUIRE(rack.command({"modem", "resume", "m1"}).ending.code == 0);
        check_over(rack, "modems_drained");
    }
}

TEST_CASE("conditions: no SIM can be used, until one is put in") {
    const Rack rack({.modems = 2});
    for (int modem : {0, 1}) {
        rack.simulate({{"do", "sim_removed"}, {"modem", modem}});
    }
    check_named(rack, {"no_usable_sim", "sending", "m0 sim_absent", "smsrack doctor"});
    for (int modem : {0, 1}) {
        rack.simulate({{"do", "sim_inserted"}, {"modem", modem}});
    }
    check_over(rack, "no_usable_sim");
}

TEST_CASE("conditions: a disk that refuses writes is noticed though nothing is sent") {
    Rack rack({.modems = 1});
    rack.service().refuse_file_writes(true);
    check_named(rack, {"disk_failing", "all", "the disk refuses writes", "journalctl -k"});
    CHECK(rack.http("POST", "/v1/messages", R"({"to":"+33612345678","text":"x"})").status == 507);
    rack.service().refuse_file_writes(false);
    check_over(rack, "disk_failing");
    CHECK(rack.reaches(rack.submit({{"to", "+33612345678"}, {"text", "after"}}), "delivered"));
}

TEST_CASE("conditions: a locked database, and who holds the lock") {
    const Rack rack({.modems = 1});
    constexpr const char* hold_wal_write_lock =
        "import fcntl,sys,time\nf=open(sys.argv[1],'r+b')\nfcntl.lockf(f,fcntl.LOCK_SH,1,120)\n"
        "print('held',flush=True)\ntime.sleep(300)";
    const auto log = rack.folder() / "holder.log";
    auto holder =
        std::make_unique<Process>(Command{.words = {"/usr/bin/python3", "-c", hold_wal_write_lock,
                                                    rack.state_dir() / "smsrack.db-shm"},
                                          .output = log});
    REQUIRE(wait_for(20s, [&] { return read_file(log).contains("held"); }));
    CHECK(seconds_in(rack, "storage") == 0);
    check_named(rack,
                {"database_locked", "all", "python3 (process " + std::to_string(holder->pid()),
                 "end the process that is named"});
    CHECK(wait_for(10s, [&] { return seconds_in(rack, "storage") > 0; }));
    holder.reset();
    check_over(rack, "database_locked");
    const long accepting = seconds_in(rack, "accepting");
    CHECK(wait_for(10s, [&] { return seconds_in(rack, "accepting") > accepting; }));
}

TEST_CASE("conditions: a clock behind the database is named until it is believed") {
    Rack rack({.modems = 1, .config = "clock_wait_s = 15\n"});
    REQUIRE(rack.stop_service().code == 0);
    {
        auto database = db::Connection::open(rack.state_dir() / "smsrack.db", {});
        REQUIRE(database);
        (*database)->script("UPDATE events SET at = at + 86400000");
    }
    rack.start_service();
    check_named(rack, {"clock_not_believed", "nothing", "behind the newest row",
                       "sudo timedatectl set-ntp true"});
    check_over(rack, "clock_not_believed");
}

TEST_CASE("conditions: a full disk under the running service") {
    if (!may_mount_or_done()) {
        return;
    }
    const SmallTmpfs disk;
    const Rack rack({.modems = 1, .state_dir = disk.path() / "state"});
    const Filling filling{disk.path() / "filling"};
    filling.take();
    check_named(rack, {"disk_full", "all", "the disk is full", "make room"});
    filling.give_back();
    check_over(rack, "disk_full");
    CHECK(rack.reaches(rack.submit({{"to", "+33612345678"}, {"text", "after"}}), "delivered"));
}

TEST_CASE(
    "conditions: a full disk at the start: the service serves reads, and sends when there is "
    "room") {
    if (!may_mount_or_done()) {
        return;
    }
    const SmallTmpfs disk;
    Rack rack({.modems = 1, .state_dir = disk.path() / "state"});
    const std::string before = rack.submit({{"to", "+33612345678"}, {"text", "before"}});
    REQUIRE(rack.reaches(before, "delivered"));
    REQUIRE(rack.command({"pause"}).ending.code == 0);
    const std::string waits = rack.submit({{"to", "+33612345679"}, {"text", "waits"}});
    REQUIRE(rack.command({"resume", "--json"}).ending.code == 0);
    SUBCASE("after a stop") {
        REQUIRE(rack.stop_service().code == 0);
    }
    SUBCASE("after a crash") {
        rack.kill_service();
    }
    SUBCASE("after a power cut that took the index of the log") {
        rack.kill_service();
        REQUIRE(std::filesystem::remove(rack.state_dir() / "smsrack.db-shm"));
        REQUIRE(std::filesystem::file_size(rack.state_dir() / "smsrack.db-wal") > 0);
    }
    const Filling filling{disk.path() / "filling"};
    filling.take();
    rack.launch_service();
    const bool does_answer = answers(rack);
    INFO(rack.service_log());
    REQUIRE(does_answer);
    check_named(rack, {"disk_full", "all", "the disk is full", "make room"});
    CHECK(rack.message(before).at("state") == "delivered");
    CHECK(rack.get("/v1/messages").at("messages").size() == 2);
    CHECK(rack.get("/v1/status").at("messages").at("delivered") >= 1);
    CHECK(rack.http("POST", "/v1/messages", R"({"to":"+33612345678","text":"x"})").status == 507);
    // What is short may still fit into what the log of the database takes already: then it is kept, as the 202 says.
    const int drained = rack.http("POST", "/v1/modems/m0/drain").status;
    CHECK((
        drained == 507 ||
        (drained == 202 && is_kept(rack, "SELECT count(*) FROM blocked_lines WHERE name = 'm0'"))));
    const int paused = rack.http("POST", "/v1/pause", "{}").status;
    CHECK((paused == 507 || (paused == 200 && is_kept(rack, "SELECT count(*) FROM pauses"))));

    SUBCASE("it can be stopped and started again meanwhile") {
        CHECK(rack.stop_service().code == 0);
        rack.launch_service();
        REQUIRE(answers(rack));
        check_named(rack, {"disk_full", "all", "the disk is full", "make room"});
    }
    CHECK(wait_for(10s, [&] { return seconds_in(rack, "storage") > 0; }));
    CHECK(seconds_in(rack, "accepting") == 0);
    filling.give_back();
    // Where the service could begin without room the modem is drained until the next start, as the 507 says, or longer, as the 202 does.
    CHECK(wait_for(noticed_within, [&] {
        try {
            return rack.http("POST", "/v1/modems/m0/resume").status == 202 &&
                   (paused == 507 || rack.http("POST", "/v1/resume", "{}").status == 200);
        } catch (const std::runtime_error&) {
            return false;  // it begins again just now
        }
    }));
    check_over(rack, "disk_full");
    CHECK(rack.service().running());
    CHECK(wait_for(10s, [&] { return seconds_in(rack, "accepting") > 0; }));
    CHECK(seconds_in(rack, "storage") > 0);  // the same process, in another run of the service
    CHECK(rack.reaches(waits, "delivered"));
    CHECK(rack.reaches(rack.submit({{"to", "+33612345678"}, {"text", "after"}}), "delivered"));
}

}  // namespace smsrack::test
