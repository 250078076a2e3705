// A broken configuration: `smsrack config check` and smsrackd say the same about it, word for word.
#include "tests/support/process.hpp"
#include "tests/support/rack.hpp"
#include "tests/support/read_file.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace smsrack::test {

using namespace std::chrono_literals;

namespace {

constexpr int exit_data = 65;
constexpr int exit_no_permission = 77;
constexpr int exit_config = 78;

enum class Verdict { taken, refused, refused_for_now };

/// "@" in `text` and `says` is the folder of the test.
struct Case {
    const char* what;
    const char* text;
    Verdict verdict;
    const char* says;  ///< within one of the lines
};

constexpr const char* service = "[service]\nstate_dir = \"@/state\"\nsocket = \"@/s.sock\"\n";
constexpr const char* modem = "[[modem]]\nname = \"m0\"\nport = \"@/m0\"\n";

/// After the sections `service` and `modem`.
constexpr Case after_modem[] = {
    {"nothing is wrong", "", Verdict::taken, ""},
    {"a PIN file that was deleted", "pin = { file = \"@/absent\" }\n", Verdict::taken,
     "warning: modem.pin: @/absent can't be read: No such file or directory; modem m0"},
    {"a PIN file that is a folder", "pin = { file = \"@\" }\n", Verdict::taken, "Is a directory"},
    {"a PIN file without a PIN", "pin = { file = \"@/topics.csv\" }\n", Verdict::taken,
     "topics.csv does not contain a PIN of 4 to 8 digits"},
    {"a PIN in a variable that is not set", "pin = { env = \"SMSRACK_TEST_ABSENT\" }\n",
     Verdict::taken, "the environment has no variable SMSRACK_TEST_ABSENT"},
    {"a PIN in the clear", "pin = \"1234\"\n", Verdict::refused, "modem.pin: must be a table"},
    {"a quota in a zone that is not there",
     "quota = { per_day = 9 }\nquota_zone = \"Europe/Pariss\"\n", Verdict::refused,
     "modem.quota_zone: modem m0: time zone \"Europe/Pariss\""},
    {"a zone that is a folder", "quota = { per_day = 9 }\nquota_zone = \"Europe\"\n",
     Verdict::refused, "Is a directory"},
    {"a zone that is not there, and no quota", "quota_zone = \"Europe/Pariss\"\n", Verdict::taken,
     "warning: modem.quota_zone: modem m0: time zone \"Europe/Pariss\""},
    {"quiet hours in a zone that is not there",
     "[quiet_hours]\nfrom = \"22:00\"\nto = \"06:00\"\nzone = \"Mars/Base\"\n", Verdict::refused,
     "quiet_hours.zone: time zone \"Mars/Base\""},
    {"quiet hours without an end", "[quiet_hours]\nfrom = \"22:00\"\n", Verdict::refused,
     "quiet_hours.to"},
    {"the same modem twice", "[[modem]]\nname = \"m0\"\nport = \"@/m1\"\n", Verdict::refused,
     "\"m0\" is taken by the modem of line 4"},
    {"a misspelt key", "quta = { per_day = 9 }\n", Verdict::refused, "did you mean \"quota\"?"},
    {"a route to a group without a modem", "[[route]]\nprefix = \"+336\"\ngroup = \"orange\"\n",
     Verdict::refused, "no modem is in group \"orange\""},
    {"a value out of its range", "[queue]\nretry_limit = 1000\n", Verdict::refused,
     "queue.retry_limit: must be from 0 to 100"},
    {"a value of another type", "[queue]\nttl_s = \"soon\"\n", Verdict::refused,
     "queue.ttl_s: must be a whole number"},
    {"a fleet without its engine", "[cluster]\nname = \"a\"\n", Verdict::refused,
     "cluster.engine: is required"},
    {"a listener for other machines without a certificate", "[http]\nlisten = \"0.0.0.0:8775\"\n",
     Verdict::refused, "`smsrack tls new` makes one"},
    {"a certificate that is not there",
     "[http]\ntls_cert = \"@/tls.pem\"\ntls_key = \"@/tls.key\"\n", Verdict::taken,
     "warning: http.tls_cert: @/tls.pem is not there"},
    {"webhooks, which come with a later version",
     "[[trigger]]\nname = \"welcome\"\ntemplate = \"Hi\"\non_failed = \"webhook\"\n",
     Verdict::taken, "warning: trigger.on_failed: \"webhook\" comes with a later version"},
    {"a file of topics that was deleted",
     "[[trigger]]\nname = \"welcome\"\ntemplate = \"Hi\"\ntopics = { file = \"@/absent.csv\" }\n",
     Verdict::taken, "warning: trigger.topics: @/absent.csv can't be read"},
    {"a file of topics with a fault",
     "[[trigger]]\nname = \"welcome\"\ntemplate = \"Hi\"\ntopics = { file = \"@/bad.csv\" }\n",
     Verdict::taken, "@/bad.csv: line 2"},
    {"a file of places with a fault",
     "[[trigger]]\nname = \"welcome\"\ntemplate = \"Hi\"\ncells = { file = \"@/bad.csv\" }\n",
     Verdict::taken, "warning: trigger.cells: @/bad.csv: line 2: the cell is on an earlier line"},
    {"a place of a topic that the trigger does not have",
     "[[trigger]]\nname = \"welcome\"\ntemplate = \"Hi\"\ntopics = { file = \"@/topics.csv\" }\n"
     "cells = { file = \"@/cells.csv\" }\n",
     Verdict::taken,
     "warning: trigger.cells: @/cells.csv: line 2: topic nowhere is not in the trigger's file"},
    {"a share that is none, by tag",
     "[[trigger]]\nname = \"welcome\"\ntemplate = \"Hi\"\nshare_by_tag = { beta = 2 }\n",
     Verdict::refused, "trigger.share_by_tag.beta: must be from 0 to 1"},
    {"a template with a field that no event has",
     "[[trigger]]\nname = \"welcome\"\ntemplate = \"Hi {town}\"\n", Verdict::refused,
     "unknown field {town}"},
    {"an account that the machine does not have",
     "[[client]]\nname = \"shop\"\nuser = \"no-such-account\"\n", Verdict::taken,
     "warning: client.user: this machine has no account \"no-such-account\""},
    {"a self-SMS without a number to send to", "[priority]\nself_sms_s = 3600\n", Verdict::refused,
     "priority.self_sms_s"},
};

/// Whole texts.
constexpr Case whole[] = {
    {"no modem", "[service]\nstate_dir = \"@/state\"\nsocket = \"@/s.sock\"\n", Verdict::taken,
     "warning: modem: there is no [[modem]]"},
    {"no TOML", "[service\n", Verdict::refused, "smsrack.toml:1: "},
    {"a table of error codes that is not there",
     "[service]\nstate_dir = \"@/state\"\nsocket = \"@/s.sock\"\nerror_table = \"@/absent.toml\"\n",
     Verdict::refused, "service.error_table: @/absent.toml can't be read"},
    {"a table of error codes with a fault",
     "[service]\nstate_dir = \"@/state\"\nsocket = \"@/s.sock\"\nerror_table = \"@/errors.toml\"\n",
     Verdict::refused, "@/errors.toml:1: "},
    {"a state folder that is a file",
     "[service]\nstate_dir = \"@/topics.csv\"\nsocket = \"@/s.sock\"\n", Verdict::refused_for_now,
     "service.state_dir: @/topics.csv is not a folder"},
    {"a state folder below a file",
     "[service]\nstate_dir = \"@/topics.csv/state\"\nsocket = \"@/s.sock\"\n",
     Verdict::refused_for_now, "service.state_dir: @/topics.csv is not a folder"},
    {"a state folder that is a link to a missing file",
     "[service]\nstate_dir = \"@/dangling\"\nsocket = \"@/s.sock\"\n", Verdict::refused_for_now,
     "service.state_dir: @/dangling is a link to a missing file"},
    {"a file in the place of the socket",
     "[service]\nstate_dir = \"@/state\"\nsocket = \"@/topics.csv\"\n", Verdict::refused,
     "service.socket: @/topics.csv exists and is not a socket"},
    {"a socket in a folder that is not there yet",
     "[service]\nstate_dir = \"@/state\"\nsocket = \"@/run/deep/s.sock\"\n", Verdict::taken,
     "warning: modem: there is no [[modem]]"},
    {"a socket below a file",
     "[service]\nstate_dir = \"@/state\"\nsocket = \"@/topics.csv/s.sock\"\n",
     Verdict::refused_for_now, "service.socket: @/topics.csv is not a folder"},
    {"a socket path that is longer than the system takes with the \".new\" of its making",
     "[service]\nstate_dir = \"@/state\"\nsocket = "
     "\"/tmp/"
     "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
     "xxxx"
     "xx\"\n",
     Verdict::refused, "at most 103 octets long"},
};

std::string filled(std::string text, const std::string& folder) {
    for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find('@', at)) {
        text.replace(at, 1, folder);
    }
    return text;
}

