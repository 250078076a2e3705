// What an ESME asks about messages that it submitted before, and a service that answers when the test says so.
#include "tests/gate/support/smpp_gate.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using smpp::Command;
using smpp::Status;
using test::SmppService;

namespace {

constexpr auto soon = 300ms;
constexpr auto patience = 20s;
const std::string one = "/v1/messages/7";

smpp::Message hello(std::string text = "Hello") {
    return {.source = {.ton = 5, .npi = 0, .text = "Bank"},
            .destination = {.ton = 1, .npi = 1, .text = "33612345678"},
            .registered_delivery = 1,
            .short_message = std::move(text)};
}

/// It replaces what waits.
smpp::Message new_hello(std::string text = "Hello again") {
    smpp::Message message = hello(std::move(text));
    message.replace_if_present_flag = 1;
    return message;
}

/// As the service stores it of hello().
std::string note(const std::string& text = "Hello") {
    const smpp::Message message = hello(text);
    return smpp::text_of_note({.registered_delivery = message.registered_delivery,
                               .source = message.source,
                               .destination = message.destination,
                               .text = text});
}

/// Message 7.
wire::Json known(const std::string& state = "queued", const std::string& with_note = note()) {
    return {{"id", "7"},       {"state", state},
            {"priority", 1},   {"updated_at", "2026-11-27T12:00:00.000Z"},
            {"code", nullptr}, {"note", with_note}};
}

wire::Json page(const wire::Json& messages, const wire::Json& next = nullptr) {
    return {{"messages", messages}, {"next", next}};
}

struct Rack {
    explicit Rack(const std::string& options = "") : gate(options) {}

    /// The list of what waits has message 7.
    void has_waiting(const wire::Json& message = known()) {
        gate.service.reply("GET /v1/messages?", {{200, page(wire::Json::array({message}))}});
    }
    std::uint32_t send(Command command, smpp::Body body) {
        const auto sequence = esme.send(command, std::move(body));
        esme.flush();
        return sequence;
    }
    Status status(std::uint32_t sequence) {
        const auto answer = esme.answer_to(sequence, patience);
        REQUIRE(answer);
        return answer->header.status;
    }
    std::string id(std::uint32_t sequence) {
        const auto answer = esme.answer_to(sequence, patience);
        REQUIRE(answer);
        REQUIRE(answer->header.status == Status::ok);
        return std::get<smpp::MessageAnswer>(answer->body).message_id;
    }
    [[nodiscard]] bool has_lines(std::size_t count) const {
        return test::wait_for(patience, [&] { return gate.service.lines().size() == count; });
    }
    /// Calls that begin so.
    [[nodiscard]] std::ptrdiff_t calls(std::string_view front) const {
        return std::ranges::count_if(
            gate.service.calls(), [&](const std::string& call) { return call.starts_with(front); });
    }
    /// The note that the first PUT says.
    [[nodiscard]] std::string put_note() const {
        for (const std::string& call : gate.service.calls()) {
            if (call.starts_with("PUT ")) {
                return wire::parse_json(call.substr(call.find('{'))).value().at("note");
            }
        }
        return {};
    }

    test::SmppGate gate;
    rig::Esme esme = gate.bound();
};

}  // namespace

TEST_CASE(
    "smpp orders: a replacement that was made before the service was killed is not sent again") {
    Rack rack;
    rack.has_waiting();
    rack.gate.service.reply("PUT " + one, {{0}, {409, {{"code", "conflict"}}}});
    const auto sequence = rack.send(Command::submit_sm, new_hello());
    REQUIRE(test::wait_for(patience, [&] { return !rack.put_note().empty(); }));
    rack.gate.service.reply("GET " + one, {{200, known("sent", rack.put_note())}});
    CHECK(rack.id(sequence) == "7");
    CHECK(rack.gate.service.lines().empty());
}

TEST_CASE("smpp orders: one that waits and can't be replaced any more is cancelled") {
    Rack rack;
    rack.has_waiting();
    rack.gate.service.reply("PUT " + one, {{409, {{"code", "conflict"}}}});
    rack.gate.service.reply("GET " + one, {{200, known()}});
    rack.gate.service.reply("DELETE " + one, {{200, {{"id", "7"}, {"state", "cancelled"}}}});
    const auto sequence = rack.send(Command::submit_sm, new_hello());
    REQUIRE(rack.has_lines(1));
    CHECK(rack.calls("DELETE " + one) == 1);
    rack.gate.service.answer(R"({"id":"8","state":"queued","segments":1})");
    CHECK(rack.id(sequence) == "8");
}

