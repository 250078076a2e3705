#include "src/smpp/session.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <variant>
#include <vector>

using namespace smsrack;
using namespace smsrack::smpp;
using std::chrono::seconds;

namespace {

/// An ESME at one end and the owner at the other, in simulated time.
class Talk final : public SessionOwner {
public:
    void bind_asked(Command, Bind bind) override {
        if (bind.password == "wrong") {
            session.refuse_bind(now);
        } else if (bind.password == "right") {
            session.bound(window, now);
        }
    }
    void asked(Pdu request) override { requests.push_back(std::move(request)); }
    void delivered(std::uint32_t sequence, std::optional<Status> answer) override {
        ends.emplace_back(sequence, answer);
    }
    void told(Command request, Status status) override { said.emplace_back(request, status); }

    void send(Command command, std::uint32_t sequence, Body body = {}, Status status = Status::ok) {
        session.receive(encode({.header = {command, status, sequence}, .body = std::move(body)}),
                        now);
    }
    void bind(Command command = Command::bind_transceiver, std::string password = "right") {
        send(command, 1, Bind{.system_id = "shop", .password = std::move(password)});
    }
    /// What came since the last call.
    std::vector<Pdu> read() {
        frames.add(session.take_output());
        std::vector<Pdu> pdus;
        for (auto frame = frames.next(); frame && *frame; frame = frames.next()) {
            pdus.push_back(decode(**frame).value());
        }
        return pdus;
    }
    Header only() {
        const auto pdus = read();
        REQUIRE(pdus.size() == 1);
        return pdus.front().header;
    }
    void pass(seconds time) {
        now += time;
        session.step(now);
    }

    SteadyTime now{};
    std::uint32_t window = 2;
    Session session{*this, {}, now};
    Frames frames;
    std::vector<Pdu> requests;
    std::vector<std::pair<std::uint32_t, std::optional<Status>>> ends;
    std::vector<std::pair<Command, Status>> said;
};

Header header(Command command, Status status, std::uint32_t sequence) {
    return {command, status, sequence};
}

}  // namespace

TEST_CASE("session: a bind is answered with our version, in its own command") {
    Talk talk;
    talk.bind(Command::bind_transmitter);
    const auto pdus = talk.read();
    REQUIRE(pdus.size() == 1);
    CHECK(pdus[0].header == header(Command::bind_transmitter_resp, Status::ok, 1));
    const auto& answer = std::get<BindAnswer>(pdus[0].body);
    CHECK(find(answer.tlvs, Tag::sc_interface_version)->number() == 0x34);
    CHECK(talk.session.state() == SessionState::bound_tx);
    CHECK_FALSE(talk.session.can_deliver());
}

TEST_CASE("session: a wrong bind is answered after a second, and another may follow") {
    Talk talk;
    talk.bind(Command::bind_receiver, "wrong");
    CHECK(talk.read().empty());
    talk.pass(seconds(1));
    CHECK(talk.only() == header(Command::bind_receiver_resp, Status::bind_failed, 1));
    talk.bind();
    CHECK(talk.only().status == Status::ok);
}

TEST_CASE("session: a second bind is refused, also while the first waits") {
    Talk talk;
    talk.bind(Command::bind_receiver, "slow");
    talk.bind();
    CHECK(talk.only() == header(Command::bind_transceiver_resp, Status::already_bound, 1));
    talk.session.bound(1, talk.now);
    CHECK(talk.only().status == Status::ok);
    talk.bind();
    CHECK(talk.only().status == Status::already_bound);
}

TEST_CASE("session: without a bind it is closed after ten seconds") {
    Talk talk;
    talk.pass(seconds(9));
    CHECK_FALSE(talk.session.is_over());
    CHECK(talk.session.deadline() == SteadyTime{} + seconds(10));
    talk.pass(seconds(1));
    CHECK(talk.session.is_over());
}

