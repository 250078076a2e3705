// A hand-over to another version during work: nothing is lost or repeated, no client is refused, no
// modem is set up again; and one that can't leaves the old one as it was.
#include "tests/programs/support/audit.hpp"
#include "tests/support/poster.hpp"
#include "tests/support/rack.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace smsrack::test {

using namespace std::chrono_literals;

namespace {

std::string number(int n) {
    return poster_number(n);
}

wire::Json body(int n) {
    return poster_message(n);
}

std::size_t count_of(const std::string& text, std::string_view words) {
    std::size_t count = 0;
    for (std::size_t at = text.find(words); at != std::string::npos;
         at = text.find(words, at + 1)) {
        ++count;
    }
    return count;
}

/// How often a modem was asked for its IMEI, which the set-up alone does.
std::size_t set_ups(const Rack& rack) {
    return count_of(rack.service_log(), "line=AT+CGSN");
}

wire::Json upgrade(Rack& rack) {
    const Finished done = rack.command({"--json", "upgrade", program("smsrackd")});
    CAPTURE(done.output);
    REQUIRE(done.ending == Ending{0, 0});
    const auto report = wire::parse_json(done.output).value();
    CHECK(rack.follow_service(report.at("pid").get<pid_t>()) == Ending{0, 0});
    return report;
}

/// A program to hand over to. A script itself would be refused: it is a copy of a binary that runs
/// the script next to it.
std::string script(const Rack& rack, const std::string& name, const std::string& text,
                   bool executable = true) {
    const auto path = rack.folder() / name;
    std::filesystem::copy_file(program("smsrack-test-script"), path);
    std::ofstream(path.string() + ".sh") << text << "\n";
    std::filesystem::permissions(path, executable ? std::filesystem::perms::owner_all
                                                  : std::filesystem::perms::owner_read |
                                                        std::filesystem::perms::owner_write);
    return path;
}

std::string hello(int protocol, int schema) {
    return fmt::format(R"(echo '{{"hello":{{"protocol":{},"version":"9.9","schema":{}}}}}' >&3)",
                       protocol, schema);
}

constexpr int our_protocol = 1;
/// Each migration is a file.
int schema_of_ours() {
    int schema = 0;
    for (const auto& file :
         std::filesystem::directory_iterator(std::string(SMSRACK_SOURCE_DIR) + "/db/schema")) {
        schema += file.path().extension() == ".sql" ? 1 : 0;
    }
    return schema;
}

bool all_ended(const Rack& rack) {
    auto states = rack.states();
    return states["queued"] + states["sending"] + states["uncertain"] + states["sent"] == 0;
}

}  // namespace

TEST_CASE(
    "five upgrades under load: none lost, none twice, no client refused, no modem set up again") {
    Rack rack({.modems = 8,
               .sim_options = {"--service-ms", "300", "--service-dist", "exp", "--report-ms", "200",
                               "--seed", "11"},
               .config = "log_level = \"trace\"\n\n[priority]\nprotect = false\n\n"});
    const std::size_t set_up_once = set_ups(rack);
    CHECK(set_up_once >= 8);
    std::vector<std::unique_ptr<Poster>> posters;
    for (int n = 0; n < 4; ++n) {
        posters.push_back(std::make_unique<Poster>(rack, 1'000'000 * (n + 1), n % 2 == 0));
    }
    int in_hand = 0;
    for (int n = 0; n < 5; ++n) {
        const auto sent = rack.submits().size();
        REQUIRE(wait_for(20s, [&] { return rack.submits().size() >= sent + 20; }));
        const wire::Json report = upgrade(rack);
        CHECK(report.at("lines") == 8);
        in_hand += report.at("in_hand").get<int>();
        MESSAGE(report.dump());
    }
    std::size_t accepted = 0;
    for (const auto& poster : posters) {
        const std::size_t posted = poster->end().size();
        CHECK(poster->fault() == "");
        CHECK(posted > 20);
        accepted += posted;
    }
    CHECK(in_hand > 0);  // submits went over in the network's hand
    CHECK(set_ups(rack) == set_up_once);
    MESSAGE(accepted << " messages accepted");
}

TEST_CASE("what was accepted before, during and after upgrades is sent once") {
    Rack rack({.modems = 8,
               .sim_options = {"--service-ms", "100", "--service-dist", "exp", "--report-ms", "100",
                               "--seed", "12"}});
    std::vector<Audited> messages;
    for (int round = 0; round < 4; ++round) {
        for (int n = 0; n < 100; ++n) {
            const int id = round * 1000 + n;
            messages.push_back({rack.submit(body(id)), number(id)});
        }
        (void)upgrade(rack);
    }
    CHECK(wait_for(120s, [&] { return all_ended(rack); }));
    const Account account = audit(rack, messages);
    CHECK(account.lost == 0);
    CHECK(account.twice == 0);
    CHECK(account.unexplained == 0);
    CHECK(account.unknown == 0);
    CHECK(account.reported == 400);
}

