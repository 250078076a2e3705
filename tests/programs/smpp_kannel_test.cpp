/// Kannel, as Debian has it, sends and receives through the SMPP server. tools/test installs it; without it this fails
/// rather than skips.
#include "tests/programs/support/phone.hpp"
#include "tests/programs/support/smpp_rack.hpp"
#include "tests/support/read_file.hpp"
#include "tests/support/wait_for.hpp"
#include "tools/rig/free_port.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace smsrack::test {
namespace {

using namespace std::chrono_literals;

const std::string number = "+33600000050";

/// Of a report, as `%d` of a dlr-url says it.
namespace kind {
constexpr int delivered = 1;
constexpr int failed = 2;
constexpr int on_its_way = 4;
constexpr int accepted = 8;
}  // namespace kind

/// Options of the account that docs/smpp.md names for Kannel.
const std::string account = "shop unreported=unknown\n";

/// bearerbox with one connection to the gate, smsbox, and the server of the user's own URLs.
class Kannel {
public:
    explicit Kannel(const SmppRack& rig) {
        write_settings(rig.port());
        sink_ = start("sink", {"/usr/bin/python3", "-B",
                               SMSRACK_SOURCE_DIR "/tests/programs/support/url_sink.py",
                               std::to_string(sink_port_)});
        bearerbox_ = start("bearerbox.out", {"/usr/sbin/bearerbox", file("kannel.conf")});
        REQUIRE(wait_for(20s, [&] { return status().contains("<status>online"); }));
        smsbox_ = start("smsbox.out", {"/usr/sbin/smsbox", file("kannel.conf")});
        REQUIRE(wait_for(20s, [&] { return is_answered(send_port_, "/"); }));
    }

    /// "Using the HTTP interface to send SMS messages" of its user guide: "0: Accepted for delivery", or later.
    void send(const std::string& text, std::vector<std::string> more = {}) const {
        std::vector<std::string> words = {"username=test", "password=test", "to=" + number,
                                          "text=" + text};
        words.insert(words.end(), more.begin(), more.end());
        const std::string answer = get(send_port_, "/cgi-bin/sendsms", words);
        CAPTURE(text);
        REQUIRE_MESSAGE((answer.starts_with("0: ") || answer.starts_with("3: ")), answer);
    }
    /// The same, with all kinds of reports, which come under this name.
    void send_reported(const std::string& name, const std::string& text,
                       std::vector<std::string> more = {}) const {
        more.emplace_back("dlr-mask=31");
        more.push_back(
            fmt::format("dlr-url=http://127.0.0.1:{}/{}?kind=%d&what=%A", sink_port_, name));
        send(text, more);
    }

    /// Kinds of the reports with this name so far.
    [[nodiscard]] std::multiset<int> reports(const std::string& name) const {
        std::multiset<int> kinds;
        std::istringstream lines(asked());
        for (std::string line; std::getline(lines, line);) {
            const std::string begin = "/" + name + " kind=";
            if (line.starts_with(begin)) {
                kinds.insert(std::stoi(line.substr(begin.size())));
            }
        }
        return kinds;
    }
    /// What was asked of the user's URLs, a line each.
    [[nodiscard]] std::string asked() const { return read_file(file("sink")); }
    [[nodiscard]] std::string log() const { return read_file(file("bearerbox.log")); }
    /// Messages whose last report is missing.
    [[nodiscard]] int waits_for() const {
        const std::string page = status();
        const std::size_t reports = page.find("<dlr>");
        REQUIRE(reports != std::string::npos);
        const std::string begin = "<queued>";
        return std::stoi(page.substr(page.find(begin, reports) + begin.size()));
    }
    [[nodiscard]] std::string status() const {
        return get(admin_port_, "/status.xml", {"password=test"});
    }

private:
    [[nodiscard]] std::string file(const std::string& name) const { return folder_.path() / name; }

    [[nodiscard]] std::unique_ptr<Process> start(const std::string& output,
                                                 std::vector<std::string> words) const {
        return std::make_unique<Process>(
            Command{.words = std::move(words), .output = file(output)});
    }

