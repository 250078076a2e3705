#include "tests/fleet/days/fleet_questions.hpp"

#include <charconv>
#include <fmt/format.h>

namespace smsrack::test {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t burst_max = 12;  // more than there is room for
// The box that answers counts the 10 s of the caller by beats, and a frozen process, or an engine that stalls, has none.
constexpr std::chrono::minutes heard_within{5};

std::string name_of(std::size_t number) {
    return fmt::format("question {}", number);
}

std::string body_of(std::size_t box, std::size_t number) {
    return fmt::format("box {}: /v1/inbox cursor={}", box + 1, number);
}

}  // namespace

void FleetQuestions::draw() {
    const std::size_t by = any_box();
    const std::size_t of = (by + 1 + random_.below(boxes_.size() - 1)) % boxes_.size();
    const std::size_t many = random_.below(8U) == 0 ? 1 + random_.below(burst_max) : 1;
    for (std::size_t i = 0; i < many; ++i) {
        ask(by, of, false);
    }
}

void FleetQuestions::ask(std::size_t by, std::size_t of, bool must_be_answered) {
    FleetBox& box = *boxes_.at(by);
    if (!box.runs() || box.is_frozen()) {
        return;
    }
    const std::size_t number = asked_.size();
    watch_.note(fmt::format("box {} asks box {}", by + 1, of + 1), name_of(number));
    asked_.push_back(
        {.by = by, .of = of, .at = clock_.steady(), .must_be_answered = must_be_answered});
    const bool is_admin = must_be_answered || random_.below(4U) == 0;
    box.desk().questions().ask(
        fmt::format("box{}", of + 1),
        {.path = "/v1/inbox", .params = {{"cursor", std::to_string(number)}}},
        {.name = must_be_answered ? "root" : fmt::format("uid {}", random_.below(3U)),
         .is_admin = is_admin},
        [this, number](const Result<ports::BoxAnswer>& answer) { answered(number, answer); });
}

void FleetQuestions::wrong(std::size_t number, const std::string& what) {
    const Asked& it = asked_.at(number);
    watch_.wrong(
        "asks",
        fmt::format("question {} of box {} to box {} {}", number, it.by + 1, it.of + 1, what),
        name_of(number));
}

void FleetQuestions::heard(std::size_t box, const ports::BoxQuestion& question) {
    const std::string& text = question.params.at(0).second;
    std::size_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    Asked& it = asked_.at(number);
    watch_.note(fmt::format("box {} hears it", box + 1), name_of(number));
    if (it.of != box) {
        wrong(number, fmt::format("is heard by box {}", box + 1));
    }
    if (++it.heard > 1) {
        wrong(number, "is heard again");
    }
    if (clock_.steady() > it.at + heard_within) {
        wrong(number, "is heard when its caller has gone");
    }
}

void FleetQuestions::answered(std::size_t number, const Result<ports::BoxAnswer>& answer) {
    Asked& it = asked_.at(number);
    if (it.state == State::dead) {
        return;  // it has no process that could tell anyone
    }
    watch_.note(answer ? answer->body : answer.error().context, name_of(number));
    if (it.state == State::over) {
        wrong(number, "is answered again");
    }
    it.state = State::over;
    if (!answer) {
        if (it.must_be_answered) {
            wrong(number, "has no answer, though all is well: " + answer.error().context);
        }
        return;
    }
    ++answered_;
    if (answer->body != body_of(it.of, number)) {
        wrong(number, "is answered with " + answer->body);
    }
}

void FleetQuestions::died(std::size_t box) {
    for (Asked& it : asked_) {
        it.state = it.by == box ? State::dead : it.state;
    }
}

void FleetQuestions::ask_all(const std::function<bool(std::size_t box)>& is_gone) {
    for (std::size_t by = 0; by < boxes_.size(); ++by) {
        std::size_t of = (by + 1) % boxes_.size();
        while (is_gone(of) && of != by) {
            of = (of + 1) % boxes_.size();
        }
        if (!is_gone(by) && of != by) {
            ask(by, of, true);
        }
    }
}

void FleetQuestions::check() {
    for (std::size_t number = 0; number < asked_.size(); ++number) {
        if (asked_[number].state == State::open) {
            wrong(number, "has neither an answer nor a failure");
        }
    }
}

}  // namespace smsrack::test