TEST_CASE("smpp orders: one that was begun meanwhile stays, and the new one is handed in") {
    Rack rack;
    rack.has_waiting();
    rack.gate.service.reply("PUT " + one, {{409, {{"code", "conflict"}}}});
    rack.gate.service.reply("GET " + one, {{200, known("sent")}});
    const auto sequence = rack.send(Command::submit_sm, new_hello());
    REQUIRE(rack.has_lines(1));
    CHECK(rack.calls("DELETE ") == 0);
    rack.gate.service.answer(R"({"id":"8","state":"queued","segments":1})");
    CHECK(rack.id(sequence) == "8");
}

TEST_CASE("smpp orders: what a lost answer has done counts as done") {
    Rack rack;
    rack.gate.service.reply("DELETE " + one, {{0}, {409, {{"code", "conflict"}}}});
    rack.gate.service.reply("GET " + one, {{200, known()}, {200, known("cancelled")}});
    CHECK(rack.status(rack.send(Command::cancel_sm, smpp::Cancel{.message_id = "7"})) ==
          Status::ok);

    rack.gate.service.reply("PUT " + one, {{0}, {409, {{"code", "conflict"}}}});
    rack.gate.service.reply("GET " + one, {{200, known()}});
    const auto sequence = rack.send(
        Command::replace_sm, smpp::Replace{.message_id = "7", .short_message = "Hello again"});
    REQUIRE(test::wait_for(patience, [&] { return !rack.put_note().empty(); }));
    rack.gate.service.reply("GET " + one, {{200, known("sent", rack.put_note())}});
    CHECK(rack.status(sequence) == Status::ok);
}

TEST_CASE("smpp orders: a message that replaces waits for those before it") {
    Rack rack;
    const auto plain = rack.send(Command::submit_sm, hello());
    const auto second = rack.send(Command::submit_sm, new_hello("2"));
    const auto third = rack.send(Command::submit_sm, new_hello("3"));
    REQUIRE(rack.has_lines(1));
    CHECK_FALSE(test::wait_for(soon, [&] { return !rack.gate.service.calls().empty(); }));
    rack.gate.service.answer(R"({"id":"6","state":"queued","segments":1})");
    CHECK(rack.id(plain) == "6");
    // The service says that it does not wait any more.
    REQUIRE(rack.has_lines(2));
    CHECK_FALSE(test::wait_for(soon, [&] { return rack.gate.service.lines().size() > 2; }));
    rack.has_waiting(known("queued", note("2")));
    rack.gate.service.reply("PUT " + one, {{200, {{"id", "7"}, {"state", "queued"}}}});
    rack.gate.service.answer(R"({"id":"7","state":"queued","segments":1})");
    CHECK(rack.id(second) == "7");
    CHECK(rack.id(third) == "7");
    CHECK(rack.gate.service.lines().size() == 2);
}

TEST_CASE("smpp orders: what a replacement can't carry is sent as a new message") {
    wire::Json with_pid = known();
    with_pid["pid"] = 0x41;
    wire::Json urgent = known();
    urgent["priority"] = 6;
    smpp::Message with_ports = new_hello();
    with_ports.tlvs = {smpp::integer_tlv(smpp::Tag::destination_port, 2948)};
    smpp::Message flash = new_hello();
    flash.data_coding = 0x10;
    smpp::Message later = new_hello();
    later.schedule_delivery_time = "000001000000000R";
    struct Case {
        const char* what;
        wire::Json waiting;
        smpp::Message message;
    };
    for (const Case& c :
         {Case{"the old one has a protocol id", with_pid, new_hello()},
          Case{"another priority", urgent, new_hello()}, Case{"ports", known(), with_ports},
          Case{"a class", known(), flash}, Case{"a queued one can't be put off", known(), later}}) {
        CAPTURE(c.what);
        Rack rack;
        rack.has_waiting(c.waiting);
        rack.gate.service.reply("DELETE " + one, {{200, {{"id", "7"}, {"state", "cancelled"}}}});
        const auto sequence = rack.send(Command::submit_sm, c.message);
        REQUIRE(rack.has_lines(1));
        CHECK(rack.calls("DELETE " + one) == 1);
        CHECK(rack.calls("PUT ") == 0);
        rack.gate.service.answer(R"({"id":"8","state":"queued","segments":1})");
        CHECK(rack.id(sequence) == "8");
    }
}