/// What is said about files: neither log lines, nor how many problems there are.
std::set<std::string> sentences(const std::string& output, const std::string& folder) {
    std::set<std::string> found;
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(folder) && !line.contains(": ok, ")) {
            found.insert(line);
        }
    }
    return found;
}

struct Said {
    Ending ending;
    std::set<std::string> sentences;
};

/// Until it ends by itself, or is ready and told to.
Said start(const std::string& config, const std::string& folder) {
    const std::string log = folder + "/log";
    Process running({.words = {program("smsrackd"), "--config", config}, .output = log});
    const bool ready =
        wait_for(20s, [&] { return !running.running() || read_file(log).contains("event=ready"); });
    REQUIRE(ready);
    running.signal(SIGTERM);
    const auto ending = running.wait(20s);
    REQUIRE(ending);
    return {*ending, sentences(read_file(log), folder)};
}

void check(const Case& one, const std::string& text) {
    CAPTURE(one.what);
    const TempDir dir;
    const std::string folder = dir.path().string();
    const std::string config = folder + "/smsrack.toml";
    std::ofstream(config) << filled(text, folder);
    std::ofstream(folder + "/topics.csv") << "paris,Welcome\n";
    std::ofstream(folder + "/bad.csv") << "paris,Welcome\nparis,Again\n";
    std::ofstream(folder + "/cells.csv") << "208-01-1-1,paris\n208-01-1-2,nowhere\n";
    std::ofstream(folder + "/errors.toml") << "[[row]\n";
    std::filesystem::create_symlink(folder + "/nothing", folder + "/dangling");

    const Finished checked = run({.words = {program("smsrack"), "config", "check", config}});
    const Said said = start(config, folder);
    CAPTURE(checked.output);
    CHECK(sentences(checked.output, folder) == said.sentences);
    const std::string expected = filled(one.says, folder);
    CHECK(checked.output.contains(expected));
    const bool taken = one.verdict == Verdict::taken;
    CHECK(checked.ending.code == (taken ? 0 : exit_data));
    CHECK(said.ending.code == (taken                             ? 0
                               : one.verdict == Verdict::refused ? exit_config
                                                                 : exit_no_permission));
    CHECK(said.sentences.empty() == expected.empty());
}

}  // namespace

