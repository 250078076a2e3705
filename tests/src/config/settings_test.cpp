#include "src/config/settings.hpp"

#include "src/config/settings_show.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>

using namespace smsrack;
using namespace smsrack::config;
using namespace std::chrono_literals;

namespace {

/// A whole configuration as other programs write it.
constexpr const char* example = R"([service]
state_dir   = "/var/lib/smsrack"          # database, filter snapshots
socket      = "/run/smsrack/smsrack.sock" # local API
socket_mode = "0660"
log_level   = "info"

[defaults]                 # each can be overridden per [[modem]]
baud              = 115200
group             = "default"
heartbeat_s       = 30
submit_slow_s     = 45
submit_timeout_s  = 120
disconnect_s      = 30
report            = true
command_gap_ms    = 0
country           = "+33"
trunk             = "0"
quota_zone        = "Europe/Paris"

[[modem]]
name  = "m0"
port  = "/dev/serial/by-path/pci-0000:00:14.0-usb-0:1.1:1.0-port0"
pin   = { file = "/etc/smsrack/pins/m0" }
quota = { per_minute = 10, per_hour = 100, per_day = 1000, per_month = 20000, recipients_per_month = 250 }

[[modem]]
name  = "m1"
port  = "/dev/ttyUSB1"
pin   = { env = "PIN_M1" }
group = "orange"
baud  = 9600
report = false

[[route]]                  # first match wins; none matching: group "default"
prefix = "+336"
group  = "orange"

[queue]
capacity     = 1_000_000
retry_limit  = 3
retry_base_s = 5
ttl_s        = 86_400
uncertain    = "resend"
uncertain_s  = 900
segments_max = 10

[priority]
sla_ms      = [14_400_000, 7_200_000, 3_600_000, 1_800_000, 600_000, 120_000, 60_000]
max_wait_ms = [60_000, 60_000, 30_000, 30_000, 15_000, 5_000, 0]
default     = 3
protect     = true

[dedup]
window_s  = 60

[messages]
keep_days = 90

[inbox]
keep_days = 30
)";

std::string problems_of(const std::string& text) {
    const auto loaded = load_settings(text, "x.toml");
    return loaded ? "" : loaded.error().text();
}

}  // namespace

