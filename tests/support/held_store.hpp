/// A store that keeps every command and every question, so that a test decides what is answered,
/// and when.
#pragma once

#include "src/ports/store.hpp"
#include "tests/support/held_commands.hpp"

#include <deque>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace smsrack::test {

class HeldStore final : public HeldCommands<ports::Store> {
public:
    Result<ports::SlotKnown> known = ports::SlotKnown{};
    std::map<GroupId, ports::LevelCounts> work_by_group = {};
    std::vector<std::pair<AttemptId, SubmitOutcome>> answers = {};
    std::vector<Event> events = {};
    std::deque<Job> reads = {};

    [[nodiscard]] Result<GroupId> group_id(const std::string&) override { return GroupId{1}; }
    void note_answer(AttemptId attempt, const SubmitOutcome& outcome) override {
        answers.emplace_back(attempt, outcome);
    }
    [[nodiscard]] ports::StateCounts counts() const override { return {}; }
    [[nodiscard]] ports::LevelCounts waiting() const override { return {}; }
    [[nodiscard]] ports::LevelCounts work(GroupId group) const override {
        const auto found = work_by_group.find(group);
        return found == work_by_group.end() ? ports::LevelCounts{} : found->second;
    }

private:
    /// PairSlot is answered at once, with `known`: nearly every line posts it.
    void take(Call&& call) override {
        if (auto* const pairing = std::get_if<ports::Posted<ports::PairSlot>>(&call)) {
            pairing->answer(known);
        } else if (auto* const event = std::get_if<ports::Posted<ports::KeepEvent>>(&call)) {
            events.push_back(event->command.event);
        }
        keep(std::move(call));
    }
    void read(Job job) override { reads.push_back(std::move(job)); }
};

}  // namespace smsrack::test
