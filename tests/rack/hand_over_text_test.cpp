// What goes over a socket from one version to the next: there and back, cut off, of another protocol.
#include "firmware-host/upgrade/hand_over_text.hpp"

#include "firmware-host/upgrade/hand_over_link.hpp"
#include "src/wire/json.hpp"
#include "tests/support/read_file.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

serial::OwnedFd some_fd() {
    return serial::OwnedFd(::open("/dev/null", O_RDONLY | O_CLOEXEC));
}

/// A value in each member that a default would not have.
host::HandOver full() {
    host::HandOver whole{.lock = some_fd(),
                         .listener = some_fd(),
                         .owns_socket_file = false,
                         .version = "1.2.3",
                         .held_since = SteadyTime(12'345ns),
                         .store_closed = true};
    host::LineHandOver line{.name = "m0", .path = "/dev/ttyS0", .baud = 9600, .port = some_fd()};
    line.modem.ready = true;
    line.modem.facts.identity = {
        .imei = "1", .imsi = "2", .iccid = "3", .operator_name = "O2", .model = "x"};
    line.modem.facts.signal_dbm = -71;
    line.modem.facts.registration = ports::Registration::roaming;
    line.modem.channel = {.unwritten = std::string("\x1a\0x", 3),
                          .half_line = "+CMG",
                          .busy = true,
                          .text = "00",
                          .deadline = SteadyTime(99s),
                          .urc_header = "+CDS: 25",
                          .urc_patience = 3,
                          .urc_pdu = "ab"};
    line.modem.submit = {.state = gsm::SubmitState::sent, .slow_at = SteadyTime(45s)};
    line.modem.watch = {.registered = true, .due = SteadyTime(7s), .vitals_by = SteadyTime(8s)};
    line.modem.link = {.on = true, .off_until = SteadyTime::min(), .strikes = 2};
    line.modem.inbox.acknowledged = {
        {.place = {gsm::Memory::direct, 0}, .acknowledged = true, .came_at = SteadyTime(3s)}};
    line.modem.inbox.unread = {{gsm::Memory::sr, 17}};
    line.modem.inbox.storage_total = 50;
    line.line.seat.sim = SimId{4};
    line.line.counts.accepted = 1'000'000'000'000;
    line.line.counts.incidents.at(static_cast<std::size_t>(ports::Incident::pdu_unreadable)) = 9;
    line.line.in_hand.emplace();
    line.line.in_hand->attempt = AttemptId{77};
    line.line.in_hand->segment = 2;
    line.line.in_hand->content.pdus = {std::string("\0\x01", 2), "\xff"};
    OutMessage& message = line.line.in_hand->content.message;
    message.id = MessageId{5'000'000'000};
    message.body.text = "\xc3\xa9";
    message.body.message_class = 1;
    message.body.ports = PortAddress{.dst = 16000, .src = 1};
    message.segments = {MessageState::sent, MessageState::sending};
    message.past = {{.segment = 1, .outcome = OutcomeKind::refused, .cause = {CodeKind::cms, 42}}};
    message.concat_ref = 300;
    message.self_sms = true;
    line.line.given_up = line::GivenUp{.attempt = AttemptId{3}};
    whole.lines.push_back(std::move(line));
    overload::GroupCarried group{.name = "default", .no_line_since = SteadyTime(4s)};
    group.submits = {{.at = SteadyTime(1s), .occupied = 3'100ms, .sent = true},
                     {.at = SteadyTime(2s), .occupied = 900ms}};
    group.levels.at(3) = {
        .responses = {{.at = SteadyTime(5s), .took = 1'234'567'891ns}},
        .accepted = {.at = SteadyTime(6s), .sum = 12.000000000000002, .seen_s = 7.25},
        .arrived = 90'000,
        .promises = {.waiting = std::string("\x00\xff", 2), .come_back = 1.0 / 3, .care = 0.5},
        .probe = overload::ProbeCarried{
            .came = SteadyTime(10s), .queued = SteadyTime(11s), .arrived = 89'000}};
    whole.learned.groups.push_back(std::move(group));
    whole.learned.cooling = {
        {.sim = SimId{4}, .refusals = 2, .pauses = 1, .until = SteadyTime(60s)}};
    whole.learned.scaling = {.rate = 1.5, .messages = 2, .seconds = 3};
    whole.learned.wakes = {{.line = "m0", .took = 5ns}};
    whole.learned.conditions = {
        {.name = "modem_silent", .subject = "modem m0", .since = WallTime(3s), .shown = true}};
    whole.away = {{.name = "billing",
                   .id = ClientId{7},
                   .stop_at = SteadyTime(70s),
                   .since = WallTime(5s),
                   .heard_at = WallTime(4s)}};
    host::ClientHandOver client{.fd = some_fd()};
    client.session.input = "GET /v1/sta";
    client.session.output = std::string("\0\xfe", 2);
    client.session.answer = std::make_shared<wire::AnswerCarried>(
        wire::AnswerCarried{.mark = "events 12 ", .begun = true, .filler_every = 15s});
    whole.clients.push_back(std::move(client));
    return whole;
}

std::vector<serial::OwnedFd> doubles(const std::vector<int>& descriptors) {
    std::vector<serial::OwnedFd> all;
    for (const int fd : descriptors) {
        all.emplace_back(::fcntl(fd, F_DUPFD_CLOEXEC, 3));
    }
    return all;
}

SteadyTime soon() {
    return std::chrono::steady_clock::now() + 10s;
}

bool is_open(int fd) {
    return ::fcntl(fd, F_GETFD) >= 0;
}

}  // namespace

TEST_CASE("hand-over text: what is read says the same as what was written") {
    const host::HandOver whole = full();
    const auto written = host::encode(whole);
    CHECK(written.descriptors.size() == 4);
    auto read = host::decode(written.text, doubles(written.descriptors));
    REQUIRE_MESSAGE(read, (read ? std::string() : read.error().context));
    CHECK(host::encode(*read).text == written.text);
    const host::LineHandOver& line = read->lines.at(0);
    CHECK(line.modem.channel.unwritten == std::string("\x1a\0x", 3));
    CHECK(line.modem.channel.deadline == SteadyTime(99s));
    CHECK(line.modem.submit.accepted.kind == whole.lines[0].modem.submit.accepted.kind);
    CHECK(line.line.in_hand->content.message.id == MessageId{5'000'000'000});
    CHECK(line.line.in_hand->content.message.self_sms);
    CHECK(line.line.in_hand->content.pdus == whole.lines[0].line.in_hand->content.pdus);
    CHECK(line.modem.link.off_until == SteadyTime::min());
    CHECK(read->clients.at(0).session.answer->mark == "events 12 ");
    CHECK(read->clients.at(0).session.output == whole.clients[0].session.output);
    const overload::LevelCarried& level = read->learned.groups.at(0).levels.at(3);
    CHECK(level.responses.at(0).took == 1'234'567'891ns);
    CHECK(level.accepted.sum == 12.000000000000002);
    CHECK(level.promises.waiting == std::string("\x00\xff", 2));
    CHECK(level.probe->queued == SteadyTime(11s));
    CHECK(read->learned.cooling.at(0).until == SteadyTime(60s));
    CHECK(read->learned.conditions.at(0).since == WallTime(3s));
    CHECK(read->learned.conditions.at(0).shown);
    CHECK(read->away.at(0).name == "billing");
    CHECK(read->away.at(0).stop_at == SteadyTime(70s));
}

TEST_CASE("hand-over text: each name and value of an earlier version is where it was") {
    const auto earlier =
        wire::parse_json(test::read_file(SMSRACK_GOLDEN_DIR "/hand-over.json")).value().flatten();
    const auto now = wire::parse_json(host::encode(full()).text).value().flatten();
    for (const auto& [path, value] : earlier.items()) {
        CAPTURE(path);
        REQUIRE(now.contains(path));
        CHECK(now[path] == value);
    }
}

TEST_CASE(
    "hand-over text: an older version does not say what it has learnt and who is away, and is "
    "taken") {
    const host::HandOver whole = full();
    const auto written = host::encode(whole);
    auto json = wire::parse_json(written.text).value();
    REQUIRE(json.erase("learned") == 1);
    REQUIRE(json.erase("away") == 1);
    const auto read = host::decode(json.dump(), doubles(written.descriptors));
    REQUIRE_MESSAGE(read, (read ? std::string() : read.error().context));
    CHECK(read->lines.size() == 1);
    CHECK(read->clients.size() == 1);
    CHECK(read->learned.groups.empty());
    CHECK(read->learned.cooling.empty());
    CHECK(read->away.empty());
}

TEST_CASE("hand-over text: additional members of a newer version do not disturb") {
    const host::HandOver whole = full();
    const auto written = host::encode(whole);
    auto json = wire::parse_json(written.text).value();
    json["of_tomorrow"] = {{"x", 1}};
    const auto read = host::decode(json.dump(), doubles(written.descriptors));
    REQUIRE_MESSAGE(read, (read ? std::string() : read.error().context));
    CHECK(host::encode(*read).text == written.text);
}

TEST_CASE("hand-over text: cut off anywhere it is refused, and its descriptors are closed") {
    const host::HandOver whole = full();
    const auto written = host::encode(whole);
    for (std::size_t length = 0; length < written.text.size(); length += 7) {
        auto descriptors = doubles(written.descriptors);
        const int one = descriptors.back().get();
        const auto read =
            host::decode(std::string_view(written.text).substr(0, length), std::move(descriptors));
        REQUIRE_FALSE(read);
        CHECK(read.error().code == Errc::protocol);
        CHECK_FALSE(is_open(one));
    }
}

TEST_CASE("hand-over text: another protocol is refused") {
    const host::HandOver whole = full();
    const auto written = host::encode(whole);
    auto json = wire::parse_json(written.text).value();
    json["protocol"] = host::hand_over_protocol + 1;
    const auto read = host::decode(json.dump(), doubles(written.descriptors));
    REQUIRE_FALSE(read);
    CHECK(read.error().context.contains("protocol"));
}

TEST_CASE("hand-over text: what is missing, or is something else, is named by its path") {
    const host::HandOver whole = full();
    const auto written = host::encode(whole);
    struct Case {
        const char* pointer;
        wire::Json value;
        const char* named;
    };
    for (const Case& one : {
             Case{"/lines/0/modem/channel/deadline", "soon", "lines[0].modem.channel.deadline"},
             Case{"/lines/0/line/in_hand/content/pdus/1", "f",
                  "lines[0].line.in_hand.content.pdus[1]"},
             Case{"/lines/0/line/counts/incidents",
                  wire::Json(std::vector<int>(ports::incident_count + 1)),
                  "lines[0].line.counts.incidents"},
             Case{"/lines/0/modem/inbox/sweep_at", wire::Json(std::vector<int>{1, 2}),
                  "lines[0].modem.inbox.sweep_at"},  // not counted by kind: it has one length
             Case{"/lines/0/line/counts/incidents", "none", "lines[0].line.counts.incidents"},
             Case{"/lines/0/line/counts/incidents/2", "3", "lines[0].line.counts.incidents[2]"},
             Case{"/lines/0/line/in_hand/content/message/self_sms", 1,
                  "lines[0].line.in_hand.content.message.self_sms"},
             Case{"/clients/0/fd", 17, "clients[0].fd"},
             Case{"/lines/0/modem/inbox/unread/0", 3, "lines[0].modem.inbox.unread[0]"},
             Case{"/lines/0/modem/facts", nullptr, "lines[0].modem.facts"},
             Case{"/lines/0/line/in_hand/segment", 256, "lines[0].line.in_hand.segment"},
             Case{"/learned/groups/0/levels/3/accepted/sum", "much",
                  "learned.groups[0].levels[3].accepted.sum"},
             Case{"/learned", nullptr, "learned.groups"},
         }) {
        CAPTURE(one.pointer);
        auto json = wire::parse_json(written.text).value();
        json[wire::Json::json_pointer(one.pointer)] = one.value;
        const auto read = host::decode(json.dump(), doubles(written.descriptors));
        REQUIRE_FALSE(read);
        CHECK(read.error().context.contains(one.named));
    }
}

TEST_CASE(
    "hand-over text: of an older version, which counted fewer kinds and did not know each member") {
    const host::HandOver whole = full();
    const auto written = host::encode(whole);
    auto json = wire::parse_json(written.text).value();
    auto& line = json["lines"][0]["line"];
    auto& counts = line["counts"]["incidents"];
    counts = {1, 2, 3};
    REQUIRE(line["in_hand"]["content"]["message"].erase("self_sms") == 1);
    const auto read = host::decode(json.dump(), doubles(written.descriptors));
    REQUIRE_MESSAGE(read, (read ? std::string() : read.error().context));
    const auto& incidents = read->lines.at(0).line.counts.incidents;
    CHECK(incidents[2] == 3);
    CHECK(incidents[3] == 0);
    CHECK(incidents.back() == 0);
    CHECK_FALSE(read->lines.at(0).line.in_hand->content.message.self_sms);
    CHECK(read->lines.at(0).line.in_hand->content.message.id == MessageId{5'000'000'000});
}

TEST_CASE("hand-over link: hundreds of descriptors and a large state arrive whole, in order") {
    auto ends = host::HandOverLink::make_pair();
    REQUIRE(ends);
    host::HandOver whole = full();
    for (int i = 0; i < 500; ++i) {
        host::ClientHandOver client{.fd = some_fd()};
        client.session.output = std::string(2'000, static_cast<char>(i));
        whole.clients.push_back(std::move(client));
    }
    host::HandOverLink other(std::move(ends->second));
    std::jthread sender([&] { CHECK(ends->first.send(whole, soon())); });
    auto got = other.receive(soon());
    REQUIRE_MESSAGE(got, (got ? std::string() : got.error().context));
    CHECK(got->clients.size() == 501);
    CHECK(got->clients.at(300).session.output == whole.clients.at(300).session.output);
    for (const host::ClientHandOver& client : got->clients) {
        CHECK(is_open(client.fd.get()));
    }
}

TEST_CASE("hand-over link: the other end's going away, and its silence, are distinguished") {
    auto ends = host::HandOverLink::make_pair();
    REQUIRE(ends);
    CHECK(ends->first.line(std::chrono::steady_clock::now() + 20ms).error().code == Errc::timeout);
    CHECK(ends->first.try_line().value() == std::nullopt);
    { const serial::OwnedFd gone = std::move(ends->second); }
    CHECK(ends->first.line(soon()).error().code == Errc::closed);
}

TEST_CASE("hand-over link: a state that is cut off is no state") {
    auto ends = host::HandOverLink::make_pair();
    REQUIRE(ends);
    host::HandOverLink other(std::move(ends->second));
    REQUIRE(ends->first.send_line(R"({"state":{"octets":100,"descriptors":0}})", soon()));
    REQUIRE(ends->first.send_line(R"({"protocol":1})", soon()));
    ends->first = {};
    CHECK(other.receive(soon()).error().code == Errc::closed);
}

TEST_CASE("hand-over link: a hello says protocol, version and schema; something else is none") {
    const auto hello =
        host::read_hello(host::hello_line({.protocol = 3, .version = "2.0 \"x\"", .schema = 12}));
    REQUIRE(hello);
    CHECK(hello->protocol == 3);
    CHECK(hello->version == "2.0 \"x\"");
    CHECK(hello->schema == 12);
    for (const char* const line : {"", "hello", "[]", R"({"hello":1})", R"({"ready":true})"}) {
        CAPTURE(line);
        CHECK_FALSE(host::read_hello(line));
    }
    CHECK(host::read_hello(R"({"hello":{}})")->protocol == -1);
    CHECK(host::failure_of(host::failed_line("no \"room\"")) == "no \"room\"");
    CHECK_FALSE(host::failure_of(host::line_of("ready")));
    CHECK(host::says(host::line_of("go"), "go"));
}
