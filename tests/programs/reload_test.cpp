// A change of the configuration during work: what changed is applied, what did not change continues
// undisturbed.
#include "tests/support/poster.hpp"
#include "tests/support/rack.hpp"
#include "tests/support/read_file.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <fmt/format.h>
#include <fstream>
#include <string>

namespace smsrack::test {

using namespace std::chrono_literals;

namespace {

void write(const Rack& rack, const std::string& text) {
    std::ofstream(rack.config_file(), std::ios::trunc) << text;
}

std::string modem_entry(const Rack& rack, int n) {
    return fmt::format("[[modem]]\nname = \"m{}\"\nport = \"{}/modems/modem{}\"\n", n,
                       rack.folder().string(), n);
}

/// How often a modem was set up: only then it is asked for its IMEI.
int set_ups(const Rack& rack, const std::string& modem) {
    const std::string log = rack.service_log();
    const std::string line = fmt::format("event=at_to_modem modem={} line=AT+CGSN", modem);
    int count = 0;
    for (std::size_t at = log.find(line); at != std::string::npos; at = log.find(line, at + 1)) {
        ++count;
    }
    return count;
}

std::vector<std::string> names(const Rack& rack) {
    std::vector<std::string> names;
    const wire::Json page = rack.get("/v1/modems");
    for (const wire::Json& modem : page.at("modems")) {
        names.push_back(modem.at("name"));
    }
    return names;
}

bool is_active(const Rack& rack, const std::string& modem) {
    return rack.get("/v1/modems/" + modem).at("link") == "active";
}

wire::Json reload(const Rack& rack) {
    const Finished done = rack.command({"--json", "reload"});
    CAPTURE(done.output);
    REQUIRE(done.ending == Ending{0, 0});
    return wire::parse_json(done.output).value();
}

}  // namespace

TEST_CASE(
    "reload under load: a quota changes, a modem goes, a modem comes; the others are not "
    "disturbed") {
    Rack rack({.modems = 4,
               .sim_options = {"--service-ms", "200", "--report-ms", "50"},
               .config = "log_level = \"trace\"\n\n[priority]\nprotect = false\n\n"});
    const std::string whole = read_file(rack.config_file());
    const std::string last = modem_entry(rack, 3);
    REQUIRE(whole.contains(last));
    Poster poster(rack, 1'000'000, true);
    REQUIRE(wait_for(20s, [&] { return rack.submits().size() >= 20; }));

    std::string text = whole;
    text.replace(text.find(last), last.size(), "");
    const std::string first = modem_entry(rack, 0);
    text.replace(text.find(first), first.size(), first + "quota = { per_day = 100000 }\n");
    write(rack, text);
    wire::Json report = reload(rack);
    CHECK(report.at("applied") == wire::Json({"modem m0: quota", "modem m3: removed"}));
    CHECK(report.at("needs_restart").empty());
    CHECK(names(rack) == std::vector<std::string>{"m0", "m1", "m2"});
    CHECK_FALSE(rack.get("/v1/modems/m0").at("quota_left").is_null());
    const auto sent = rack.submits().size();
    CHECK(wait_for(20s, [&] { return rack.submits().size() >= sent + 20; }));

    write(rack, whole);
    report = reload(rack);
    CHECK(report.at("applied") == wire::Json({"modem m0: quota", "modem m3: new"}));
    CHECK(wait_for(20s, [&] { return is_active(rack, "m3"); }));
    CHECK(names(rack) == std::vector<std::string>{"m0", "m1", "m2", "m3"});

    (void)poster.end();
    CHECK(poster.fault() == "");
    for (const char* const modem : {"m0", "m1", "m2"}) {
        CAPTURE(modem);
        CHECK(set_ups(rack, modem) == 1);
    }
    CHECK(set_ups(rack, "m3") == 2);
    CHECK(rack.service().running());
}

TEST_CASE("reload: a removed modem ends the message that it holds") {
    Rack rack({.modems = 2, .sim_options = {"--service-ms", "2000", "--report-ms", "20"}});
    const std::string whole = read_file(rack.config_file());
    const std::string id = rack.submit({{"to", "+33600000001"}, {"text", "in flight"}});
    REQUIRE(wait_for(20s, [&] { return rack.message(id).at("state") == "sending"; }));
    const bool by_first = rack.get("/v1/modems/m0").at("busy");
    std::string text = whole;
    const std::string entry = modem_entry(rack, by_first ? 0 : 1);
    text.replace(text.find(entry), entry.size(), "");
    write(rack, text);
    (void)reload(rack);
    const std::string state = rack.message(id).at("state");
    CHECK((state == "sent" || state == "delivered"));
    CHECK(rack.submits().size() == 1);
}

TEST_CASE("reload: a bad file changes nothing, and file, line and key of the fault are said") {
    Rack rack({.modems = 1});
    const std::string whole = read_file(rack.config_file());
    write(rack, whole + "\n[queue]\nttl_s = \"soon\"\n");
    const Finished done = rack.command({"reload"});
    CHECK(done.ending == Ending{65, 0});
    CHECK(done.output.contains(rack.config_file().string() + ":"));
    CHECK(done.output.contains("queue.ttl_s"));
    CHECK(names(rack) == std::vector<std::string>{"m0"});
    CHECK(rack.reaches(rack.submit({{"to", "+33600000002"}, {"text", "as before"}}), "delivered"));
}

TEST_CASE("reload: a time zone that the machine does not know changes nothing, and is named") {
    Rack rack({.modems = 1});
    const std::string whole = read_file(rack.config_file());
    const std::string first = modem_entry(rack, 0);
    std::string of_modem = whole;
    of_modem.replace(of_modem.find(first), first.size(),
                     first + "quota = { per_day = 9 }\nquota_zone = \"Europe/Pariss\"\n");
    for (const std::string& text :
         {whole + "\n[quiet_hours]\nfrom = \"22:00\"\nto = \"06:00\"\nzone = \"Europe/Pariss\"\n",
          of_modem}) {
        write(rack, text);
        const Finished done = rack.command({"reload"});
        CAPTURE(done.output);
        CHECK(done.ending == Ending{65, 0});
        CHECK(done.output.contains("Europe/Pariss"));
        REQUIRE(rack.service().running());
        CHECK(rack.reaches(rack.submit({{"to", "+33600000002"}, {"text", "as before"}}),
                           "delivered"));
    }
}

TEST_CASE("reload: what needs a restart is said by name, and nothing else is withheld") {
    Rack rack({.modems = 1});
    std::string text = read_file(rack.config_file());
    const std::string mode = "[service]\n";
    text.replace(text.find(mode), mode.size(), mode + "socket_mode = \"0666\"\n");
    write(rack, text + "\n[queue]\nttl_s = 4711\n");
    const wire::Json report = reload(rack);
    CHECK(report.at("applied") == wire::Json({"queue.ttl_s"}));
    CHECK(report.at("needs_restart") == wire::Json({"service.socket_mode"}));
    const wire::Json again = reload(rack);
    CHECK(again.at("applied").empty());
    CHECK(again.at("needs_restart") == wire::Json({"service.socket_mode"}));
}

TEST_CASE("SIGHUP applies a changed file, and says so in the log") {
    Rack rack({.modems = 1});
    write(rack, read_file(rack.config_file()) + "\n[queue]\nttl_s = 4711\n");
    rack.service().signal(SIGHUP);
    CHECK(wait_for(20s, [&] { return rack.service_log().contains("queue.ttl_s"); }));
    CHECK(rack.reaches(rack.submit({{"to", "+33600000003"}, {"text", "continues"}}), "delivered"));
}

}  // namespace smsrack::test