TEST_CASE("session: requests beyond the window are throttled, and answers come in any order") {
    Talk talk;
    talk.bind();
    (void)talk.read();
    for (std::uint32_t sequence = 5; sequence < 8; ++sequence) {
        talk.send(Command::submit_sm, sequence, Message{});
    }
    CHECK(talk.requests.size() == 2);
    CHECK(talk.only() == header(Command::submit_sm_resp, Status::throttled, 7));
    talk.session.answer(talk.requests[1].header, Status::ok, MessageAnswer{.message_id = "2"});
    talk.session.answer(talk.requests[0].header, Status::queue_full);
    const auto pdus = talk.read();
    REQUIRE(pdus.size() == 2);
    CHECK(pdus[0].header.sequence == 6);
    CHECK(std::get<MessageAnswer>(pdus[0].body).message_id == "2");
    CHECK(pdus[1].header == header(Command::submit_sm_resp, Status::queue_full, 5));
    talk.send(Command::submit_sm, 8, Message{});
    CHECK(talk.requests.size() == 3);
}

TEST_CASE("session: what is not allowed is refused in the answer of its command") {
    Talk talk;
    talk.send(Command::submit_sm, 3, Message{});
    CHECK(talk.only() == header(Command::submit_sm_resp, Status::wrong_bind_state, 3));
    talk.send(Command::outbind, 4, Outbind{});
    CHECK(talk.only() == header(Command::generic_nack, Status::wrong_bind_state, 4));
    talk.bind(Command::bind_receiver);
    (void)talk.read();
    talk.send(Command::submit_sm, 5, Message{});
    CHECK(talk.only().status == Status::wrong_bind_state);
    CHECK(talk.requests.empty());
}

TEST_CASE("session: an unknown command gets a nack, and the session stays") {
    Talk talk;
    talk.bind();
    (void)talk.read();
    talk.session.receive(std::string("\0\0\0\x10\0\0\7\7\0\0\0\0\0\0\0\x09", 16), talk.now);
    CHECK(talk.only() == header(Command::generic_nack, Status::invalid_command_id, 9));
    CHECK_FALSE(talk.session.is_over());
}

TEST_CASE("session: a length that can't be ends it after a nack") {
    Talk talk;
    talk.bind();
    (void)talk.read();
    talk.session.receive(std::string("\0\0\0\x0F\0\0\0\4\0\0\0\0\0\0\0\x09", 16), talk.now);
    CHECK(talk.only() == header(Command::generic_nack, Status::invalid_command_length, 9));
    CHECK(talk.session.is_over());
}

TEST_CASE("session: a field that lies is an error answer, and the next PDU is read") {
    Talk talk;
    talk.bind();
    (void)talk.read();
    std::string wrong = encode({.header = {Command::submit_sm, Status::ok, 4}, .body = Message{}});
    wrong.back() = '\x05';  // sm_length of five octets that are not there
    talk.session.receive(wrong, talk.now);
    CHECK(talk.only() == header(Command::submit_sm_resp, Status::invalid_message_length, 4));
    talk.send(Command::enquire_link, 5);
    CHECK(talk.only() == header(Command::enquire_link_resp, Status::ok, 5));
}

TEST_CASE("session: a PDU that does not come as a whole ends it after thirty seconds") {
    Talk talk;
    talk.bind();
    talk.session.receive(std::string("\0\0", 2), talk.now);
    talk.pass(seconds(20));
    talk.session.receive(std::string("\0\x10", 2), talk.now);
    talk.pass(seconds(9));
    CHECK_FALSE(talk.session.is_over());
    talk.pass(seconds(1));
    CHECK(talk.session.is_over());
}

