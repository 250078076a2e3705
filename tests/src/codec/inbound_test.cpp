#include "src/codec/inbound.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

std::string octets(std::string_view hex) {
    std::string out;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        out += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
    }
    return out;
}

/// An SMS-DELIVER as hexadecimal fields: "hello" from +33612345678 where nothing else is said.
struct Deliver {
    std::string centre = "07913306090000F0";
    std::string first = "04";
    std::string from = "0B913316325476F8";
    std::string pid = "00";
    std::string dcs = "00";
    std::string scts = "62110191545080";  // 2026-11-10 19:45:05 +02:00
    std::string user_data = "05E8329BFD06";
    std::string behind = {};

    [[nodiscard]] std::string pdu() const {
        return octets(centre + first + from + pid + dcs + scts + user_data + behind);
    }
};

const codec::Arrival here{.modem = "m0",
                          .sim = SimId{1},
                          .at = {},
                          .own_number = "+33699999999",
                          .plan = {.country = "+33", .trunk = "0"}};

InboundSegment segment(const Deliver& deliver, const codec::Arrival& arrival = here) {
    auto read = codec::read_inbound(deliver.pdu(), arrival);
    REQUIRE(std::holds_alternative<InboundSegment>(read));
    return std::get<InboundSegment>(std::move(read));
}

}  // namespace

TEST_CASE("read_inbound: a message, where it came in, and what it says") {
    const InboundSegment read = segment({});
    CHECK(read.kind == InboundKind::gsm7);
    CHECK(read.payload == "hello");
    CHECK(read.from == "+33612345678");
    CHECK(read.own_number == "+33699999999");
    CHECK(read.scts_text == "2026-11-10T19:45:05+02:00");
    CHECK(read.pid == 0);
    CHECK_FALSE(read.ports);
    CHECK_FALSE(read.waiting);
    CHECK_FALSE(is_silent(read));
}

TEST_CASE("read_inbound: two readings of one message have one fingerprint, two messages have two") {
    struct Row {
        const char* so;
        Deliver deliver;
        bool same;
    };
    const auto fingerprint = segment({}).fingerprint;
    for (const Row& row : {
             Row{"the same", {}, true},
             Row{"by another service centre", {.centre = "07913306090001F0"}, true},
             Row{"that more messages wait", {.first = "00"}, true},
             Row{"as a SIM pads its records", {.behind = "FFFFFFFF"}, true},
             Row{"a second later", {.scts = "62110191546080"}, false},
             Row{"the same second of another zone", {.scts = "62110191545040"}, false},
             Row{"another text", {.user_data = "05E83A9BFD06"}, false},
             Row{"another sender", {.from = "0B913316325476F9"}, false},
             Row{"the same digits in national form", {.from = "0BA13316325476F8"}, false},
             Row{"another type", {.pid = "41"}, false},
             Row{"another class", {.dcs = "10"}, false},
         }) {
        CAPTURE(row.so);
        CHECK((segment(row.deliver).fingerprint == fingerprint) == row.same);
    }
    codec::Arrival elsewhere = here;
    elsewhere.sim = SimId{2};
    CHECK(segment({}, elsewhere).fingerprint != fingerprint);
}

TEST_CASE("read_inbound: who sent it") {
    struct Row {
        const char* so;
        std::string from;
        NumberPlan plan;
        const char* expected;
    };
    const NumberPlan france{.country = "+33", .trunk = "0"};
    for (const Row& row : {
             Row{"an international number", "0B913316325476F8", france, "+33612345678"},
             Row{"a national one, as it is dialled", "0AA16021436587", france, "+33612345678"},
             Row{"or without what is dialled first", "09A116325476F8", france, "+33612345678"},
             Row{"one of unknown type that is dialled so", "0A816021436587", france,
                 "+33612345678"},
             Row{"a service's own number is left as it is", "088183021032", france, "38200123"},
             Row{"a short code too", "05816381F0", france, "36180"},
             Row{"without a country nothing is guessed", "0AA16021436587", {}, "0612345678"},
             Row{"a name", "07D0C2B07B0D", france, "Bank"},
         }) {
        CAPTURE(row.so);
        codec::Arrival arrival = here;
        arrival.plan = row.plan;
        CHECK(segment({.from = row.from}, arrival).from == row.expected);
    }
}

