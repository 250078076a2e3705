#include "drivers/at/at_channel.hpp"

#include "drivers/wavecom/profile.hpp"
#include "tests/support/manual_clock.hpp"
#include "tests/support/scripted_pipe.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace smsrack::at {
namespace {

using namespace std::chrono_literals;

class Heard final : public AtListener {
public:
    void on_prompt() override { said.emplace_back("prompt"); }
    void on_line(LineKind kind, std::string_view line) override {
        said.push_back((kind == LineKind::data ? "data " : "line ") + std::string(line));
    }
    void on_piece(std::string_view line) override { said.push_back("piece " + std::string(line)); }
    void on_final(FinalResult result) override { said.push_back("final " + to_text(result)); }
    void on_urc(std::string_view line, std::string_view pdu) override {
        said.push_back("urc " + std::string(line) + (pdu.empty() ? "" : " " + std::string(pdu)));
    }
    void on_stray_final(FinalResult result) override { said.push_back("stray " + to_text(result)); }

    std::vector<std::string> said;
};

using Said = std::vector<std::string>;

struct Line {
    test::ManualClock clock;
    test::Wire wire;
    test::ScriptedPipe pipe{wire};
    Heard heard;
    AtChannel channel{wavecom::profile.urcs.rules(), heard, 0ms};

    Line() { channel.attach(&pipe); }
    void start(const Command& command) { channel.start(command, clock.steady()); }
    Result<> say(std::string_view bytes) {
        wire.to_host += bytes;
        return channel.step(clock.steady());
    }
    Result<> pass(std::chrono::milliseconds time) {
        clock.advance(time);
        return channel.step(clock.steady());
    }
};

constexpr Command cmgr{.text = "AT+CMGR=1", .prefix = "+CMGR:", .timeout = 5s, .takes = Takes::pdu};

}  // namespace

TEST_CASE("AtChannel: no input extends the deadline of a command") {
    Line line;
    line.start({.text = "AT+CSQ", .prefix = "+CSQ:", .timeout = 5s});
    for (int second = 0; second < 4; ++second) {
        REQUIRE(line.pass(1s));
        REQUIRE(line.say("\r\n+CREG: 1\r\n+CSQ: 1,0\r\ngarbage\r\n"));
    }
    CHECK(line.channel.is_busy());
    REQUIRE(line.pass(999ms));
    CHECK(line.channel.is_busy());
    REQUIRE(line.pass(1ms));
    CHECK(!line.channel.is_busy());
    CHECK(line.heard.said.back() == "final no answer");
}

TEST_CASE("AtChannel: the final result that came in time counts although it is read late") {
    Line line;
    line.start({.text = "AT", .timeout = 1s});
    line.wire.to_host = "\r\nOK\r\n";
    REQUIRE(line.pass(3s));
    CHECK(line.heard.said == Said{"final OK"});
}

TEST_CASE("AtChannel: URCs between the lines of an answer go their own way, with their PDU") {
    // 24 and 25 octets of TPDU
    const std::string mine = "0791331600000000040B913316325476F800006211120021434005E8329BFD06";
    const std::string urcs = "0006020B913316325476F8621112002143406211120021634000";
    struct Case {
        std::string so;
        std::string between;  // header and PDU line of the answer
        Said said;
    };
    for (const Case& c : {
             Case{"a URC without PDU", "\r\n+CMTI: \"SM\",2\r\n", {"urc +CMTI: \"SM\",2"}},
             Case{
                 "a URC and its PDU", "\r\n+CDS: 25\r\n" + urcs + "\r\n", {"urc +CDS: 25 " + urcs}},
             Case{"a URC whose PDU never comes", "\r\n+CDS: 77\r\n", {}},
             Case{"noise", "\r\n%$&\r\n", {"piece %$&"}},
         }) {
        CAPTURE(c.so);
        Line line;
        line.start(cmgr);
        REQUIRE(line.say("\r\n+CMGR: 0,,24\r\n" + c.between + mine + "\r\n\r\nOK\r\n"));
        Said want{"line +CMGR: 0,,24"};
        want.insert(want.end(), c.said.begin(), c.said.end());
        want.push_back("data " + mine);
        want.emplace_back("final OK");
        CHECK(line.heard.said == want);
    }
}

