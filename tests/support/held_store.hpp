/// A store that keeps every call with its completion, so that a test decides what is answered, and when.
#pragma once

#include "src/ports/store.hpp"

#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace smsrack::test {

template <typename Request, typename Answer>
struct HeldCall {
    Request request;
    ports::Done<Answer> done;
};

struct FinishRequest {
    MessageId message;
    MessageEvent event;
    std::string detail;
};

struct RestartRequest {
    MessageId message;
    std::string detail;
};

class HeldStore final : public ports::Store {
public:
    std::deque<HeldCall<std::string, SimId>> sims;
    std::deque<HeldCall<SimId, ports::UsedQuota>> usages;
    std::deque<HeldCall<ClockMove, std::size_t>> moves;
    std::deque<HeldCall<NewMessage, ports::Accepted>> accepts;
    std::deque<HeldCall<ports::AttemptStart, AttemptId>> begins;
    std::deque<HeldCall<ports::AttemptEnd, ports::AttemptApplied>> ends;
    std::vector<std::pair<AttemptId, SubmitOutcome>> answers;
    std::deque<HeldCall<FinishRequest, MessageState>> finishes;
    std::deque<HeldCall<RestartRequest, void>> restarts;
    std::deque<HeldCall<std::pair<MessageId, AttemptId>, void>> resends;
    std::vector<MessageId> put_backs;
    std::deque<HeldCall<ports::DueWishes, std::vector<OutMessage>>> dues;
    std::deque<HeldCall<InboundSegment, InboundKept>> inbound;
    std::deque<HeldCall<StatusReport, ReportKept>> reports;
    std::vector<std::pair<SimId, HeldPlace>> forgotten;
    std::vector<std::tuple<SimId, HeldIn, std::vector<std::uint16_t>>> listed;
    std::deque<HeldCall<ports::PinTry, bool>> pins;
    std::vector<ports::SlotSeen> slots;
    std::vector<Event> events;
    Result<ports::SlotKnown> known = ports::SlotKnown{};
    std::map<GroupId, ports::LevelCounts> work_by_group = {};
    std::vector<std::pair<ports::PinTry, bool>> pins_ended;
    std::vector<std::pair<AttemptId, ports::AttemptNote>> notes;
    std::deque<std::move_only_function<void(ports::StoreReader&)>> reads;

    Result<GroupId> group_id(const std::string&) override { return GroupId{1}; }
    void sim_id(const std::string& iccid, const std::string&, ports::Done<SimId> done) override {
        sims.push_back({iccid, std::move(done)});
    }
    void used_quota(SimId sim, std::int64_t, ports::Done<ports::UsedQuota> done) override {
        usages.push_back({sim, std::move(done)});
    }
    void accept(NewMessage message, ports::Done<ports::Accepted> done) override {
        accepts.push_back({std::move(message), std::move(done)});
    }
    void begin_attempt(ports::AttemptStart start, ports::Done<AttemptId> done) override {
        begins.push_back({std::move(start), std::move(done)});
    }
    void end_attempt(ports::AttemptEnd end, ports::Done<ports::AttemptApplied> done) override {
        ends.push_back({std::move(end), std::move(done)});
    }
    void note_answer(AttemptId attempt, const SubmitOutcome& outcome) override {
        answers.emplace_back(attempt, outcome);
    }
    void finish(MessageId message, MessageEvent event, std::string detail, WallTime,
                ports::Done<MessageState> done) override {
        finishes.push_back({{message, event, std::move(detail)}, std::move(done)});
    }
    void resend(MessageId message, AttemptId doubt, WallTime, ports::Done<void> done) override {
        resends.push_back({{message, doubt}, std::move(done)});
    }
    void put_back(MessageId message, WallTime) override { put_backs.push_back(message); }
    void restart(MessageId message, std::string detail, WallTime, WallTime,
                 ports::Done<void> done) override {
        restarts.push_back({{message, std::move(detail)}, std::move(done)});
    }
    void take_due(WallTime, ports::DueWishes wishes,
                  ports::Done<std::vector<OutMessage>> done) override {
        dues.push_back({std::move(wishes), std::move(done)});
    }
    void expire_overdue(WallTime, std::size_t, ports::Done<std::size_t> done) override { done(0); }
    void note_attempt(AttemptId attempt, ports::AttemptNote note) override {
        notes.emplace_back(attempt, std::move(note));
    }
    void keep_inbound(InboundSegment segment, ports::Done<InboundKept> done) override {
        inbound.push_back({std::move(segment), std::move(done)});
    }
    void keep_report(StatusReport report, ports::Done<ReportKept> done) override {
        reports.push_back({std::move(report), std::move(done)});
    }
    void forget_held(SimId sim, HeldPlace place) override { forgotten.emplace_back(sim, place); }
    void forget_held_elsewhere(SimId sim, HeldIn memory,
                               std::vector<std::uint16_t> indexes) override {
        listed.emplace_back(sim, memory, std::move(indexes));
    }
    void release_incomplete(WallTime, std::size_t, ports::Done<std::size_t> done) override {
        done(0);
    }
    void begin_pin_try(ports::PinTry pin, WallTime, ports::Done<bool> done) override {
        pins.push_back({std::move(pin), std::move(done)});
    }
    /// Answered at once, since nearly every line asks: with `known`.
    void pair_slot(ports::SlotSeen seen, ports::Done<ports::SlotKnown> done) override {
        slots.push_back(std::move(seen));
        done(known);
    }
    void end_pin_try(ports::PinTry pin, bool taken) override {
        pins_ended.emplace_back(std::move(pin), taken);
    }
    void keep_event(Event event) override { events.push_back(std::move(event)); }
    void move_times(ClockMove move, ports::Done<std::size_t> done) override {
        moves.push_back({move, std::move(done)});
    }
    void anonymise(std::optional<WallTime>, std::optional<WallTime>, std::size_t,
                   ports::Done<std::size_t> done) override {
        done(0);
    }
    void remove_old(WallTime, WallTime, std::size_t, ports::Done<std::size_t> done) override {
        done(0);
    }
    void read(std::move_only_function<void(ports::StoreReader&)> job) override {
        reads.push_back(std::move(job));
    }
    [[nodiscard]] ports::StateCounts counts() const override { return {}; }
    [[nodiscard]] ports::LevelCounts waiting() const override { return {}; }
    [[nodiscard]] ports::LevelCounts work(GroupId group) const override {
        const auto found = work_by_group.find(group);
        return found == work_by_group.end() ? ports::LevelCounts{} : found->second;
    }
};

/// Takes the oldest held call and answers it.
template <typename Request, typename Answer>
Request answer(std::deque<HeldCall<Request, Answer>>& calls, Result<Answer> with) {
    HeldCall<Request, Answer> call = std::move(calls.front());
    calls.pop_front();
    call.done(std::move(with));
    return std::move(call.request);
}

}  // namespace smsrack::test