TEST_CASE("read_inbound: what is said besides the text") {
    struct Row {
        const char* so;
        Deliver deliver;
        std::optional<WaitingWhere> where;
        bool active;
        std::optional<std::uint16_t> port;
        std::optional<std::uint8_t> message_class;
        bool silent;
    };
    for (const Row& row : {
             Row{"nothing", {}, {}, false, {}, {}, false},
             Row{"for the screen at once", {.dcs = "10"}, {}, false, {}, 0, false},
             Row{"a voice message waits, text to be discarded",
                 {.dcs = "C8", .user_data = "00"},
                 WaitingWhere::voicemail,
                 true,
                 {},
                 {},
                 false},
             Row{"none waits any more",
                 {.dcs = "D0"},
                 WaitingWhere::voicemail,
                 false,
                 {},
                 {},
                 false},
             Row{"a fax waits, in UCS-2",
                 {.dcs = "E9", .user_data = "020041"},
                 WaitingWhere::fax,
                 true,
                 {},
                 {},
                 false},
             Row{"an e-mail, said in the header",
                 {.first = "44", .dcs = "04", .user_data = "060401028203AA"},
                 WaitingWhere::email,
                 true,
                 {},
                 {},
                 false},
             Row{"for an application",
                 {.first = "44", .dcs = "04", .user_data = "090605040B8423F0AABB"},
                 {},
                 false,
                 2948,
                 {},
                 false},
             Row{"silent", {.pid = "40", .user_data = "00"}, {}, false, {}, {}, true},
         }) {
        CAPTURE(row.so);
        const InboundSegment read = segment(row.deliver);
        CHECK(read.kind != InboundKind::undecodable);
        CHECK(read.waiting.has_value() == row.where.has_value());
        if (read.waiting) {
            CHECK(read.waiting->where == row.where);
            CHECK(read.waiting->active == row.active);
        }
        CHECK((read.ports ? std::optional(read.ports->dst) : std::nullopt) == row.port);
        CHECK(read.message_class == row.message_class);
        CHECK(is_silent(read) == row.silent);
    }
}

TEST_CASE("read_inbound: what can't be decoded is kept as it came") {
    const std::string raw = octets("07913306090000F00499");
    const auto read = codec::read_inbound(raw, here);
    const auto& kept = std::get<InboundSegment>(read);
    CHECK(kept.kind == InboundKind::undecodable);
    CHECK(kept.raw == raw);
    CHECK(kept.payload == raw);
    CHECK(kept.fingerprint == std::get<InboundSegment>(codec::read_inbound(raw, here)).fingerprint);
    CHECK_FALSE(is_silent(kept));
}

TEST_CASE("read_inbound: a status report, with its two times and their zone") {
    // TP-DT 2026-11-10 20:00:00 +05:45
    const auto report_with = [](std::string_view first) {
        const std::string pdu = octets("07913306090000F0" + std::string(first) +
                                       "2A0B913316325476F8"
                                       "62110191545080"
                                       "62110102000032"
                                       "00");
        const auto read = codec::read_inbound(pdu, here);
        REQUIRE(std::holds_alternative<StatusReport>(read));
        return std::get<StatusReport>(read);
    };
    const StatusReport report = report_with("06");
    const WallTime day{std::chrono::sys_days{std::chrono::year{2026} / 11 / 10}};
    CHECK(report.tp_mr == 0x2A);
    CHECK(report.recipient == "+33612345678");
    CHECK(report.scts == day + 17h + 45min + 5s);
    CHECK(report.discharge == day + 14h + 15min);
    CHECK_FALSE(report.of_command);
    CHECK(report_with("26").of_command);
    CHECK(report_with("02").fingerprint == report.fingerprint);
}