    [[nodiscard]] static std::string get(std::uint16_t port, const std::string& path,
                                         const std::vector<std::string>& query) {
        std::vector<std::string> words = {"/usr/bin/curl", "--silent", "--max-time", "20", "--get"};
        for (const std::string& word : query) {
            words.emplace_back("--data-urlencode");
            words.push_back(word);
        }
        words.push_back(fmt::format("http://127.0.0.1:{}{}", port, path));
        return run({.words = words}, 30s).output;
    }
    [[nodiscard]] static bool is_answered(std::uint16_t port, const std::string& path) {
        return !get(port, path, {}).empty();
    }

    void write_settings(std::uint16_t gate) const {
        std::ofstream(file("kannel.conf")) << fmt::format(
            R"(group = core
admin-port = {admin}
admin-interface = "127.0.0.1"
admin-password = test
smsbox-port = {boxes}
smsbox-interface = "127.0.0.1"
box-allow-ip = "127.0.0.1"
log-file = "{folder}/bearerbox.log"
log-level = 0
sms-resend-freq = 1

group = smsc
smsc = smpp
smsc-id = gate
host = 127.0.0.1
port = {gate}
smsc-username = shop
smsc-password = secret12
system-type = ""
transceiver-mode = true
reconnect-delay = 1
source-addr-ton = 5
source-addr-npi = 0
dest-addr-ton = 1
dest-addr-npi = 1

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = {send}
sendsms-interface = "127.0.0.1"
global-sender = Bank
log-file = "{folder}/smsbox.log"
log-level = 0

group = sendsms-user
username = test
password = test
user-allow-ip = "127.0.0.1"
max-messages = 9
concatenation = true

group = sms-service
keyword = default
catch-all = yes
get-url = "http://127.0.0.1:{sink}/in?from=%p&coding=%c&text=%a&answer=Received,+thanks"
max-messages = 9
concatenation = true
)",
            fmt::arg("admin", admin_port_), fmt::arg("boxes", boxes_port_),
            fmt::arg("send", send_port_), fmt::arg("sink", sink_port_), fmt::arg("gate", gate),
            fmt::arg("folder", folder_.path().string()));
    }

    TempDir folder_;
    const std::uint16_t admin_port_ = rig::free_port();
    const std::uint16_t boxes_port_ = rig::free_port();
    const std::uint16_t send_port_ = rig::free_port();
    const std::uint16_t sink_port_ = rig::free_port();
    std::unique_ptr<Process> sink_;
    std::unique_ptr<Process> bearerbox_;
    std::unique_ptr<Process> smsbox_;
};

}  // namespace

TEST_CASE("smpp: Kannel sends text of any alphabet and length, and finds each receipt's message") {
    SmppRack rig(account, {.modems = 1});
    const Kannel kannel(rig);
    const std::string gsm7 = "Grüße für 5 € @ {home} [x] ~ñ";
    const std::string ucs2 = "Привет, 世界 \U0001F600";
    const std::string long_gsm7 = "begin " + std::string(400, 'a') + " €{} end";
    std::string long_ucs2;
    for (int i = 0; i < 50; ++i) {
        long_ucs2 += "Жук ";
    }
    struct Sent {
        std::string name;
        std::string text;
        std::vector<std::string> options;
    };
    const std::vector<Sent> sent = {
        {"gsm7", gsm7, {"charset=UTF-8"}},
        {"ucs2", ucs2, {"charset=UTF-8", "coding=2"}},
        {"long_gsm7", long_gsm7, {"charset=UTF-8"}},
        {"long_ucs2", long_ucs2, {"charset=UTF-8", "coding=2"}},
        {"flash", "Flash", {"mclass=0"}},
        {"limited", "Until then", {"validity=60", "priority=3"}},
        {"later", "Later", {"deferred=1"}},
    };
    std::multiset<std::string> texts = {"Without a report"};
    for (const auto& [name, text, options] : sent) {
        if (name != "later") {
            texts.insert(text);
        }
        kannel.send_reported(name, text, options);
    }
    kannel.send("Without a report");
    CHECK(wait_for(20s, [&] { return on_the_phone(rig.rack(), number) == texts; }));
    for (const auto& [name, text, options] : sent) {
        CAPTURE(name);
        // Kannel cuts a long message, and asks for the receipt of one of its parts.
        const std::multiset<int> all =
            name == "later" ? std::multiset<int>{kind::accepted}
                            : std::multiset<int>{kind::delivered, kind::on_its_way, kind::accepted};
        CHECK(wait_for(20s, [&] { return kannel.reports(name) == all; }));
    }
    CHECK(kannel.waits_for() == 1);
    CHECK(rig.rack().states().at("scheduled") == 1);
    CHECK_FALSE(kannel.log().contains("ERROR"));
}