TEST_CASE("smpp orders: a refused replacement has the status of its cause") {
    Rack rack;
    rack.has_waiting();
    rack.gate.service.reply("GET " + one, {{200, known()}});
    struct Case {
        int status;
        const char* code;
        Status answer;
    };
    for (const Case& c : {Case{400, "too_long", Status::invalid_message_length},
                          Case{403, "forbidden", Status::submit_failed}}) {
        CAPTURE(c.code);
        rack.gate.service.reply("PUT " + one, {{c.status, {{"code", c.code}}}});
        CHECK(rack.status(rack.send(Command::submit_sm, new_hello())) == c.answer);
        CHECK(rack.status(rack.send(Command::replace_sm,
                                    smpp::Replace{.message_id = "7", .short_message = "a"})) ==
              c.answer);
    }
    CHECK(rack.gate.service.lines().empty());
    rack.gate.service.reply("PUT " + one, {{404, {{"code", "not_found"}}}});
    const auto sequence = rack.send(Command::submit_sm, new_hello());
    REQUIRE(rack.has_lines(1));
    rack.gate.service.answer(R"({"id":"8","state":"queued","segments":1})");
    CHECK(rack.id(sequence) == "8");
}

TEST_CASE("smpp orders: what waits is looked for on each page") {
    Rack rack;
    rack.gate.service.reply("GET /v1/messages?", {{200, page(wire::Json::array(), "9")},
                                                  {200, page(wire::Json::array({known()}), "5")},
                                                  {200, page(wire::Json::array())}});
    rack.gate.service.reply("DELETE " + one, {{200, {{"id", "7"}, {"state", "cancelled"}}}});
    const smpp::Message old = hello();
    CHECK(rack.status(rack.send(
              Command::cancel_sm,
              smpp::Cancel{.source = old.source, .destination = old.destination})) == Status::ok);
    const auto calls = rack.gate.service.calls();
    CHECK(calls[0].find("cursor") == std::string::npos);
    CHECK(calls[1].ends_with("&cursor=9"));
    CHECK(calls[2].ends_with("&cursor=5"));
}

TEST_CASE("smpp orders: what an account asks has a bound, also through one submit_multi") {
    Rack rack;
    smpp::SubmitMulti multi{
        .source = hello().source,
        .replace_if_present_flag = 1,
        .tlvs = {{.tag = smpp::Tag::message_payload, .octets = std::string(60'000, 'a')}}};
    for (int i = 0; i < 254; ++i) {
        multi.destinations.push_back(
            {.address = {.ton = 1, .npi = 1, .text = std::to_string(33'612'345'000 + i)}});
    }
    const auto sequence = rack.send(Command::submit_multi, multi);
    constexpr std::size_t taken_max = (4UL << 20U) / 60'000 + 1;
    std::optional<smpp::Pdu> answer;
    for (std::size_t taken = 1; taken <= taken_max && !answer; ++taken) {
        REQUIRE(test::wait_for(patience, [&] {
            answer = rack.esme.answer_to(sequence, 1ms);
            return answer || rack.gate.service.lines().size() == taken;
        }));
        if (!answer) {
            rack.gate.service.answer(R"({"id":"8","state":"queued","segments":1})");
        }
    }
    REQUIRE(answer);
    const auto& refused = std::get<smpp::SubmitMultiAnswer>(answer->body).refused;
    CHECK(refused.size() >= 254 - taken_max);
    CHECK(refused.back().status == Status::throttled);
}

TEST_CASE("smpp orders: an id of 64 bits keeps all digits, and what is elsewhere is on its way") {
    Rack rack;
    wire::Json message = known("elsewhere");
    message["id"] = "9223372036854775807";
    rack.gate.service.reply("GET /v1/messages/9223372036854775807", {{200, message}});
    const auto sequence =
        rack.send(Command::query_sm, smpp::Query{.message_id = "9223372036854775807"});
    const auto answer = rack.esme.answer_to(sequence, patience);
    REQUIRE(answer);
    REQUIRE(answer->header.status == Status::ok);
    const auto& state = std::get<smpp::QueryAnswer>(answer->body);
    CHECK(state.message_id == "9223372036854775807");
    CHECK(state.message_state == 1);
}

TEST_CASE("smpp orders: the rate of an account holds for what it asks, too") {
    Rack rack("rate=1");
    const auto first = rack.send(Command::query_sm, smpp::Query{.message_id = "7"});
    const auto second = rack.send(Command::query_sm, smpp::Query{.message_id = "7"});
    const auto third = rack.send(Command::cancel_sm, smpp::Cancel{.message_id = "7"});
    CHECK(rack.status(first) == Status::query_failed);
    CHECK(rack.status(second) == Status::throttled);
    CHECK(rack.status(third) == Status::throttled);
}
