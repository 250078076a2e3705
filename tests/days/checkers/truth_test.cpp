// What the network has of a text is read by an auditor of its own, and held against what was asked for and what the store says.
#include "tests/days/checkers/checkers.hpp"
#include "tests/days/copies.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>
#include <functional>
#include <string>

using namespace smsrack;
using namespace std::chrono_literals;
using days::Violation;

namespace {

const std::string to = "+33600000001";

std::string long_text() {
    std::string text;
    for (int word = 1; text.size() < 350; ++word) {
        text += fmt::format("word {} ", word);
    }
    return text;
}

std::string violation_of(const std::function<void()>& what) {
    try {
        what();
    } catch (const Violation& violation) {
        return violation.what();
    }
    return "";
}

/// A rack that has sent one message, reported or not, and a checker that has not been notified of
/// it yet.
struct Fixture {
    explicit Fixture(std::string said, bool report = false) : text(std::move(said)) {
        REQUIRE(world.run_until_ready());
        id = world.send({.to = to, .text = text, .report = report});
        const auto end = report ? MessageState::delivered : MessageState::sent;
        REQUIRE(world.run(60s, [&] { return world.state(id) == end; }));
    }

    [[nodiscard]] const std::vector<test::Submitted>& submits() const {
        return world.modems.journal.submits;
    }
    void tell_submits() {
        for (const test::Submitted& submit : submits()) {
            checker->at_network(submit);
        }
    }
    [[nodiscard]] std::string judgement() {
        return violation_of([&] { checker->settled(world); });
    }

    std::string text;
    test::World world{{}};
    MessageId id = {};
    std::unique_ptr<days::Checker> checker = days::truth();
};

}  // namespace

TEST_CASE("said: what the service encodes is read again, in both alphabets, short and in parts") {
    for (const std::string& text : {std::string("hello"), long_text(), std::string("\u0436 42"),
                                    long_text() + "\u20AC\u0436"}) {
        CAPTURE(text);
        Fixture f(text);
        days::Copies copies;
        for (const test::Submitted& submit : f.submits()) {
            const auto said = days::said(submit.pdu);
            REQUIRE(said);
            CHECK(said->parts == f.submits().size());
            CHECK(copies.add(to, *said, {"card", submit.mr}).is_of(text));
        }
        REQUIRE(copies.of(to).size() == 1);
        CHECK(copies.of(to)[0].is_whole());
        CHECK_FALSE(copies.of(to)[0].is_of(text + "x"));
    }
    CHECK_FALSE(days::said(""));
    CHECK_FALSE(days::said("\x01"));
}

TEST_CASE(
    "copies: parts are joined by their reference; another text of the same reference is another "
    "copy") {
    days::Copies copies;
    const auto add = [&](std::uint16_t reference, std::uint8_t part,
                         const std::string& text) -> const days::Copy& {
        return copies.add(to, {.text = text, .reference = reference, .parts = 3, .part = part},
                          {"card", 1});
    };
    CHECK(add(7, 3, "end").is_of("begin, middle, end"));
    CHECK_FALSE(add(8, 3, "end").is_of("begin, middle, end."));
    CHECK(add(7, 1, "begin, ").is_of("begin, middle, end"));
    CHECK_FALSE(add(7, 1, "begin, ").is_whole());
    CHECK_FALSE(add(7, 2, "muddle, ").is_of("begin, middle, end"));
    CHECK(copies.of(to).size() == 2);
    add(7, 2, "middle, ");
    CHECK(copies.of(to).size() == 3);
}

TEST_CASE("truth: what was asked for and sent is right, once") {
    for (const std::string& text : {std::string("hello"), long_text()}) {
        Fixture f(text);
        f.checker->asked(to, text);
        f.tell_submits();
        CHECK(f.judgement() == "");
    }
}

TEST_CASE("truth: the network has what was never requested, or not for this recipient") {
    Fixture f("hello");
    f.checker->asked("+33600000002", "hello");
    CHECK(violation_of([&] { f.tell_submits(); }).find("that was never sent") != std::string::npos);
    f.checker->asked(to, "hell");
    CHECK(violation_of([&] { f.tell_submits(); }).find("was never requested: hello") !=
          std::string::npos);
}

TEST_CASE("truth: the store has a text that was never requested") {
    Fixture f("hello");
    CHECK(f.judgement().starts_with("truth: the text of message"));
}