TEST_CASE("smpp: Kannel learns that a message failed, by its report or at once") {
    SmppRack rig(account, {.modems = 1});
    const Kannel kannel(rig);
    rig.rack().simulate({{"do", "report_status"}, {"status", 0x41}, {"count", 1}});
    kannel.send_reported("failed", "Fails");
    CHECK(wait_for(20s, [&] { return kannel.reports("failed").contains(kind::failed); }));
    rig.rack().simulate({{"do", "cms_error"}, {"code", 1}, {"count", 9}});
    kannel.send_reported("refused", "Is refused");
    CHECK(wait_for(20s, [&] { return kannel.reports("refused").contains(kind::failed); }));
    CHECK(kannel.waits_for() == 0);
}

TEST_CASE("smpp: what a phone writes reaches Kannel's service, and its answer the phone") {
    SmppRack rig("shop mo=all unreported=unknown\n", {.modems = 1});
    const Kannel kannel(rig);
    const std::string long_text = "long " + std::string(300, 'b');
    const std::vector<std::string> texts = {"Is it 5 € @ {home}?", "Добрый день", long_text};
    for (const std::string& text : texts) {
        rig.rack().simulate({{"do", "inbound"}, {"modem", 0}, {"from", number}, {"text", text}});
    }
    for (const std::string& text : texts) {
        CAPTURE(text);
        CHECK(wait_for(20s, [&] { return kannel.asked().contains("text=" + text + " answer="); }));
    }
    CHECK(kannel.asked().contains("/in from=" + number));
    const std::multiset<std::string> answers = {"Received, thanks", "Received, thanks",
                                                "Received, thanks"};
    CHECK(wait_for(20s, [&] { return on_the_phone(rig.rack(), number) == answers; }));
}

TEST_CASE("smpp: Kannel keeps to a rate, and gets each receipt after kills of gate and service") {
    SmppRack rig("shop rate=20 unreported=unknown\n", {.modems = 8});
    const Kannel kannel(rig);
    constexpr int count = 60;
    std::multiset<std::string> texts;
    for (int i = 0; i < count; ++i) {
        const std::string text = fmt::format("Message {}", i);
        kannel.send_reported(fmt::format("of{}", i), text);
        texts.insert(text);
        if (i == 20) {
            rig.gate().gate().signal(SIGKILL);
            REQUIRE(rig.gate().gate().wait(20s));
            rig.start_gate();
        }
        if (i == 40) {
            rig.rack().kill_service();
            rig.rack().start_service();
        }
    }
    const auto is_delivered = [&](int i) {
        return kannel.reports(fmt::format("of{}", i)).contains(kind::delivered);
    };
    for (int i = 0; i < count; ++i) {
        CAPTURE(i);
        CHECK(wait_for(30s, [&] { return is_delivered(i); }));
    }
    CHECK(kannel.waits_for() == 0);
    // What was not answered before the kill, Kannel sends again.
    const auto shown = on_the_phone(rig.rack(), number);
    CHECK(std::set<std::string>(shown.begin(), shown.end()) ==
          std::set<std::string>(texts.begin(), texts.end()));
}

}  // namespace smsrack::test
