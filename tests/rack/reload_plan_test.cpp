// What another configuration changes, said by name.
#include "firmware-host/reload_plan.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace smsrack;

namespace {

config::Settings settings_of(const std::string& text) {
    auto settings = config::load_settings(text, "test.toml");
    REQUIRE_MESSAGE(settings, (settings ? std::string() : settings.error().text()));
    return *settings;
}

const std::string base = R"(
[service]
state_dir = "/var/lib/smsrack"
[queue]
ttl_s = 100
[[modem]]
name = "m0"
port = "/dev/ttyS0"
[[modem]]
name = "m1"
port = "/dev/ttyS1"
quota = { per_hour = 10 }
)";

std::string changed(std::string text, const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
    return text;
}

using Items = std::vector<std::string>;

}  // namespace

TEST_CASE("reload: each change is named, and concerns no line that it need not") {
    struct Case {
        const char* so;
        std::string text;
        Items applied;
        Items needs_restart;
        std::set<std::string, std::less<>> ending;
    };
    for (const Case& one : {
             Case{"nothing", base, {}, {}, {}},
             Case{"a quota",
                  changed(base, "per_hour = 10", "per_hour = 11"),
                  {"modem m1: quota"},
                  {},
                  {}},
             Case{"a setting of the queue",
                  changed(base, "ttl_s = 100", "ttl_s = 200"),
                  {"queue.ttl_s"},
                  {},
                  {}},
             Case{"a port", changed(base, "ttyS1", "ttyS7"), {"modem m1: port"}, {}, {"m1"}},
             Case{"a modem's own speed",
                  changed(base, "port = \"/dev/ttyS0\"", "port = \"/dev/ttyS0\"\nbaud = 9600"),
                  {"modem m0: baud"},
                  {},
                  {"m0"}},
             Case{"a modem's faster speed",
                  changed(base, "port = \"/dev/ttyS0\"",
                          "port = \"/dev/ttyS0\"\nfast_baud = 230400"),
                  {"modem m0: fast_baud"},
                  {},
                  {"m0"}},
             Case{"the speed of all",
                  "[defaults]\nbaud = 9600\n" + base,
                  {"defaults.baud"},
                  {},
                  {"m0", "m1"}},
             Case{"a modem goes",
                  changed(base, "[[modem]]\nname = \"m0\"\nport = \"/dev/ttyS0\"\n", ""),
                  {"modem m0: removed"},
                  {},
                  {"m0"}},
             Case{"a modem comes",
                  base + "[[modem]]\nname = \"m2\"\nport = \"/dev/ttyS2\"\n",
                  {"modem m2: new"},
                  {},
                  {}},
             Case{"one takes the other's place",
                  changed(base, "name = \"m0\"", "name = \"m9\""),
                  {"modem m0: removed", "modem m9: new"},
                  {},
                  {"m0"}},
             Case{"a route",
                  base + "[[route]]\nprefix = \"+336\"\ngroup = \"default\"\n",
                  {"route 1: group", "route 1: groups", "route 1: prefix", "route 1: sticky"},
                  {},
                  {}},
             Case{"the database's place",
                  changed(base, "/var/lib/smsrack", "/data"),
                  {},
                  {"service.state_dir"},
                  {}},
         }) {
        CAPTURE(one.so);
        const config::Settings now = settings_of(base);
        config::Settings wanted = settings_of(one.text);
        const host::ReloadPlan plan = host::plan_reload(now, wanted);
        CHECK(plan.applied == one.applied);
        CHECK(plan.needs_restart == one.needs_restart);
        CHECK(plan.ending == one.ending);
        CHECK(wanted.service.state_dir == "/var/lib/smsrack");
    }
}