TEST_CASE("config check and smsrackd say the same about what is wrong behind a modem") {
    for (const Case& one : after_modem) {
        check(one, std::string(service) + modem + one.text);
    }
}

TEST_CASE("config check and smsrackd say the same about what is wrong with the whole file") {
    for (const Case& one : whole) {
        check(one, one.text);
    }
}

TEST_CASE("config check and smsrackd say the same about a file that is not there") {
    const TempDir dir;
    const std::string config = dir.path() / "absent.toml";
    const Finished checked = run({.words = {program("smsrack"), "config", "check", config}});
    const Said said = start(config, dir.path().string());
    CHECK(checked.ending.code == exit_data);
    CHECK(said.ending.code == exit_config);
    CHECK(said.sentences ==
          std::set<std::string>{config + ": can't be read: No such file or directory"});
    CHECK(sentences(checked.output, dir.path().string()) == said.sentences);
}

TEST_CASE("a modem whose PIN file is gone waits; the others send, and doctor names the file") {
    const TempDir pins;
    const std::string pin = pins.path() / "pin";
    Rack rack({.modems = 2, .modem_keys = {{1, "pin = { file = \"" + pin + "\" }\n"}}}, false);
    rack.launch_service();
    rack.wait_ready();
    CHECK(rack.reaches(rack.submit({{"to", "+33600000001"}, {"text", "continues"}}), "delivered"));
    const Finished doctor = rack.command({"doctor", "--config", rack.config_file()});
    CAPTURE(doctor.output);
    CHECK(doctor.ending.code == 1);
    CHECK(doctor.output.contains("modem.pin: " + pin + " can't be read"));
    CHECK(rack.get("/v1/status").at("conditions").dump().contains(pin + " can't be read"));

    std::ofstream(pin) << "1234\n";
    const Finished reload = rack.command({"reload"});
    CHECK(reload.output.contains("read again"));
    CHECK(wait_for(20s, [&] { return rack.get("/v1/status").at("conditions").empty(); }));
}