TEST_CASE(
    "AtChannel: the PDU of a URC is distinguished from the answer's by its length, whichever comes "
    "first") {
    const std::string mine = "0791331600000000040B913316325476F800006211120021434005E8329BFD06";
    const std::string urcs = "0006020B913316325476F8621112002143406211120021634000";
    Line line;
    line.start(cmgr);
    REQUIRE(
        line.say("\r\n+CDS: 25\r\n\r\n+CMGR: 0,,24\r\n" + mine + "\r\n" + urcs + "\r\n\r\nOK\r\n"));
    CHECK(line.heard.said ==
          Said{"line +CMGR: 0,,24", "data " + mine, "urc +CDS: 25 " + urcs, "final OK"});
}

TEST_CASE(
    "AtChannel: a command that may end by silence ends 100 ms after its line, at OK if that is "
    "earlier") {
    constexpr Command cpin{
        .text = "AT+CPIN?", .prefix = "+CPIN:", .timeout = 10s, .ends = Ends::at_silence_too};
    constexpr Command cimi{.text = "AT+CIMI", .timeout = 5s, .takes = Takes::text};
    Line line;
    line.start(cpin);
    REQUIRE(line.pass(3s));
    CHECK(line.channel.is_busy());
    REQUIRE(line.say("\r\n+CPIN: READY\r\n"));
    REQUIRE(line.pass(99ms));
    CHECK(line.channel.is_busy());
    REQUIRE(line.pass(1ms));
    CHECK(line.heard.said == Said{"line +CPIN: READY", "final OK"});

    SUBCASE("its late OK is not the next command's") {
        line.start(cimi);
        REQUIRE(line.say("\r\nOK\r\n"));
        CHECK(line.channel.is_busy());
        REQUIRE(line.say("\r\n208010123456789\r\n\r\nOK\r\n"));
        CHECK(line.heard.said.back() == "final OK");
        CHECK(!line.channel.is_busy());
    }
    SUBCASE("an error is the next command's") {
        line.start(cimi);
        REQUIRE(line.say("\r\nERROR\r\n"));
        CHECK(line.heard.said.back() == "final ERROR");
    }
}

TEST_CASE("AtChannel: a final result while no command is in flight is a stray one") {
    Line line;
    REQUIRE(line.say("\r\nOK\r\n\r\n+CMS ERROR: 38\r\n"));
    CHECK(line.heard.said == Said{"stray OK", "stray +CMS ERROR: 38"});
}

TEST_CASE("AtChannel: what the port does not take at once goes out in order when there is room") {
    Line line;
    line.wire.room = 2;
    line.start({.text = "AT+CSQ", .timeout = 5s});
    CHECK(line.wire.from_host == "AT");
    line.wire.room = 100;
    REQUIRE(line.pass(1ms));
    CHECK(line.wire.from_host == "AT+CSQ\r");
}

TEST_CASE("AtChannel: a port that is gone is reported by step(), after a write too") {
    Line line;
    line.wire.plugged = false;
    line.start({.text = "AT", .timeout = 1s});
    const auto stepped = line.channel.step(line.clock.steady());
    REQUIRE(!stepped);
    CHECK(stepped.error().code == Errc::closed);
}