TEST_CASE("session: without a bind a long PDU has no room") {
    Talk talk;
    const std::string front("\0\1\0\0\0\0\0\4", 8);
    talk.session.receive(front + std::string(4'000, 'a'), talk.now);
    CHECK_FALSE(talk.session.is_over());
    talk.session.receive(std::string(100, 'a'), talk.now);
    CHECK(talk.session.is_over());
}

TEST_CASE("session: silence is asked about, and after two questions without an answer it ends") {
    Talk talk;
    talk.bind();
    (void)talk.read();
    talk.pass(seconds(30));
    CHECK(talk.only() == header(Command::enquire_link, Status::ok, 1));
    talk.send(Command::enquire_link_resp, 1);
    talk.pass(seconds(30));
    CHECK(talk.only().command == Command::enquire_link);
    talk.pass(seconds(30));
    CHECK(talk.only().command == Command::enquire_link);
    CHECK_FALSE(talk.session.is_over());
    talk.pass(seconds(30));
    CHECK(talk.session.is_over());
}

TEST_CASE("session: a deliver_sm has one end: its answer, a nack, or the time") {
    Talk talk;
    talk.bind();
    (void)talk.read();
    const auto first = talk.session.deliver({}, talk.now);
    const auto second = talk.session.deliver({}, talk.now);
    const auto third = talk.session.deliver({}, talk.now);
    CHECK(talk.session.delivering() == 3);
    talk.send(Command::deliver_sm_resp, second, MessageAnswer{});
    talk.send(Command::deliver_sm_resp, second, MessageAnswer{});
    talk.send(Command::generic_nack, third, {}, Status::ok);
    talk.pass(seconds(60));
    REQUIRE(talk.ends.size() == 3);
    CHECK(talk.ends[0] == std::pair(second, std::optional(Status::ok)));
    CHECK(talk.ends[1] == std::pair(third, std::optional(Status::system_error)));
    CHECK(talk.ends[2] == std::pair(first, std::optional<Status>()));
    talk.send(Command::deliver_sm_resp, first, MessageAnswer{});
    CHECK(talk.ends.size() == 3);
}

TEST_CASE("session: an unbind is answered after what is in flight, and nothing new is taken") {
    Talk talk;
    talk.bind();
    (void)talk.read();
    talk.send(Command::submit_sm, 4, Message{});
    talk.send(Command::unbind, 5);
    CHECK(talk.read().empty());
    talk.send(Command::submit_sm, 6, Message{});
    CHECK(talk.only() == header(Command::submit_sm_resp, Status::wrong_bind_state, 6));
    talk.session.answer(talk.requests[0].header, Status::ok, MessageAnswer{.message_id = "1"});
    const auto pdus = talk.read();
    REQUIRE(pdus.size() == 2);
    CHECK(pdus[0].header.sequence == 4);
    CHECK(pdus[1].header == header(Command::unbind_resp, Status::ok, 5));
    CHECK(talk.session.is_over());
}

TEST_CASE("session: our own unbind comes after the answers to what is in flight") {
    Talk talk;
    talk.bind();
    (void)talk.read();
    talk.send(Command::submit_sm, 4, Message{});
    talk.session.unbind(talk.now);
    CHECK(talk.read().empty());
    talk.session.answer(talk.requests[0].header, Status::ok, MessageAnswer{.message_id = "1"});
    const auto pdus = talk.read();
    REQUIRE(pdus.size() == 2);
    CHECK(pdus[0].header.sequence == 4);
    CHECK(pdus[1].header.command == Command::unbind);
    CHECK_FALSE(talk.session.is_over());
    talk.send(Command::unbind_resp, 1);
    CHECK(talk.session.is_over());
}

TEST_CASE("session: our own unbind ends with its answer, or after five seconds") {
    for (const bool answered : {true, false}) {
        Talk talk;
        talk.bind();
        (void)talk.read();
        talk.session.unbind(talk.now);
        CHECK(talk.only().command == Command::unbind);
        CHECK_FALSE(talk.session.is_over());
        if (answered) {
            talk.send(Command::unbind_resp, 1);
        } else {
            talk.pass(seconds(5));
        }
        CHECK(talk.session.is_over());
    }
}