TEST_CASE("a trigger without its topics takes no events, and a reload opens it") {
    Rack rack({.modems = 1}, false);
    const std::string topics = rack.folder() / "topics.csv";
    std::ofstream(rack.config_file(), std::ios::app)
        << "\n[[trigger]]\nname = \"welcome\"\ntemplate = \"Hi {topic}\"\nbatch_s = 0\ntopics = { "
           "file = \""
        << topics << "\" }\n";
    rack.start_service();
    const auto feed = [&rack] {
        return rack.http("POST", "/v1/triggers/welcome/events",
                         "{\"number\":\"+33600000002\",\"topic\":\"paris\"}\n",
                         "Content-Type: application/x-ndjson\r\n");
    };
    const HttpAnswer closed = feed();
    CHECK(closed.status == 409);
    CHECK(closed.body.contains("topics.csv can't be read"));
    const Finished refused = rack.command({"reload"});
    CHECK(refused.ending.code == exit_data);
    CHECK(refused.output.contains("topics.csv can't be read"));
    std::ofstream(topics) << "paris,\n";
    CHECK(rack.command({"reload"}).ending.code == 0);
    CHECK(feed().status == 200);
    CHECK(wait_for(20s, [&] { return rack.submits().size() == 1; }));
}

TEST_CASE(
    "a fault of a file of places closes its trigger and has its line; a reload reads it again") {
    Rack rack({.modems = 1}, false);
    const std::string cells = rack.folder() / "cells.csv";
    std::ofstream(cells) << "cell,topic\n208-01-4711,paris\n48.8566,2.3522,paris\n";
    std::ofstream(rack.config_file(), std::ios::app)
        << "\n[[trigger]]\nname = \"welcome\"\ntemplate = \"Hi {topic}\"\nbatch_s = 0\ncells = { "
           "file = \""
        << cells << "\" }\n";
    rack.start_service();
    const auto feed = [&rack](const std::string& line) {
        return rack.http("POST", "/v1/triggers/welcome/events", line + "\n",
                         "Content-Type: application/x-ndjson\r\n");
    };
    const std::string by_cell = R"({"number":"+33600000002","cell":"208-01-4711-33"})";
    const HttpAnswer closed = feed(by_cell);
    CHECK(closed.status == 409);
    CHECK(closed.body.contains("cells.csv: line 3: 3 fields"));
    const Finished refused = rack.command({"reload"});
    CHECK(refused.ending.code == exit_data);
    CHECK(refused.output.contains("trigger.cells: " + cells + ": line 3: 3 fields"));
    std::ofstream(cells) << "cell,topic\n208-01-4711,paris\n48.8566,2.3522,12,paris\n";
    CHECK(rack.command({"reload"}).ending.code == 0);
    CHECK(feed(by_cell).body.contains("\"new\":1"));
    const std::string nowhere = R"({"number":"+33600000003","lat":43.71,"lon":7.26})";
    CHECK(feed(nowhere).body.contains("\"no_topic\":1"));
    std::ofstream(cells, std::ios::app) << "43.7102,7.2620,9,nice\n";
    const Finished again = rack.command({"reload"});
    CHECK(again.ending.code == 0);
    CHECK(again.output.contains("trigger welcome: cells: read again"));
    CHECK(feed(nowhere).body.contains("\"new\":1"));
    CHECK(wait_for(20s, [&] { return rack.submits().size() == 2; }));
    const Finished fed = rack.command({"trigger", "show", "welcome"});
    CHECK(fed.ending.code == 0);
}

}  // namespace smsrack::test
