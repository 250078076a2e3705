#include "src/line/expected_answers.hpp"

#include <doctest/doctest.h>

#include <chrono>

using namespace smsrack;
using namespace std::chrono_literals;
using line::ExpectedAnswers;

namespace {

constexpr WallTime noon{std::chrono::milliseconds(1'000'000)};
constexpr SimId sim{5};

Result<ports::Expected> answer(bool anything, std::int64_t settled = 0) {
    return ports::Expected{.anything = anything, .settled = AttemptId{settled}};
}

}  // namespace

TEST_CASE("ExpectedAnswers: only the answer to the last question counts") {
    ExpectedAnswers answers;
    const auto first = answers.ask(sim, noon);
    const auto second = answers.ask(sim, noon);
    CHECK_FALSE(answers.answered(first, answer(false, 9)).has_value());
    CHECK(answers.answered(second, answer(false)) == false);
    CHECK(answers.ask(sim, noon).settled == AttemptId{});
}

TEST_CASE("ExpectedAnswers: a store that cannot be read does not say that nothing is expected") {
    ExpectedAnswers answers;
    (void)answers.answered(answers.ask(sim, noon), answer(false, 9));
    CHECK(answers.answered(answers.ask(sim, noon), fail(Errc::storage, "disk")) == true);
    CHECK(answers.answered(answers.ask(sim, noon), answer(true, 9)) == true);
}

TEST_CASE(
    "ExpectedAnswers: what was settled for the same SIM is not looked at again, unless the clock "
    "went back") {
    ExpectedAnswers answers;
    CHECK(answers.ask(sim, noon).settled == AttemptId{});
    (void)answers.answered(answers.ask(sim, noon), answer(false, 9));
    CHECK(answers.ask(sim, noon).settled == AttemptId{9});
    CHECK(answers.ask(sim, noon + 1h).settled == AttemptId{9});
    CHECK(answers.ask(sim, noon - 1ms).settled == AttemptId{});
    CHECK(answers.ask(SimId{6}, noon + 1h).settled == AttemptId{});
}