TEST_CASE("truth: the network has what was asked for, and the store knows nothing of it") {
    Fixture f("hello");
    f.checker->asked(to, "hello");
    f.tell_submits();
    CHECK(f.judgement() == "");
    f.checker->asked(to, "hello");  // on another day, and no row comes of it
    f.tell_submits();
    CHECK(f.judgement().find("the store knows nothing of") != std::string::npos);
}

TEST_CASE("truth: said to be sent, and the network has not all of it") {
    Fixture f(long_text());
    f.checker->asked(to, f.text);
    f.checker->at_network(f.submits().at(0));
    CHECK(f.judgement().find("1 copies, 0 of them whole") != std::string::npos);
}

TEST_CASE("truth: a long message under two references is one too many, unless it was begun again") {
    Fixture f(long_text());
    f.checker->asked(to, f.text);
    f.tell_submits();
    test::Submitted again = f.submits().at(0);
    const std::size_t reference = again.pdu.find(std::string("\x05\x00\x03", 3)) + 3;
    again.pdu.at(reference) = static_cast<char>(again.pdu.at(reference) + 1);
    f.checker->at_network(again);
    SUBCASE("nobody said so") {
        CHECK(f.judgement().find("2 copies") != std::string::npos);
    }
    SUBCASE("its SIM was lost") {
        f.checker->event({.message = f.id, .state = MessageState::sending, .detail = "sim_lost"});
        CHECK(f.judgement() == "");
    }
}

TEST_CASE("truth: delivered is what the network has reported of all its parts") {
    struct Case {
        const char* what;
        std::vector<int> status;  // of each part
        bool right;
    };
    for (const Case& c : {Case{"of all", {0, 0, 0}, true}, Case{"of two", {0, 0}, false},
                          Case{"one was not", {0, 0, 0x41}, false},
                          Case{"one is still tried", {0, 0x21, 0}, false}}) {
        CAPTURE(c.what);
        Fixture f(long_text(), true);
        REQUIRE(f.submits().size() == c.status.size() + (c.status.size() == 2 ? 1 : 0));
        f.checker->asked(to, f.text);
        f.tell_submits();
        for (std::size_t i = 0; i < c.status.size(); ++i) {
            f.checker->reported({.at = {},
                                 .modem = 0,
                                 .to = to,
                                 .mr = f.submits().at(i).mr,
                                 .status = c.status[i],
                                 .how = "stored",
                                 .iccid = f.submits().at(i).iccid});
        }
        CHECK(f.judgement() ==
              (c.right ? ""
                       : fmt::format(
                             "truth: message {} is delivered; by no report that the network gave",
                             f.id.value)));
    }
}

TEST_CASE("truth: a report that comes after the message was said to be delivered proves nothing") {
    for (const bool said_before : {false, true}) {
        CAPTURE(said_before);
        Fixture f("hello", true);
        f.checker->asked(to, f.text);
        f.tell_submits();
        const test::Submitted& submit = f.submits().at(0);
        const Event said{.message = f.id, .state = MessageState::delivered};
        if (said_before) {
            f.checker->event(said);
        }
        f.checker->reported({.at = {},
                             .modem = 0,
                             .to = to,
                             .mr = submit.mr,
                             .status = 0,
                             .how = "stored",
                             .iccid = submit.iccid});
        if (!said_before) {
            f.checker->event(said);
        }
        CHECK(
            f.judgement() ==
            (said_before
                 ? fmt::format("truth: message {} is delivered; by no report that the network gave",
                               f.id.value)
                 : ""));
    }
}