TEST_CASE("a submit that takes longer than an upgrade is answered to the next version") {
    Rack rack({.modems = 1, .sim_options = {"--service-ms", "3000", "--report-ms", "20"}});
    const std::string id = rack.submit({{"to", "+33600000001"}, {"text", "on its way"}});
    REQUIRE(wait_for(20s, [&] { return rack.get("/v1/modems/m0").at("busy") == true; }));
    // The prompt is over in a moment; from then on the network has it.
    wire::Json report = upgrade(rack);
    CHECK(report.at("in_hand") == 1);
    report = upgrade(rack);
    CHECK(report.at("in_hand") == 1);
    CHECK(rack.reaches(id, "delivered"));
    CHECK(rack.submits().size() == 1);
}

TEST_CASE("an event stream and a half-sent request continue with the next version") {
    Rack rack({.modems = 2});
    UnixStream events(rack.socket());
    REQUIRE(events.send("GET /v1/events?types=message.sent HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    REQUIRE(events.receive_until("\r\n\r\n").contains("text/event-stream"));
    const std::string text = body(7).dump();
    UnixStream half(rack.socket());
    REQUIRE(
        half.send(fmt::format("POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                              "application/json\r\nContent-Length: {}\r\n\r\n{}",
                              text.size(), text.substr(0, 10))));
    const std::string before = rack.submit(body(5));
    CHECK(rack.reaches(before, "delivered"));
    const wire::Json report = upgrade(rack);
    CHECK(report.at("clients").get<int>() >= 3);  // these two, and the one that asked
    REQUIRE(half.send(text.substr(10)));
    CHECK(half.receive_until("}").contains("202"));
    std::vector<long> ids;
    std::size_t got = 0;
    while (got < 2) {
        const std::string block = events.receive_until("\n\n");
        REQUIRE_FALSE(block.empty());
        if (const auto at = block.find("id: "); at != std::string::npos) {
            ids.push_back(std::stol(block.substr(at + 4)));
            ++got;
        }
    }
    CHECK(ids[0] < ids[1]);
}

TEST_CASE("a named client that is away at an upgrade may come back as before") {
    Rack rack({.modems = 1, .config = "\n[clients]\ndisconnect_s = 300\n\n"});
    {
        UnixStream events(rack.socket());
        REQUIRE(events.send("GET /v1/events?client=a HTTP/1.1\r\nHost: localhost\r\n\r\n"));
        REQUIRE(events.receive_until("\r\n\r\n").contains("text/event-stream"));
        REQUIRE(wait_for(10s, [&] { return rack.get("/v1/clients/a").at("link") == "active"; }));
    }
    // That it has gone is seen when it is written to.
    (void)rack.submit({{"to", number(1)}, {"text", "result"}, {"client", "a"}});
    REQUIRE(wait_for(10s, [&] { return rack.get("/v1/clients/a").at("link") == "pending"; }));
    for (int times = 0; times < 2; ++times) {
        (void)upgrade(rack);
        CHECK(rack.get("/v1/clients/a").at("link") == "pending");
    }
}

TEST_CASE(
    "an upload in its middle continues with the next version, and each line is answered once") {
    Rack rack({.modems = 2});
    const auto chunk = [](const std::string& text) {
        return fmt::format("{:x}\r\n{}\r\n", text.size(), text);
    };
    UnixStream upload(rack.socket());
    const std::string second = body(62).dump() + "\n";
    REQUIRE(
        upload.send("POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                    "application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n" +
                    chunk(body(61).dump() + "\n" + second.substr(0, 10))));
    REQUIRE(upload.receive_until("}\n").contains("queued"));
    upgrade(rack);
    REQUIRE(upload.send(chunk(second.substr(10) + "not JSON\n") + "0\r\n\r\n"));
    const std::string rest = upload.receive_until("0\r\n\r\n");
    CHECK(count_of(rest, "queued") == 1);
    CHECK(rest.contains("\"line\":3"));
    CHECK(wait_for(30s, [&] { return all_ended(rack); }));
    CHECK(rack.states()["delivered"] == 2);
}

TEST_CASE("a feed of events in its middle continues with the next version; no line counts twice") {
    Rack rack(
        {.modems = 2,
         .config = "[[trigger]]\nname = \"welcome\"\ntemplate = \"Hello {topic}\"\nbatch_s = 0\n"});
    const auto event = [](int n) {
        return fmt::format("{{\"number\":\"{}\",\"topic\":\"paris\"}}\n", number(n));
    };
    const std::string body = event(1) + event(2) + event(1) + event(3) + event(2) + event(4);
    UnixStream feed(rack.socket());
    REQUIRE(feed.send(fmt::format(
        "POST /v1/triggers/welcome/events HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
        "{}\r\n\r\n",
        body.size())));
    const std::size_t cut = 3 * event(1).size() + 10;
    REQUIRE(feed.send(body.substr(0, cut)));
    REQUIRE(wait_for(
        20s, [&] { return rack.get("/v1/triggers/welcome").at("events").at("accepted") == 3; }));
    upgrade(rack);
    REQUIRE(feed.send(body.substr(cut)));
    const std::string answer = feed.receive_until("\"samples\":[]}");
    CHECK(answer.contains("200 OK"));
    CHECK(answer.contains("\"accepted\":6,\"new\":4,\"seen\":2"));
    CHECK(answer.contains("\"lines\":6"));
    CHECK(wait_for(30s, [&] { return all_ended(rack); }));
    CHECK(rack.states()["delivered"] == 4);
    const auto trace = rack.get("/v1/triggers/welcome/trace?number=%2B" + number(1).substr(1));
    CHECK(trace.at("pairs").at(0).at("message").at("state") == "delivered");
}

TEST_CASE("a program that others can change is not started, for any caller") {
    Rack rack({.modems = 1});
    const auto path = rack.folder() / "other";
    std::filesystem::copy_file(program("smsrackd"), path);
    const auto refused = [&](const std::string& words) {
        const Finished done = rack.command({"upgrade", path.string()});
        CAPTURE(done.output);
        CHECK(done.ending.code == 77);
        CHECK(done.output.contains(words));
        CHECK(rack.service().running());
    };
    std::filesystem::permissions(path, std::filesystem::perms(0777));
    refused("others may change it");
    std::filesystem::remove(path);
    std::ofstream(path) << "#!/bin/sh\ntouch " << (rack.folder() / "was-run").string() << "\n";
    std::filesystem::permissions(path, std::filesystem::perms(0755));
    refused("scripts are refused");
    CHECK_FALSE(std::filesystem::exists(rack.folder() / "was-run"));
    CHECK(rack.reaches(rack.submit(body(1)), "delivered"));
}

TEST_CASE("a program that can't adopt the rack leaves the old one as it was") {
    Rack rack({.modems = 2, .config = "log_level = \"trace\"\nupgrade_limit_s = 2\n"});
    const std::size_t set_up_once = set_ups(rack);
    const pid_t pid = rack.service().pid();
    const int our_schema = schema_of_ours();
    const std::string known = hello(our_protocol, our_schema);
    struct Bad {
        std::string binary;
        std::string words;
        int code = 1;
    };
    int n = 0;
    for (const Bad& bad : {
             Bad{"/bin/false", "ended with code"},
             Bad{script(rack, "hangs", "exec sleep 600"), "did not identify itself"},
             Bad{script(rack, "other", hello(our_protocol + 1, our_schema) + "\nexec sleep 600"),
                 "protocol"},
             Bad{script(rack, "older", hello(our_protocol, our_schema - 1) + "\nexec sleep 600"),
                 "can't read it"},
             Bad{script(rack, "newer", hello(our_protocol, our_schema + 1) + "\nexec sleep 600"),
                 "--yes"},
             Bad{script(rack, "plain", "exec sleep 600", false), "no program", 65},
             Bad{script(rack, "talks", "echo good morning >&3\nexec sleep 600"),
                 "unexpected answer"},
             Bad{script(rack, "dies", known + "\nread line <&3\nexit 7"), "ended with code 7"},
             Bad{script(rack, "late", known + "\nexec sleep 600"), "does not answer"},
             Bad{script(rack, "fails",
                        known +
                            "\nread line <&3\necho '{\"failed\":\"no room\"}' >&3\nexec sleep 600"),
                 "no room"},
             Bad{script(rack, "half",
                        known + "\nread line <&3\necho '{\"ready\":true}' >&3\nread line <&3\nexec "
                                "sleep 600"),
                 "does not answer"},
         }) {
        CAPTURE(bad.binary);
        const Finished done = rack.command({"upgrade", bad.binary});
        CAPTURE(done.output);
        CHECK(done.ending.code == bad.code);
        CHECK(done.output.contains(bad.words));
        CHECK(rack.service().running());
        CHECK(rack.reaches(rack.submit(body(++n)), "delivered"));
    }
    CHECK(rack.service().pid() == pid);
    CHECK(set_ups(rack) == set_up_once);
    (void)upgrade(rack);  // and a good one still can
}

TEST_CASE(
    "a version that changes the database is tried on a copy first, and only where that was agreed "
    "to") {
    Rack rack({.modems = 1, .config = "upgrade_limit_s = 2\n"});
    CHECK(rack.reaches(rack.submit(body(1)), "delivered"));
    const std::string newer = hello(our_protocol, schema_of_ours() + 1);
    const auto copy = rack.state_dir() / "upgrade-trial.db";
    // Each script says what it was started for, and whether the copy was there.
    const std::string fails =
        script(rack, "fails-to-migrate",
               "case $1 in --try-migration) test -s \"$2\" && exit 3; exit 4;; esac\n" + newer +
                   "\nexec sleep 600");
    Finished done = rack.command({"upgrade", fails});
    CHECK(done.output.contains("--yes"));
    done = rack.command({"upgrade", "--yes", fails});
    CHECK(done.ending.code == 1);
    CHECK(done.output.contains("ended with code 3"));
    CHECK_FALSE(std::filesystem::exists(copy));
    const std::string migrates =
        script(rack, "migrates",
               "case $1 in --try-migration) exit 0;; esac\n" + newer + "\nexec sleep 600");
    done = rack.command({"upgrade", "--yes", migrates});
    CHECK(done.ending.code == 1);
    CHECK(done.output.contains("does not answer"));  // it continued to the hand-over
    CHECK_FALSE(std::filesystem::exists(copy));
    CHECK(rack.reaches(rack.submit(body(2)), "delivered"));
}

TEST_CASE("a migration has twice the time that it took on the copy before it is broken off") {
    Rack rack({.modems = 1, .config = "upgrade_limit_s = 2\n"});
    const std::string slow =
        script(rack, "slow",
               "case $1 in --try-migration) sleep 3; exit 0;; esac\n" +
                   hello(our_protocol, schema_of_ours() + 1) +
                   "\nread line <&3\nsleep 5\necho '{\"failed\":\"after five seconds\"}' >&3");
    const Finished done = rack.command({"upgrade", "--yes", slow});
    CHECK(done.ending.code == 1);
    CHECK(done.output.contains("after five seconds"));
    CHECK(rack.reaches(rack.submit(body(1)), "delivered"));
}

TEST_CASE("a service that is stopped while a migration is tried stops; a copy that was left goes") {
    Rack rack({.modems = 1});
    const auto copy = rack.state_dir() / "upgrade-trial.db";
    const std::string endless =
        script(rack, "endless",
               "case $1 in --try-migration) exec sleep 600;; esac\n" +
                   hello(our_protocol, schema_of_ours() + 1) + "\nexec sleep 600");
    Process asking({.words = {program("smsrack"), "--socket", rack.socket().string(), "upgrade",
                              "--yes", endless},
                    .output = rack.folder() / "asking.log"});
    REQUIRE(wait_for(20s, [&] { return std::filesystem::exists(copy); }));
    CHECK(rack.stop_service() == Ending{0, 0});
    CHECK_FALSE(std::filesystem::exists(copy));
    (void)asking.wait(20s);
    for (const char* const end : {"", ".partial", "-wal"}) {  // as after a power cut within
        std::ofstream(copy.string() + end) << "texts of messages";
    }
    rack.start_service();
    for (const char* const end : {"", ".partial", "-wal"}) {
        CHECK_FALSE(std::filesystem::exists(copy.string() + end));
    }
}

TEST_CASE(
    "smsrackd --try-migration reads a copy whole, and refuses what is no database of its own") {
    Rack rack({.modems = 1});
    const auto copy = rack.folder() / "copy.db";
    const Finished saved =
        rack.command({"db", "backup", copy.string(), "--config", rack.config_file().string()});
    CAPTURE(saved.output);
    REQUIRE(saved.ending.code == 0);
    CHECK(run({.words = {program("smsrackd"), "--try-migration", copy}}).ending == Ending{0, 0});
    std::ofstream(rack.folder() / "other.db") << std::string(8192, 'x');
    const Finished other =
        run({.words = {program("smsrackd"), "--try-migration", rack.folder() / "other.db"}});
    CHECK(other.ending.code == 70);
}

}  // namespace smsrack::test