TEST_CASE("settings: the example of a whole configuration is read as it is") {
    REQUIRE(problems_of(example) == "");
    const Settings settings = *load_settings(example, "x.toml");
    CHECK(settings.service.socket_mode.bits == 0660);
    CHECK(settings.defaults.country == "+33");
    REQUIRE(settings.modems.size() == 2);
    CHECK(settings.modems[0].name == "m0");
    CHECK(settings.modems[0].pin->file == "/etc/smsrack/pins/m0");
    CHECK(settings.modems[0].quota->per_month == 20'000);
    CHECK(settings.modems[0].line.group == "default");
    CHECK(settings.modems[0].line.country == "+33");
    CHECK(settings.modems[1].line.group == "orange");
    CHECK(settings.modems[1].line.baud == 9'600);
    CHECK_FALSE(settings.modems[1].line.report);
    CHECK(settings.modems[1].line.submit_timeout == 120s);
    CHECK_FALSE(settings.modems[1].quota.has_value());
    REQUIRE(settings.routes.size() == 1);
    CHECK(settings.routes[0].prefix == "+336");
    CHECK(settings.queue.uncertain == UncertainPolicy::resend);
    CHECK(settings.queue.uncertain_after == 900s);
    CHECK(settings.priority.sla[6] == 60s);
    CHECK(settings.priority.max_wait[0] == 60s);
    CHECK(settings.dedup.window == 60s);
    CHECK(settings.inbox.keep == std::chrono::days(30));
}

TEST_CASE("settings: an empty file gives the documented defaults") {
    REQUIRE(problems_of("") == "");
    const Settings settings = *load_settings("", "x.toml");
    CHECK(settings.service.state_dir == "/var/lib/smsrack");
    CHECK(settings.service.socket == "/run/smsrack/smsrack.sock");
    CHECK(settings.service.readers == 4);
    CHECK(settings.service.codec_threads == 2);
    CHECK(settings.defaults.country.empty());
    CHECK(settings.defaults.report);
    CHECK(settings.queue.capacity == 1'000'000);
    CHECK(settings.queue.uncertain == UncertainPolicy::report);
    CHECK(settings.priority.sla[0] == 4h);
    CHECK(settings.messages.keep == std::chrono::days(90));
    CHECK(settings.modems.empty());
}

TEST_CASE("settings: each fault is named with file, line, key and what was expected") {
    struct Case {
        const char* text;
        const char* message;
    };
    const Case cases[] = {
        {"[queue]\ncapacity = 0", "x.toml:2: queue.capacity: must be from 1 to 1000000000\n"},
        {"[queue]\ncapacity = \"many\"",
         "x.toml:2: queue.capacity: must be a whole number, not a text\n"},
        {"[queue]\ncapacity = 1.5",
         "x.toml:2: queue.capacity: must be a whole number, not a number with a fraction\n"},
        {"[queue]\n\ncapacty = 5",
         "x.toml:3: queue.capacty: unknown key; did you mean \"capacity\"?\n"},
        {"[queue]\ntemperature = 5", "x.toml:2: queue.temperature: unknown key\n"},
        {"[queues]\ncapacity = 5", "x.toml:1: queues: unknown key; did you mean \"queue\"?\n"},
        {"queue = 5", "x.toml:1: queue: must be a table [queue], not a whole number\n"},
        {"[[queue]]\nttl_s = 5", "x.toml:1: queue: must be a table [queue], not an array\n"},
        {"[modem]\nname = \"m0\"", "x.toml:1: modem: must be tables [[modem]], not a table\n"},
        {"modem = [1]", "x.toml:1: modem: must be a table [[modem]], not a whole number\n"},
        {"[queue]\nuncertain = \"maybe\"",
         "x.toml:2: queue.uncertain: must be one of \"report\", \"resend\", \"hold\"\n"},
        {"[service]\nlog_level = \"loud\"",
         "x.toml:2: service.log_level: must be one of \"error\", \"warn\", \"info\", \"debug\", "
         "\"trace\"\n"},
        {"[service]\nsocket_mode = 660",
         "x.toml:2: service.socket_mode: must be a text such as \"0660\", not a whole number\n"},
        {"[service]\nsocket_mode = \"0680\"",
         "x.toml:2: service.socket_mode: must be three or four octal digits, such as \"0660\"\n"},
        {"[service]\nreaders = 0", "x.toml:2: service.readers: must be from 1 to 64\n"},
        {"[service]\ncodec_threads = 65",
         "x.toml:2: service.codec_threads: must be from 1 to 64\n"},
        {"[service]\nstate_dir = \"here\"",
         "x.toml:2: service.state_dir: must be a path that begins with \"/\"\n"},
        {"[service]\nstate_dir = 2026-01-01",
         "x.toml:2: service.state_dir: must be a text, not a date\n"},
        {"[defaults]\nbaud = 115201",
         "x.toml:2: defaults.baud: must be one of 1200, 2400, 4800, 9600, 19200, 38400, 57600, "
         "115200, 230400, 460800, 921600\n"},
        {"[defaults]\nfast_baud = 230401",
         "x.toml:2: defaults.fast_baud: must be 0 or one of 1200, 2400, 4800, 9600, 19200, 38400, "
         "57600, 115200, 230400, 460800, 921600\n"},
        {"[defaults]\nfast_baud = 115200\n[[modem]]\nname = \"m0\"\nport = \"/dev/x\"",
         "x.toml:3: modem.fast_baud: 115200 must be 0 or above `baud`, which is 115200\n"},
        {"[defaults]\nreport = \"yes\"",
         "x.toml:2: defaults.report: must be true or false, not a text\n"},
        {"[defaults]\ncountry = \"33\"",
         "x.toml:2: defaults.country: must be \"+\" and a country code of 1 to 3 digits, such as "
         "\"+33\"\n"},
        {"[defaults]\nsmsc = \"33609001390x\"",
         "x.toml:2: defaults.smsc: must be a number of \"+\" and 7 to 15 digits, such as "
         "\"+33609001390\", or of 3 to 15 digits\n"},
        {"[defaults]\nkeep_link = \"on\"",
         "x.toml:2: defaults.keep_link: must be one of \"auto\", \"off\"\n"},
        {"[defaults]\npace_jitter = 1.5", "x.toml:2: defaults.pace_jitter: must be from 0 to 1\n"},
        {"[defaults]\npace_jitter = nan", "x.toml:2: defaults.pace_jitter: must be from 0 to 1\n"},
        {"[defaults]\npace_jitter = \"a bit\"",
         "x.toml:2: defaults.pace_jitter: must be a number such as 0.5, not a text\n"},
        {"[priority]\nsla_ms = [1, 2]",
         "x.toml:2: priority.sla_ms: must have 7 numbers, one for each level, not 2\n"},
        {"[priority]\nsla_ms = [1, 2, 3, 4, 5, 6, 7, 8]",
         "x.toml:2: priority.sla_ms: must have 7 numbers, one for each level, not 8\n"},
        {"[priority]\nmax_wait_ms = [1, 2, 3,\n 4, \"5\", 6, 7]",
         "x.toml:3: priority.max_wait_ms[4]: must be a whole number, not a text\n"},
        {"[priority]\ndefault = 7", "x.toml:2: priority.default: must be from 0 to 6\n"},
        {"[priority]\nself_sms_s = 599\n[[modem]]\nname = \"m0\"\nport = \"/dev/m0\"\n"
         "number = \"+33600000000\"",
         "x.toml:1: priority.self_sms_s: must be 0 or at least 600\n"},
        {"[priority]\nself_sms_s = 600\n[[modem]]\nname = \"m0\"\nport = \"/dev/m0\"",
         "x.toml:1: priority.self_sms_s: needs a number to send to: set \"number\" of a [[modem]] "
         "to that of its SIM\n"},
        {"[destinations]\nallow = \"+33\"",
         "x.toml:2: destinations.allow: must be an array of texts, not a text\n"},
        {"[destinations]\ndeny = [\"+33\", 33]",
         "x.toml:2: destinations.deny[1]: must be a text, not a whole number\n"},
        {"[destinations]\ndeny = [\"+33x\"]",
         "x.toml:2: destinations.deny[0]: must be 1 to 15 digits, \"+\" before those of an "
         "international number\n"},
        {"[destinations]\ndeny = [\"+33\", \"+33\"]",
         "x.toml:2: destinations.deny[1]: \"+33\" is there twice\n"},
        {"[destinations]\nallow = [\"+33\"]\ndeny = [\"+33\"]",
         "x.toml:1: destinations.deny: \"+33\" is in \"allow\" too\n"},
        {"[destinations]\npremium = \"maybe\"",
         "x.toml:2: destinations.premium: must be one of \"refuse\", \"allow\"\n"},
        {"[limits]\nper_recipient_hour = 0",
         "x.toml:2: limits.per_recipient_hour: must be from 1 to 10000\n"},
        {"[quiet_hours]\nfrom = \"24:00\"\nto = \"08:00\"",
         "x.toml:1: quiet_hours.from: is required with the other one\nx.toml:2: quiet_hours.from: "
         "must be a time from \"00:00\" to \"23:59\"\n"},
        {"[quiet_hours]\nfrom = \"21:00\"",
         "x.toml:1: quiet_hours.to: is required with the other one\n"},
        {"[quiet_hours]\nfrom = \"21:00\"\nto = \"21:00\"",
         "x.toml:1: quiet_hours.to: must not be the same as \"from\"\n"},
        {"[opt_out]\nwords = [\" STOP\"]",
         "x.toml:2: opt_out.words[0]: must be 1 to 40 octets without a blank at its ends\n"},
        {"[[modem]]\nname = \"m0\"", "x.toml:1: modem.port: is required\n"},
        {"[[modem]]\nname = \"m 0\"\nport = \"/dev/a\"",
         "x.toml:2: modem.name: must be 1 to 32 of letters, digits, \"_\", \"-\" and "
         "\".\"\n"},
        {"[[modem]]\nname = \"m0\"\nport = \"/dev/a\"\n[[modem]]\nname = \"m0\"\nport = "
         "\"/dev/b\"",
         "x.toml:4: modem.name: \"m0\" is taken by the modem of line 1\n"},
        {"[[modem]]\nname = \"m0\"\nport = \"/dev/a\"\n\n[[modem]]\nname = \"m1\"\nport = "
         "\"/dev/a\"",
         "x.toml:5: modem.port: \"/dev/a\" is taken by the modem of line 1\n"},
        {"[[modem]]\nname = \"m0\"\nport = \"/dev/a\"\nnumber = \"0612345678\"",
         "x.toml:4: modem.number: must be \"+\" and the 7 to 15 digits of an international "
         "number\n"},
        {"[[modem]]\nname = \"m0\"\nport = \"/dev/a\"\n[[modem]]\nname = \"m1\"\nport = "
         "\"/dev/b\"\ncountry = \"+33\"",
         "x.toml:4: modem.country: differs from the modem of line 1, which is in group \"default\" "
         "too\n"},
        {"[[modem]]\nname = \"m0\"\nport = \"/dev/a\"\ntrunk = \"8\"\n[[modem]]\nname = "
         "\"m1\"\nport = \"/dev/b\"",
         "x.toml:5: modem.trunk: differs from the modem of line 1, which is in group \"default\" "
         "too\n"},
        {"[service]\nerror_table = \"errors.toml\"",
         "x.toml:2: service.error_table: must be a path that begins with \"/\"\n"},
        {"[[modem]]\nname = \"m0\"\nport = \"/dev/a\"\npin = \"1234\"",
         "x.toml:4: modem.pin: must be a table in braces, not a text\n"},
        {"[[modem]]\nname = \"m0\"\nport = \"/dev/a\"\npin = {}",
         "x.toml:1: modem.pin: must have exactly one of \"file\" and \"env\"\n"},
        {"[[modem]]\nname = \"m0\"\nport = \"/dev/a\"\npin = { value = \"1234\" }",
         "x.toml:4: modem.pin.value: unknown key\n"},
        {"[[modem]]\nname = \"m0\"\nport = \"/dev/a\"\nquota = { per_day = -1 }",
         "x.toml:4: modem.quota.per_day: must be from 1 to 1000000000\n"},
        {"[[modem]]\nname = \"m0\"\nport = \"/dev/a\"\ngruop = \"a\"",
         "x.toml:4: modem.gruop: unknown key; did you mean \"group\"?\n"},
        {"[[route]]\nprefix = \"+336\"\ngroup = \"orange\"",
         "x.toml:1: route.group: no modem is in group \"orange\"\n"},
        {"[[route]]\nprefix = \"+336\"",
         "x.toml:1: route.group: must have exactly one of \"group\" and \"groups\"\n"},
        {"[[route]]\nprefix = \"+336\"\ngroups = [\"orange\"]",
         "x.toml:1: route.groups: no modem is in group \"orange\"\n"},
        {"[[client]]\nname = \"a\"\n[[client]]\nname = \"a\"",
         "x.toml:3: client.name: \"a\" is taken by the client of line 1\n"},
        {"[clients]\nbuffered_max = 0",
         "x.toml:2: clients.buffered_max: must be from 1 to 1000000000\n"},
        {"[[route]]\nprefix = \"336x\"\ngroup = \"orange\"",
         "x.toml:1: route.group: no modem is in group \"orange\"\n"
         "x.toml:2: route.prefix: must be 1 to 15 digits, \"+\" before those of an "
         "international "
         "number\n"},
        {"[queue]\nttl_s = 0\ncapacity = 0",
         "x.toml:2: queue.ttl_s: must be from 1 to 38102400\nx.toml:3: queue.capacity: must "
         "be "
         "from 1 to 1000000000\n"},
    };
    for (const Case& one : cases) {
        CAPTURE(one.text);
        CHECK(problems_of(one.text) == one.message);
    }
}

TEST_CASE("settings: what is not TOML is named with its line") {
    for (const char* text :
         {"[queue\n", "\n[queue]\ncapacity = ", "a = 1\na = 2", "a = \"\xC3\x28\""}) {
        CAPTURE(text);
        const auto loaded = load_settings(text, "x.toml");
        REQUIRE_FALSE(loaded);
        REQUIRE(loaded.error().problems.size() == 1);
        CHECK(loaded.error().problems[0].line > 0);
        CHECK(loaded.error().problems[0].key.empty());
        CHECK_FALSE(loaded.error().problems[0].message.empty());
    }
}

TEST_CASE("settings: [scaling] as documented, and what is out of its range") {
    const auto loaded = load_settings(
        "[scaling]\nenabled = true\npolicy = \"paper\"\nn_min = 2\nn_max = 8\nsamples = 20\n"
        "period_ms = 30_000\nidle = 0.1\nbusy = 0.7\nnode_rate = 0.5\n",
        "x.toml");
    REQUIRE(loaded);
    CHECK(loaded->scaling.enabled);
    CHECK(loaded->scaling.policy == ScalingPolicy::paper);
    CHECK(loaded->scaling.n_max == 8);
    CHECK(loaded->scaling.node_rate == 0.5);
    const auto empty = load_settings("", "x.toml");
    CHECK_FALSE(empty->scaling.enabled);
    CHECK_FALSE(empty->scaling.radio_off);
    CHECK(empty->scaling.listen == std::chrono::seconds(900));
    CHECK(empty->scaling.awake == std::chrono::seconds(30));
    const auto off =
        load_settings("[scaling]\nradio_off = true\nlisten_s = 60\nawake_s = 5\n", "x.toml");
    REQUIRE(off);
    CHECK(off->scaling.radio_off);
    CHECK(off->scaling.listen == std::chrono::seconds(60));
    CHECK(off->scaling.awake == std::chrono::seconds(5));
    CHECK(problems_of("[scaling]\nlisten_s = 9\n").contains("scaling.listen_s"));
    CHECK(problems_of("[scaling]\nawake_s = 4\n").contains("scaling.awake_s"));
    const auto easter = load_settings(
        "[scaling]\ncalendar = [\"Easter 2025-04-20\", \"Easter 2026-04-05\"]\n", "x.toml");
    REQUIRE(easter);
    CHECK(easter->scaling.calendar.size() == 2);
    for (const char* const bad : {"Easter", "Easter 2026-02-30", "2026-04-05", "Easter 5.4.2026"}) {
        CAPTURE(bad);
        CHECK(problems_of("[scaling]\ncalendar = [\"" + std::string(bad) + "\"]\n")
                  .contains("scaling.calendar[0]: must be a name and a date"));
    }
    CHECK(problems_of("[scaling]\nidle = 0.3\n") ==
          "x.toml:1: scaling.idle: must be from 0.01 to 0.2\n");
    CHECK(problems_of("[scaling]\nbusy = 0.5\n") ==
          "x.toml:1: scaling.busy: must be from 0.6 to 0.9\n");
    CHECK(problems_of("[scaling]\nn_min = 4\nn_max = 3\n") ==
          "x.toml:1: scaling.n_max: must not be below n_min, which is 4\n");
}

TEST_CASE("settings: [cluster] says which box this is and where the engine of all is") {
    const auto settings = load_settings(
        "[cluster]\nname = \"paris-3\"\nengine = \"host=10.0.0.1 dbname=smsrack\"\n"
        "alone_levels = [2, 6]\nalone = \"refuse\"\n",
        "x.toml");
    REQUIRE(settings);
    REQUIRE(settings->cluster);
    CHECK(settings->cluster->name == "paris-3");
    CHECK(settings->cluster->lease == std::chrono::seconds(15));
    CHECK(settings->cluster->alone == AlonePolicy::refuse);
    CHECK(settings->cluster->alone_levels == LevelSpan{.lowest = 2, .highest = 6});
    CHECK_FALSE(load_settings("", "x.toml")->cluster);
}

TEST_CASE("settings: [cluster.scaling] has the keys of [scaling], and what boxes have besides") {
    const auto settings = load_settings(
        "[cluster]\nname = \"a\"\nengine = \"host=x\"\nwake = \"/etc/smsrack/wake\"\n"
        "[cluster.scaling]\nenabled = true\npolicy = \"paper\"\nn_max = 5\nidle = 0.05\n"
        "park_awaited = true\nsticky_days = 7\n",
        "x.toml");
    REQUIRE(settings);
    const FleetScalingSettings& scaling = settings->cluster->scaling;
    CHECK(scaling.enabled);
    CHECK(scaling.policy == ScalingPolicy::paper);
    CHECK(scaling.n_min == 2);
    CHECK(scaling.n_max == 5);
    CHECK(scaling.samples == 20);
    CHECK(scaling.period == std::chrono::seconds(30));
    CHECK(scaling.idle == 0.05);
    CHECK(scaling.busy == 0.7);
    CHECK(scaling.park_awaited);
    CHECK(scaling.sticky == std::chrono::days(7));
    CHECK(settings->cluster->wake_socket == "/run/smsrack/wake.sock");
    CHECK_FALSE(settings->scaling.enabled);
    // What is shown is read as the same.
    const std::string shown = settings_as_toml(*settings);
    const auto again = load_settings(shown, "x.toml");
    REQUIRE(again);
    CHECK(settings_as_toml(*again) == shown);
}

TEST_CASE("settings: what [cluster] may not say") {
    struct Case {
        const char* lines;
        const char* problem;
    };
    for (const Case& bad : {
             Case{"", "x.toml:1: cluster.engine: is required\n"},
             Case{"engine = \"host=a password=secret\"",
                  "x.toml:1: cluster.engine: must have no password: anyone may read this file's "
                  "output; use a certificate (sslcert, sslkey) or a passfile\n"},
             Case{"engine = \"postgresql://box:secret@a/smsrack\"",
                  "x.toml:1: cluster.engine: must have no password: anyone may read this file's "
                  "output; use a certificate (sslcert, sslkey) or a passfile\n"},
             Case{"engine = \"host=a\"\nalone_levels = [4, 3]",
                  "x.toml:1: cluster.alone_levels: must have the lowest level first\n"},
             Case{"engine = \"host=a\"\nalone_levels = [4]",
                  "x.toml:4: cluster.alone_levels: must have 2 numbers, the lowest and the highest "
                  "level, not 1\n"},
             Case{"engine = \"host=a\"\nlease_s = 30\nalone_s = 59",
                  "x.toml:1: cluster.alone_s: must be at least twice lease_s\n"},
             Case{"engine = \"host=x\"\nwake = \"wake\"",
                  "x.toml:4: cluster.wake: must be a path that begins with \"/\"\n"},
             Case{"engine = \"host=x\"\n[cluster.scaling]\nenabled = true",
                  "x.toml:1: cluster.wake: is required with [cluster.scaling]: the program that "
                  "wakes and parks boxes\n"},
             Case{"engine = \"host=x\"\n[cluster.scaling]\nidle = 0.5",
                  "x.toml:1: cluster.scaling.idle: must be from 0.01 to 0.2\n"},
             Case{"engine = \"host=x\"\n[cluster.scaling]\nn_min = 3\nn_max = 2",
                  "x.toml:1: cluster.scaling.n_max: must not be below n_min, which is 3\n"},
             Case{"engine = \"host=x\"\n[cluster.scaling]\nradio_off = true",
                  "x.toml:5: cluster.scaling.radio_off: unknown key\n"},
         }) {
        CAPTURE(bad.lines);
        CHECK(problems_of("[cluster]\nname = \"a\"\n" + std::string(bad.lines) + "\n") ==
              bad.problem);
    }
    CHECK(problems_of("[cluster]\nname = \"a\"\n"
                      "engine = \"postgresql://box@10.0.0.1:5432/smsrack\"\n") == "");
}

TEST_CASE("settings: a socket path must fit into an address of the system") {
    const std::string longest = "/" + std::string(102, 'x');
    CHECK(problems_of("[service]\nsocket = \"" + longest + "\"") == "");
    CHECK(problems_of("[service]\nsocket = \"" + longest + "x\"") ==
          "x.toml:2: service.socket: must be a path that begins with \"/\", at most 103 octets "
          "long\n");
}

TEST_CASE("settings: what is shown reads back to the same configuration") {
    for (const char* text : {example, ""}) {
        const auto first = load_settings(text, "x.toml");
        REQUIRE(first);
        const std::string shown = settings_as_toml(*first);
        CAPTURE(shown);
        const auto again = load_settings(shown, "shown.toml");
        REQUIRE(problems_of(shown) == "");
        CHECK(settings_as_toml(*again) == shown);
    }
}

TEST_CASE("settings: a fraction is read as such, and a whole number where one is enough") {
    const auto jitter = [](const char* text) {
        return load_settings(text, "x.toml")->defaults.pace_jitter;
    };
    CHECK(jitter("[defaults]\npace_jitter = 0.25") == doctest::Approx(0.25));
    CHECK(jitter("[defaults]\npace_jitter = 1") == doctest::Approx(1));
    const auto settings = load_settings("[defaults]\npace_jitter = 0.25", "x.toml");
    CHECK(settings_as_toml(*settings).contains("\npace_jitter = 0.25 "));
}

TEST_CASE("settings: lines are kept for the top levels only where both are said") {
    CHECK_FALSE(load_settings("", "x.toml")->priority.reserve);
    CHECK(load_settings("", "x.toml")->priority.ageing);
    const auto settings =
        load_settings("[priority]\nageing = false\nreserve = { level = 5, lines = 2 }", "x.toml");
    REQUIRE(settings);
    CHECK_FALSE(settings->priority.ageing);
    REQUIRE(settings->priority.reserve);
    CHECK(settings->priority.reserve->level == 5);
    CHECK(settings->priority.reserve->lines == 2);
    CHECK(settings_as_toml(*settings).contains("reserve = { level = 5, lines = 2 }"));
    CHECK(problems_of("[priority]\nreserve = { level = 0, lines = 1 }") ==
          "x.toml:2: priority.reserve.level: must be from 1 to 6\n");
    CHECK(problems_of("[priority]\nreserve = { level = 5 }") ==
          "x.toml:2: priority.reserve.lines: is required\n");
}

TEST_CASE(
    "settings: what is shown names the source of a PIN, what differs per modem, and what does "
    "nothing yet") {
    const std::string shown = settings_as_toml(*load_settings(example, "x.toml"));
    CHECK(shown.contains("pin = { file = \"/etc/smsrack/pins/m0\" }"));
    CHECK(shown.contains(
        "quota = { per_minute = 10, per_hour = 100, per_day = 1000, per_month = 20000, "
        "recipients_per_month = 250 }"));
    CHECK(shown.contains("\nbaud = 9600\n"));
    CHECK(shown.contains("capacity = 1000000"));
    CHECK(
        shown.contains("protect = true                             # refuse what would take longer "
                       "than sla_ms, with the time to come back"));
    CHECK(shown.contains("socket_mode = \"0660\""));
}

namespace {

std::string file_of_tree(const std::string& path) {
    std::ifstream in(SMSRACK_SOURCE_DIR "/" + path);
    REQUIRE(in.good());
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE(
    "settings: the configuration that is shipped says the defaults, and its examples can be used") {
    const std::string shipped = file_of_tree("firmware-host/packaging/smsrack.toml");
    REQUIRE(problems_of(shipped) == "");
    CHECK(settings_as_toml(*load_settings(shipped, "x.toml")) == settings_as_toml(Settings{}));
    // With the examples switched on: comments that begin with a key or a header.
    std::string used;
    std::istringstream lines(shipped);
    for (std::string line; std::getline(lines, line);) {
        const bool example =
            line.starts_with("# [[") || (line.starts_with("# ") && line.contains(" = "));
        used += (example ? line.substr(2) : line) + "\n";
    }
    CHECK(problems_of(used) == "");
    CHECK(load_settings(used, "x.toml")->modems.size() == 1);
    CHECK(load_settings(used, "x.toml")->routes.size() == 1);
}

TEST_CASE("settings: the manual page explains every key") {
    const std::string page = file_of_tree("docs/man/smsrack.toml.5");
    const auto explained = [&page](std::string_view key) {
        CAPTURE(std::string(key));
        CHECK(page.contains("\n.TP\n.B " + std::string(key) + "\n"));
    };
    const auto each = [&](const auto& fields) {
        std::apply([&](const auto&... one) { (explained(one.key), ...); }, fields);
    };
    each(ServiceSettings::fields);
    each(LineSettings::fields);
    each(ModemSettings::fields);
    each(RouteSettings::fields);
    each(QueueSettings::fields);
    each(PrioritySettings::fields);
    each(DedupSettings::fields);
    each(TriggerSettings::fields);
    each(RetentionSettings::fields);
    each(HttpSettings::fields);
    each(WebhookSettings::fields);
}

TEST_CASE("settings: without [http] nothing listens; with it, on the machine itself alone") {
    CHECK_FALSE(load_settings("", "x.toml")->http);
    const auto settings = load_settings("[http]\n", "x.toml");
    REQUIRE(settings->http);
    CHECK(settings->http->listen == std::vector<std::string>{"127.0.0.1:8775"});
    CHECK(settings->http->tokens == "/etc/smsrack/tokens");
    CHECK(load_settings("[http]\nlisten = \"[::1]:80\"\n", "x.toml")->http->listen ==
          std::vector<std::string>{"[::1]:80"});
    CHECK(load_settings("[http]\nlisten = [\"[::1]:80\", \"127.0.0.1:80\"]\n", "x.toml")
              ->http->listen.size() == 2);
}

TEST_CASE("settings: what listens to other machines has a certificate, or says that it has none") {
    const std::string open = "[http]\nlisten = \"0.0.0.0:8775\"\n";
    CHECK(problems_of(open).starts_with("x.toml:1: http.listen: 0.0.0.0:8775 can be reached"));
    CHECK(problems_of(open).contains("`smsrack tls new`"));
    CHECK(problems_of(open + "plain = true\n") == "");
    CHECK(problems_of(open + "tls_cert = \"/c\"\ntls_key = \"/k\"\n") == "");
    CHECK(problems_of("[http]\ntls_cert = \"/c\"\n").starts_with("x.toml:1: http.tls_key: "));
    CHECK(problems_of("[http]\nlisten = \"localhost:80\"\n").contains("numeric address"));
    CHECK(problems_of("[http]\nlisten = []\n") == "x.toml:1: http.listen: must have an address\n");
    CHECK(load_settings("[http]\n", "x.toml")->http->session == std::chrono::hours(12));
    CHECK(
        problems_of("[http]\nsession_h = 0\n").contains("http.session_h: must be from 1 to 8760"));
    CHECK(load_settings("[http]\norigins = [\"https://shop.example\", \"http://[::1]:8080\"]\n",
                        "x.toml")
              ->http->origins.size() == 2);
    for (const char* origin :
         {"*", "shop.example", "https://Shop.example", "https://shop.example/", "https://",
          "ftp://shop.example", "", "https://shop.example:443", "http://shop.example:80",
          "https://:", "https://a..b", "https://shop.example:", "https://shop.example:08775"}) {
        CAPTURE(origin);
        CHECK(problems_of("[http]\norigins = [\"" + std::string(origin) + "\"]\n")
                  .contains("http.origins: "));
    }
    CHECK(problems_of("[http]\ntrusted_proxies = [\"10.0.0.0/8\"]\n").contains("numeric address"));
}

TEST_CASE("settings: what an operator lets through, and its defaults") {
    const Settings defaults = *load_settings("", "x.toml");
    CHECK(defaults.destinations.allow.empty());
    CHECK(defaults.destinations.premium == PremiumPolicy::refuse);
    CHECK_FALSE(defaults.limits.per_recipient_hour);
    CHECK(defaults.quiet_hours.from.empty());
    CHECK(defaults.opt_out.words.front() == "STOP");
    const char* const text = R"([destinations]
allow = ["+33", "36"]
deny = ["+338"]
premium = "allow"
[limits]
per_recipient_day = 5
[quiet_hours]
from = "21:00"
to = "08:00"
zone = "Europe/Paris"
below_priority = 4
action = "refuse"
[opt_out]
words = []
)";
    REQUIRE(problems_of(text) == "");
    const Settings settings = *load_settings(text, "x.toml");
    CHECK(settings.destinations.allow == std::vector<std::string>{"+33", "36"});
    CHECK(settings.destinations.premium == PremiumPolicy::allow);
    CHECK(settings.limits.per_recipient_day == 5);
    CHECK(settings.quiet_hours.below_priority == 4);
    CHECK(settings.quiet_hours.action == QuietAction::refuse);
    CHECK(settings.opt_out.words.empty());
    CHECK(settings.opt_out.start_words.size() > 1);
    CHECK(settings_as_toml(settings).contains("allow = [\"+33\", \"36\"]"));
    CHECK(problems_of(settings_as_toml(settings)) == "");
}

TEST_CASE("settings: [[trigger]] as documented, its defaults, and what is shown reads back") {
    const std::string text = R"([[trigger]]
name          = "welcome"
template      = "Welcome to {topic}!"
topics        = { file = "/etc/smsrack/cities.csv" }
capacity      = 1_000_000
fp_rate       = 1e-4
verify        = true
retain_days   = 15
recent_s      = 1_800
batch_s       = 30
share         = 1.0
)";
    REQUIRE(problems_of(text) == "");
    const Settings settings = *load_settings(text, "x.toml");
    REQUIRE(settings.triggers.size() == 1);
    const TriggerSettings& trigger = settings.triggers[0];
    CHECK(trigger.name == "welcome");
    CHECK(trigger.text == "Welcome to {topic}!");
    CHECK(trigger.topics->file == "/etc/smsrack/cities.csv");
    const TriggerSettings defaults;
    CHECK(trigger.capacity == defaults.capacity);
    CHECK(trigger.fp_rate == defaults.fp_rate);
    CHECK(trigger.verify == defaults.verify);
    CHECK(trigger.retain == defaults.retain);
    CHECK(trigger.recent == defaults.recent);
    CHECK(trigger.batch == defaults.batch);
    CHECK(trigger.share == defaults.share);
    CHECK_FALSE(trigger.per_minute);
    CHECK(trigger.on_failed == TriggerOnFailed::release);
    CHECK(problems_of(settings_as_toml(settings)) == "");
    CHECK(settings_as_toml(*load_settings(settings_as_toml(settings), "y.toml")) ==
          settings_as_toml(settings));
}

TEST_CASE("settings: what a [[trigger]] must not say") {
    struct Case {
        const char* keys;
        const char* problem;
    };
    for (const Case& c : {
             Case{"",
                  "x.toml:1: trigger.template: is required where there is no file of topics with "
                  "texts\n"},
             Case{"template = \"{place}\"",
                  "x.toml:1: trigger.template: unknown field {place}: not {topic}, {number}, "
                  "{text} or one of \"fields\"\n"},
             Case{"template = \"{text}\"",
                  "x.toml:1: trigger.template: {text} is of a file of topics, and there is none\n"},
             Case{"template = \"{\"",
                  "x.toml:1: trigger.template: octet 1: \"{\" without \"}\" (\"{{\" is the brace "
                  "itself)\n"},
             Case{"template = \"x\"\nfp_rate = 0.5",
                  "x.toml:1: trigger.fp_rate: must be from 0.000001 to 0.1\n"},
             Case{"template = \"x\"\nshare = 1.5",
                  "x.toml:4: trigger.share: must be from 0 to 1\n"},
             Case{"template = \"x\"\nshare_by_tag = { beta = 1.0, staff = 1, \"a.b:c\" = 0 }", ""},
             Case{"template = \"x\"\nshare_by_tag = { beta = 1.5 }",
                  "x.toml:4: trigger.share_by_tag.beta: must be from 0 to 1\n"},
             Case{
                 "template = \"x\"\nshare_by_tag = { beta = \"all\" }",
                 "x.toml:4: trigger.share_by_tag.beta: must be a number such as 0.5, not a text\n"},
             Case{"template = \"x\"\nshare_by_tag = { \"my users\" = 1 }",
                  "x.toml:4: trigger.share_by_tag.my users: the name must be 1 to 64 of letters, "
                  "digits, \"_\", \"-\", \".\" and \":\"\n"},
             Case{"template = \"x\"\nshare_by_tag = 0.5",
                  "x.toml:4: trigger.share_by_tag: must be a table of names and numbers such as { "
                  "beta = 1.0 }, not a number with a fraction\n"},
             Case{"template = \"x\"\n[trigger.share_by_tag]\nbeta = 1.0\nstaff = 2",
                  "x.toml:6: trigger.share_by_tag.staff: must be from 0 to 1\n"},
             Case{"template = \"x\"\nmax_age_s = 259_200", ""},
             Case{"template = \"x\"\nmax_age_s = -1",
                  "x.toml:4: trigger.max_age_s: must be from 0 to 31536000\n"},
             Case{"template = \"x\"\nmax_age_s = \"3 days\"",
                  "x.toml:4: trigger.max_age_s: must be a whole number, not a text\n"},
             Case{"template = \"x\"\ntopics_max = 16_383", ""},
             Case{"template = \"x\"\ntopics_max = 16_384",
                  "x.toml:4: trigger.topics_max: must be from 1 to 16383\n"},
             Case{"template = \"x\"\ngroup = \"a\"",
                  "x.toml:1: trigger.group: no modem is in group \"a\"\n"},
             Case{"template = \"x\"\nfields = [\"topic\"]",
                  "x.toml:1: trigger.fields: \"topic\" is there without it\n"},
             Case{"template = \"x\"\ncells = { file = \"/cells.csv\" }", ""},
             Case{"template = \"x\"\ncells = { file = \"cells.csv\" }",
                  "x.toml:4: trigger.cells.file: must be a path that begins with \"/\"\n"},
             Case{"template = \"x\"\ncells = \"/cells.csv\"",
                  "x.toml:4: trigger.cells: must be a table in braces, not a text\n"},
             Case{"template = \"x\"\ntopics = {}", "x.toml:4: trigger.topics.file: is required\n"},
             Case{"template = \"x\"\n[[trigger]]\nname = \"welcome\"\ntemplate = \"y\"",
                  "x.toml:4: trigger.name: \"welcome\" is taken by the trigger of line 1\n"},
         }) {
        CAPTURE(c.keys);
        CHECK(problems_of(std::string("[[trigger]]\nname = \"welcome\"\n") + c.keys) == c.problem);
    }
    CHECK(problems_of("[[trigger]]\nname = \"w\"\ntemplate = \"{name}\"\nfields = [\"name\"]\n") ==
          "");
    std::string many = "share_by_tag = { t0 = 1";
    for (int i = 1; i <= 64; ++i) {
        many += ", t" + std::to_string(i) + " = 1";
    }
    CHECK(problems_of("[[trigger]]\nname = \"w\"\ntemplate = \"x\"\n" + many + " }\n") ==
          "x.toml:4: trigger.share_by_tag: must have at most 64 names, not 65\n");
}

TEST_CASE("settings: shares by tag are shown as they are read") {
    const auto settings = load_settings(
        "[[trigger]]\nname = \"w\"\ntemplate = \"x\"\nmax_age_s = 60\n"
        "share_by_tag = { beta = 1.0, \"a.b\" = 0.25 }\n",
        "x.toml");
    REQUIRE(settings);
    const std::string shown = settings_as_toml(*settings);
    CHECK(shown.contains("share_by_tag = { \"a.b\" = 0.25, beta = 1 }"));
    CHECK(shown.contains("max_age_s = 60"));
    const auto again = load_settings(shown, "y.toml");
    REQUIRE(again);
    REQUIRE(again->triggers[0].share_by_tag.size() == 2);
    CHECK(again->triggers[0].share_by_tag[0].name == "a.b");
    CHECK(again->triggers[0].share_by_tag[0].number == 0.25);
}

TEST_CASE("settings: clients with limits of their own, and routes of several groups") {
    const auto settings = load_settings(
        "[clients]\ndisconnect_s = 5\nheartbeat_s = 7\nknown_only = true\n"
        "[[client]]\nname = \"billing\"\nuser = \"billing-app\"\nwaiting_max = 9\n"
        "[[modem]]\nname = \"m0\"\nport = \"/a\"\ngroup = \"x\"\n"
        "[[modem]]\nname = \"m1\"\nport = \"/b\"\ngroup = \"y\"\n"
        "[[route]]\nprefix = \"+336\"\ngroups = [\"x\", \"y\"]\nsticky = true\n",
        "x.toml");
    REQUIRE(settings);
    CHECK(settings->clients.disconnect == std::chrono::seconds(5));
    CHECK(settings->clients.heartbeat == std::chrono::seconds(7));
    CHECK(settings->clients.known_only);
    REQUIRE(settings->client_list.size() == 1);
    CHECK(settings->client_list[0].name == "billing");
    CHECK(settings->client_list[0].user == "billing-app");
    CHECK(settings->client_list[0].waiting_max == 9);
    CHECK_FALSE(settings->client_list[0].buffered_max);
    REQUIRE(settings->routes.size() == 1);
    CHECK(settings->routes[0].groups == std::vector<std::string>{"x", "y"});
    CHECK(settings->routes[0].sticky);
    CHECK(load_settings(settings_as_toml(*settings), "again.toml"));
}

TEST_CASE("settings: what the TOML library does not foresee is a fault of its line, and no abort") {
    for (const char* const text : {"\n[\x7Fmodem]]\n\n", "\n[= 1\n\n", "\nx = [}\n\n",
                                   "\nx = [\n}\n", "\nx = [1, }", "\n[service]\n\x7F = 1\n"}) {
        CAPTURE(text);
        const auto settings = load_settings(text, "f.toml");
        REQUIRE_FALSE(settings);
        REQUIRE(settings.error().problems.size() == 1);
        CHECK(settings.error().problems[0].line >= 2);
        CHECK(settings.error().problems[0].line <= 3);
        CHECK_FALSE(settings.error().problems[0].message.empty());
    }
}
