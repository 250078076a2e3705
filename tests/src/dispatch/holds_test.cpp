#include "src/dispatch/holds.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

constexpr WallTime midnight = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1};
constexpr WallTime noon = midnight + 12h;
constexpr GroupId default_group{1};
constexpr GroupId alarm_group{2};
constexpr BatchId batch{7};

OutMessage message_of(GroupId group, BatchId of = {}, Level level = 3) {
    OutMessage message;
    message.group = group;
    message.batch = of;
    message.level = level;
    message.created_at = noon;
    return message;
}

/// Levels below 4 are quiet from 22:00 to 06:00.
const rules::QuietHours night{.from = 22h, .to = 6h, .below = 4};

struct Rack {
    dispatch::Holds holds{nullptr};
    Rack() {
        holds.add_group(default_group, "default");
        holds.add_group(alarm_group, "alarm");
    }
    void pause(std::vector<ports::Pause> pauses, WallTime at = noon) {
        holds.set_pauses(pauses, at);
    }
};

}  // namespace

TEST_CASE("Holds: a pause holds the messages of its scope until it ends") {
    struct Row {
        const char* what;
        ports::Pause pause;
        bool holds_default;
        bool holds_alarm;
        bool holds_batch;  // of the group alarm
    };
    for (const Row& row : {
             Row{"the rack", {.scope = ports::PauseScope::rack}, true, true, true},
             Row{"a group",
                 {.scope = ports::PauseScope::group, .name = "default"},
                 true,
                 false,
                 false},
             Row{"a batch",
                 {.scope = ports::PauseScope::batch, .batch = batch},
                 false,
                 false,
                 true},
             Row{"a cancelled batch",
                 {.scope = ports::PauseScope::batch, .batch = batch, .cancelled = true},
                 false,
                 false,
                 true},
         }) {
        CAPTURE(row.what);
        Rack rack;
        rack.pause({row.pause});
        const auto held = [&](const OutMessage& message) {
            const auto until = rack.holds.when_may(message);
            CHECK((!until || until == ports::no_end_yet));
            return until.has_value();
        };
        CHECK(held(message_of(default_group)) == row.holds_default);
        CHECK(held(message_of(alarm_group)) == row.holds_alarm);
        CHECK(held(message_of(alarm_group, batch)) == row.holds_batch);
        rack.pause({});
        CHECK_FALSE(held(message_of(default_group)));
        CHECK_FALSE(held(message_of(alarm_group, batch)));
    }
}

TEST_CASE("Holds: only rack and group are paused as a whole") {
    Rack rack;
    rack.pause({{.scope = ports::PauseScope::batch, .batch = batch}});
    CHECK_FALSE(rack.holds.is_paused(default_group));
    rack.pause({{.scope = ports::PauseScope::group, .name = "alarm"}});
    CHECK_FALSE(rack.holds.is_paused(default_group));
    CHECK(rack.holds.is_paused(alarm_group));
    CHECK_FALSE(rack.holds.is_paused(GroupId{9}));  // no line of this rack
}

TEST_CASE("Holds: a long message that has begun never waits") {
    Rack rack;
    rack.pause({{.scope = ports::PauseScope::rack}});
    OutMessage begun = message_of(default_group);
    begun.pinned_sim = SimId{5};
    CHECK_FALSE(rack.holds.when_may(begun));
}

TEST_CASE("Holds: in quiet hours the lower levels wait for their end") {
    dispatch::Holds holds(&night);
    holds.add_group(default_group, "default");
    const OutMessage low = message_of(default_group, {}, 3);
    const OutMessage high = message_of(default_group, {}, 4);
    holds.look_at_quiet_hours(noon);
    CHECK_FALSE(holds.when_may(low));
    CHECK_FALSE(holds.must_look());
    holds.look_at_quiet_hours(midnight + 23h);
    CHECK(holds.must_look());
    CHECK(holds.when_may(low) == midnight + 30h);
    CHECK_FALSE(holds.when_may(high));
    CHECK(holds.is_quiet(3));
    CHECK_FALSE(holds.is_quiet(4));
    holds.looked();
    holds.look_at_quiet_hours(midnight + 24h);
    CHECK_FALSE(holds.must_look());  // they had begun before
    holds.look_at_quiet_hours(midnight + 30h);
    CHECK_FALSE(holds.when_may(low));
}

TEST_CASE("Holds: what is encoded is looked at after a change, and behind a worker of the codec") {
    Rack rack;
    rack.holds.came_from_codec();
    CHECK_FALSE(rack.holds.must_look());
    rack.pause({{.scope = ports::PauseScope::batch, .batch = batch}});
    CHECK(rack.holds.must_look());
    rack.holds.looked();
    CHECK_FALSE(rack.holds.must_look());
    rack.holds.came_from_codec();
    CHECK(rack.holds.must_look());
    rack.holds.looked();
    rack.pause({});
    CHECK(rack.holds.must_look());
}

TEST_CASE("Holds: a message that a pause held differs from one that came after it") {
    Rack rack;
    const OutMessage of_group = message_of(default_group);
    const OutMessage of_batch = message_of(alarm_group, batch);
    CHECK_FALSE(rack.holds.has_held(of_group));
    CHECK_FALSE(rack.holds.has_held(of_batch));
    rack.pause({{.scope = ports::PauseScope::group, .name = "default"},
                {.scope = ports::PauseScope::batch, .batch = batch}});
    rack.pause({}, noon + 1h);
    CHECK(rack.holds.has_held(of_group));
    CHECK(rack.holds.has_held(of_batch));
    CHECK_FALSE(rack.holds.has_held(message_of(alarm_group)));
    OutMessage later = of_batch;
    later.created_at = noon + 1h;
    CHECK_FALSE(rack.holds.has_held(later));
}

TEST_CASE("Holds: of many resumed batches the oldest share one time, and none is forgotten") {
    Rack rack;
    for (std::int64_t i = 1; i <= 100; ++i) {
        rack.pause({{.scope = ports::PauseScope::batch, .batch = BatchId{i}}});
        rack.pause({}, noon + std::chrono::minutes(i));
    }
    OutMessage first = message_of(default_group, BatchId{1});
    CHECK(rack.holds.has_held(first));
    first.created_at = noon + 36min;  // 36 of them are no longer kept each
    CHECK_FALSE(rack.holds.has_held(first));
    OutMessage last = message_of(default_group, BatchId{100});
    last.created_at = noon + 99min;
    CHECK(rack.holds.has_held(last));
}