TEST_CASE(
    "reports: what the network has reported is known once it was read, where it is clear of whom") {
    struct Case {
        const char* what;
        const char* how;
        std::chrono::minutes ago;
        bool wrong;
        int status = 0;
        bool quiet = false;
        bool another = false;  ///< message to the same number
        bool sim_out = false;  ///< before it was read
        bool torn = false;     ///< the network gave another reference than the store has
        bool clock_set = false;
        std::chrono::minutes clock_wrong = 0min;  ///< it was set before, long ago
        std::chrono::minutes late = 0min;         ///< that it reached the modem
    };
    for (const Case& c :
         {Case{"confirmed", "acknowledged", 0min, true}, Case{"read by now", "stored", 11min, true},
          Case{"perhaps not read yet", "stored", 9min, false},
          Case{"dropped by the modem", "dropped", 60min, false},
          Case{"never confirmed", "given", 60min, false},
          Case{.what = "it was not delivered",
          .how = "stored",
          .ago = 11min,
          .wrong = true,
          .status = 0x46},
          Case{.what = "the centre still tries",
          .how = "stored",
          .ago = 11min,
          .wrong = false,
          .status = 0x21},
          Case{.what = "another to this number",
          .how = "stored",
          .ago = 11min,
          .wrong = false,
          .another = true},
          Case{.what = "another, while all is well",
          .how = "stored",
          .ago = 11min,
          .wrong = true,
          .quiet = true,
          .another = true},
          Case{.what = "its SIM was taken out",
          .how = "stored",
          .ago = 11min,
          .wrong = false,
          .sim_out = true},
          Case{.what = "its reference is torn",
          .how = "stored",
          .ago = 11min,
          .wrong = true,
          .torn = true},
          Case{.what = "the clock is set",
          .how = "stored",
          .ago = 11min,
          .wrong = true,
          .clock_set = true},
          Case{.what = "its reference is torn, and the clock set",
          .how = "stored",
          .ago = 11min,
          .wrong = false,
          .torn = true,
          .clock_set = true},
          Case{.what = "its reference is torn, and the clock was wrong",
          .how = "stored",
          .ago = 11min,
          .wrong = true,
          .torn = true,
          .clock_wrong = 60min},
          Case{.what = "its reference is torn, the clock was wrong, and it came late",
          .how = "stored",
          .ago = 11min,
          .wrong = false,
          .torn = true,
          .clock_wrong = 60min,
          .late = 5min},
          Case{.what = "its reference is torn, the clock was a little wrong, and it came late",
          .how = "stored",
          .ago = 11min,
          .wrong = true,
          .torn = true,
          .clock_wrong = 9min,
          .late = 5min},
          Case{.what = "its reference is torn, and it came late",
          .how = "stored",
          .ago = 11min,
          .wrong = true,
          .torn = true,
          .late = 5min}}) {
        CAPTURE(c.what);
        Fixture f("hello");  // and it is sent, no more
        if (c.another) {
            const MessageId other = f.world.send({.to = to, .text = "another"});
            f.checker->asked(to, "another");
            REQUIRE(f.world.run(60s, [&] { return f.world.state(other) == MessageState::sent; }));
        }
        f.checker->quiet(c.quiet);
        f.checker->accepted({.id = f.id, .to = to});
        f.checker->asked(to, f.text);
        test::Submitted submit = f.submits().at(0);
        submit.mr += c.torn ? 1 : 0;
        const SteadyTime at = f.world.clock.steady() - c.ago;
        submit.at = at - c.late;
        f.checker->at_network(submit);
        for (std::size_t i = 1; i < f.submits().size(); ++i) {
            f.checker->at_network(f.submits().at(i));
        }
        f.checker->reported({.at = at,
                             .modem = 0,
                             .to = to,
                             .mr = submit.mr,
                             .status = c.status,
                             .how = c.how,
                             .iccid = submit.iccid});
        if (c.clock_set) {
            f.checker->clock_set(submit.at + 1ms, 1s);
        }
        if (c.clock_wrong != 0min) {
            f.checker->clock_set(submit.at - 60min, c.clock_wrong);
        }
        if (c.sim_out) {
            f.checker->sim_out(submit.iccid, at + 1min);
        }
        CHECK(f.judgement().starts_with("reports") == c.wrong);
        CHECK((f.judgement() != "") == c.wrong);
    }
}

TEST_CASE("truth: no message fails by what only another command can get") {
    struct Row {
        const char* what;
        int code;
        bool wrong;
    };
    for (const Row& row :
         {Row{"an unknown subscriber", 30, false}, Row{"no such place in the memory", 321, true},
          Row{"no acknowledgement expected", 340, true}}) {
        CAPTURE(row.what);
        const auto checker = days::truth();
        const Event event{.message = MessageId{7},
                          .state = MessageState::failed,
                          .cause = {.kind = CodeKind::cms, .code = row.code}};
        CHECK((violation_of([&] { checker->event(event); }) != "") == row.wrong);
    }
}
