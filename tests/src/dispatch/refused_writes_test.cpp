#include "src/dispatch/refused_writes.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;
using dispatch::RefusedWrites;

namespace {

constexpr SteadyTime start = SteadyTime{} + 1h;
constexpr WallTime noon = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1} + 12h;

ports::EndAttempt end_of(MessageId message) {
    return {.attempt = AttemptId{1}, .message = message, .outcome = {}, .at = noon};
}

}  // namespace

TEST_CASE("RefusedWrites: what was refused is written again after a pause, each once") {
    RefusedWrites refused;
    CHECK(refused.deadline() == never);
    CHECK_FALSE(refused.take(start));
    refused.add(end_of(MessageId{1}), start);
    refused.add(MessageId{2}, start);
    refused.add(dispatch::NotPutOff{.message = MessageId{3}, .until = noon}, start + 100ms);
    CHECK(refused.deadline() == start + 100ms + RefusedWrites::pause);
    CHECK_FALSE(refused.take(start + RefusedWrites::pause));
    const auto writes = refused.take(start + 100ms + RefusedWrites::pause);
    REQUIRE(writes);
    CHECK(writes->ends.size() == 1);
    CHECK(writes->drops == std::vector{MessageId{2}});
    REQUIRE(writes->put_offs.size() == 1);
    CHECK(writes->put_offs[0].message == MessageId{3});
    CHECK_FALSE(refused.take(start + 1h));
    CHECK(refused.deadline() == never);
}

TEST_CASE("RefusedWrites: the same decision about an attempt is written once") {
    RefusedWrites refused;
    ports::EndAttempt other = end_of(MessageId{1});
    other.event = MessageEvent::give_up;
    refused.add(end_of(MessageId{1}), start);
    refused.add(end_of(MessageId{1}), start);
    refused.add(other, start);
    const auto writes = refused.take(start + RefusedWrites::pause);
    REQUIRE(writes);
    CHECK(writes->ends.size() == 2);
}

TEST_CASE(
    "RefusedWrites: while an end is not written, its message is still in flight for the store") {
    RefusedWrites refused;
    refused.add(MessageId{1}, start);
    CHECK_FALSE(refused.has_end_of(MessageId{1}));
    refused.add(end_of(MessageId{1}), start);
    CHECK(refused.has_end_of(MessageId{1}));
    CHECK_FALSE(refused.has_end_of(MessageId{2}));
    (void)refused.take(start + RefusedWrites::pause);
    CHECK_FALSE(refused.has_end_of(MessageId{1}));
}

TEST_CASE("RefusedWrites: what waits is moved with the clock") {
    RefusedWrites refused;
    refused.add(end_of(MessageId{1}), start);
    refused.add(dispatch::NotPutOff{.message = MessageId{3}, .until = noon + 5h}, start);
    refused.move_times({.after = noon - 1h, .until = noon + 1h, .by = -3h});
    const auto writes = refused.take(start + RefusedWrites::pause);
    REQUIRE(writes);
    CHECK(writes->ends[0].at == noon - 3h);
    CHECK(writes->put_offs[0].until == noon + 2h);
}
