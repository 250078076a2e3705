#include "src/webhook/take_desk.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace smsrack;
using namespace smsrack::webhook;
using namespace std::chrono_literals;
using State = ports::WebhookState;

namespace {

struct Desk {
    void open(std::size_t room = 4, SteadyTime now = {}) {
        Take take{.room = room};
        take.done = [this](TakeAnswer answer) { answers.push_back(std::move(answer)); };
        take.gone = [this] { return gone; };
        desk.open(std::move(take), State::open, now);
    }
    TakeDesk desk;
    std::vector<TakeAnswer> answers;
    bool gone = false;
};

}  // namespace

TEST_CASE("TakeDesk: one gate waits at a time, until there is something to say") {
    Desk f;
    CHECK_FALSE(f.desk.is_open());
    CHECK(f.desk.deadline() == never);
    f.open();
    CHECK(f.desk.is_open());
    CHECK(f.desk.room() == 4);
    CHECK(f.desk.deadline() == SteadyTime{} + TakeDesk::take_max);
    CHECK_FALSE(f.desk.answer({}, {}));
    f.open(2);
    REQUIRE(f.answers.size() == 1);
    CHECK(f.answers[0].superseded);
    CHECK(f.desk.answer({.deliveries = {{}}}, {}));
    CHECK(f.answers.size() == 2);
    CHECK_FALSE(f.desk.answer({.deliveries = {{}}}, {}));
}

TEST_CASE("TakeDesk: a change of the state, the time, and the end of the service are answers too") {
    Desk f;
    f.open();
    CHECK(f.desk.answer({.state = State::failing}, {}));
    f.open();
    CHECK_FALSE(f.desk.answer({}, SteadyTime{} + 19s));
    CHECK(f.desk.answer({}, SteadyTime{} + TakeDesk::take_max));
    f.open();
    f.desk.drain();
    CHECK(f.desk.answer({}, {}));
    CHECK(f.answers.size() == 3);
}

TEST_CASE("TakeDesk: a gate that went away is not answered") {
    Desk f;
    f.open();
    f.gone = true;
    CHECK_FALSE(f.desk.is_open());
    CHECK_FALSE(f.desk.answer({.tests = {{}}}, {}));
    CHECK(f.answers.empty());
}