TEST_CASE("AtChannel: a port that babbles without end does not hold the step") {
    Line line;
    line.start({.text = "AT", .timeout = 1s});
    REQUIRE(line.say(std::string(1'000'000, 'x')));
    CHECK(line.wire.to_host.size() > 900'000);
}

TEST_CASE("AtChannel: after the prompt the time that was left for it no longer counts") {
    Line line;
    line.start({.text = "AT+CMGS=13", .prefix = "+CMGS:", .timeout = 10s, .prompt = true});
    REQUIRE(line.say("\r\n> "));
    REQUIRE(line.pass(60s));
    CHECK(line.channel.is_busy());
    line.channel.go_on("00FF", '\x1a', line.clock.steady() + 120s);
    CHECK(line.wire.from_host == "AT+CMGS=13\r00FF\x1a");
    REQUIRE(line.pass(120s));
    CHECK(line.heard.said == Said{"prompt", "final no answer"});
}

TEST_CASE("AtChannel: a line that a URC cut is joined where only one line can come of its pieces") {
    constexpr Command read{
        .text = "AT+CMGR=1", .prefix = "+CMGR:", .timeout = 5s, .takes = Takes::pdu};
    constexpr Command erase{.text = "AT+CMGD=1", .timeout = 5s};
    const std::string pdu = "0791331600000000040B913316325476F800006211120021434005E8329BFD06";
    struct Case {
        const char* what;
        const Command& command;
        std::string said;
        Said heard;
    };
    const std::vector<Case> cases{
        {"the PDU, by its length",
         read,
         "+CMGR: 0,,24\r\n0791331\r\n+WIND: 13\r\n" + pdu.substr(7) + "\r\nOK\r\n",
         {"line +CMGR: 0,,24", "urc +WIND: 13", "data " + pdu, "final OK"}},
        {"the header, by its word",
         read,
         "+CM\r\n+WIND: 13\r\nGR: 0,,24\r\n" + pdu + "\r\nOK\r\n",
         {"piece +CM", "urc +WIND: 13", "line +CMGR: 0,,24", "data " + pdu, "final OK"}},
        {"a final result code",
         erase,
         "O\r\n+WIND: 13\r\nK\r\n",
         {"piece O", "urc +WIND: 13", "final OK"}},
        {"an error",
         erase,
         "+CMS ERR\r\n+WIND: 13\r\nOR: 321\r\n",
         {"piece +CMS ERR", "urc +WIND: 13", "final +CMS ERROR: 321"}},
        {"no PDU of another length",
         read,
         "+CMGR: 0,,24\r\n0791331\r\n+WIND: 13\r\n" + pdu.substr(8) + "\r\nOK\r\n",
         {"line +CMGR: 0,,24", "urc +WIND: 13", "data 0791331" + pdu.substr(8), "final OK"}},
        {"nothing out of noise",
         erase,
         "}}%\r\nK}\r\nOK\r\n",
         {"piece }}%", "piece K}", "final OK"}},
    };
    for (const Case& one : cases) {
        CAPTURE(one.what);
        Line line;
        line.start(one.command);
        REQUIRE(line.say(one.said));
        CHECK(line.heard.said == one.heard);
    }
}

TEST_CASE(
    "AtChannel: half of an OK ends a command after a moment, unless its information is missing") {
    struct Case {
        const char* what;
        Command command;
        std::string said;
        Said heard;
    };
    for (const Case& one : {
             Case{"O", {.text = "AT+CMGD=1"}, "O\r\n", {"piece O", "final OK"}},
             Case{"K", {.text = "AT+CMGD=1"}, "K\r\n", {"piece K", "final OK"}},
             Case{"behind its line",
                  {.text = "AT+CSQ", .prefix = "+CSQ:"},
                  "+CSQ: 17,0\r\nO\r\n",
                  {"line +CSQ: 17,0", "piece O", "final OK"}},
             Case{"before its line: noise",
                  {.text = "AT+CSQ", .prefix = "+CSQ:"},
                  "K\r\n",
                  {"piece K"}},
             Case{"of an error: no", {.text = "AT+CMGD=1"}, "ERR\r\n", {"piece ERR"}},
         }) {
        CAPTURE(one.what);
        Line line;
        line.start(one.command);
        REQUIRE(line.say(one.said));
        REQUIRE(line.pass(AnswerPieces::torn_ok_limit));
        CHECK(line.heard.said == one.heard);
    }
}

TEST_CASE("AtChannel: a PDU whose OK is lost ends its command, however many URCs come") {
    Line line;
    Command list{.text = "AT+CMGL=4", .prefix = "+CMGL:", .timeout = 60s, .takes = Takes::pdu};
    list.ends = Ends::at_silence_too;
    list.silence = 3s;
    line.start(list);
    REQUIRE(line.say("+CMGL: 1,0,,1\r\n0000\r\n"));
    for (int i = 0; i < 5; ++i) {
        REQUIRE(line.pass(500ms));
        REQUIRE(line.say("+WIND: 13\r\n"));
    }
    CHECK(line.channel.is_busy());
    REQUIRE(line.pass(500ms));
    CHECK(line.heard.said.back() == "final OK");
}

TEST_CASE("AtChannel: a pushed PDU that does not become whole is passed on as it came") {
    Line line;
    REQUIRE(line.say("+CMT: ,24\r\n07913316\r\n"));
    CHECK(line.heard.said.empty());
    REQUIRE(line.pass(UrcPdu::limit));
    CHECK(line.heard.said == Said{"urc +CMT: ,24 07913316"});
}

}  // namespace smsrack::at
