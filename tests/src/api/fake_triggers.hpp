/// A trigger engine for tests, which decides when the test says so: a number seen before is a
/// repeat, one without "+" is bad.
#pragma once

#include "src/base/check.hpp"
#include "src/trigger/door.hpp"

#include <deque>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::test {

class FakeTriggers final : public trigger::Door {
public:
    [[nodiscard]] const trigger::EventForm* form(std::string_view trigger) const override {
        return trigger == "welcome" ? &event_form : nullptr;
    }
    [[nodiscard]] Result<> offer(std::string_view /*trigger*/,
                                 std::span<const trigger::Event> events,
                                 ports::Done<trigger::Counts> done) override {
        if (under_way.size() >= trigger::chunks_max) {
            return fail(Errc::busy, "chunks under way");
        }
        SMSRACK_CHECK(!events.empty() && events.size() <= trigger::chunk_events_max);
        trigger::Counts counts;
        for (const trigger::Event& event : events) {
            lines.push_back(event.line);
            times.emplace_back(event.time);
            if (!event.number.starts_with('+')) {
                counts.count(trigger::Verdict::bad);
                counts.sample(event.line, "number: not a number");
            } else {
                const bool fresh =
                    pairs.insert(std::string(event.number) + std::string(event.topic)).second;
                counts.count(fresh ? trigger::Verdict::fresh : trigger::Verdict::seen);
            }
        }
        if (at_once) {
            done(std::move(counts));
        } else {
            under_way.emplace_back(std::move(counts), std::move(done));
        }
        return {};
    }
    void on_room(std::function<void()> room) override { room_ = std::move(room); }
    [[nodiscard]] trigger::EngineView view() const override { return shown; }
    void trace(std::string_view, std::string_view number, std::string_view topic,
               ports::Done<trigger::Trace> done) override {
        traced = std::string(number) + " " + std::string(topic);
        done(trace_answer);
    }
    [[nodiscard]] Result<> start_rebuild() override {
        if (shown.rebuild.running) {
            return fail(Errc::conflict, "a rebuild is running");
        }
        shown.rebuild.running = true;
        return {};
    }

    /// The chunk at `place` is decided.
    void decide(std::size_t place = 0) {
        auto [counts, done] = std::move(under_way[place]);
        under_way.erase(under_way.begin() + static_cast<std::ptrdiff_t>(place));
        done(std::move(counts));
        if (room_) {
            room_();
        }
    }
    void fail_one(Error error) {
        auto done = std::move(under_way.front().second);
        under_way.pop_front();
        done(std::unexpected(std::move(error)));
    }
    void decide_all() {
        while (!under_way.empty()) {
            decide();
        }
    }

    bool at_once = false;
    trigger::EventForm event_form{.fields = {"name"}};
    trigger::EngineView shown{.triggers = {{.name = "welcome"}}};
    Result<trigger::Trace> trace_answer{};
    std::string traced;
    std::vector<std::uint64_t> lines;
    std::vector<std::string> times;  // of the events
    std::set<std::string> pairs;
    std::deque<std::pair<trigger::Counts, ports::Done<trigger::Counts>>> under_way;

private:
    std::function<void()> room_;
};

}  // namespace smsrack::test
