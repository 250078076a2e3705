/// What a store is given in a test: readers that run at once, a waiter that counts, a listener that writes down.
#pragma once

#include "src/base/executor.hpp"
#include "src/base/waiter.hpp"
#include "src/ports/store.hpp"
#include "src/ports/store_rules.hpp"
#include "src/sms/address.hpp"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace smsrack::test {

class InlineExecutor final : public Executor {
public:
    void post(Job job) override { job(); }
};

class NoWaiter final : public Waiter {
public:
    void wait_until(SteadyTime) override {}
    void wake() override { ++woken; }
    int woken = 0;
};

struct Heard final : ports::StoreListener {
    void committed(std::span<const Event> batch, std::span<const ports::InboxRow> rows) override {
        events.insert(events.end(), batch.begin(), batch.end());
        received.insert(received.end(), rows.begin(), rows.end());
    }
    void work_waits(GroupId group, Level level) override { work.emplace_back(group, level); }
    bool begins_at_once(GroupId group) override { return eager == group; }
    void about_to_queue(const OutMessage& message) override { announced.push_back(message); }
    void pauses_changed(const std::vector<ports::Pause>& all) override { pauses = all; }
    std::vector<Event> events = {};
    std::vector<ports::InboxRow> received = {};
    std::vector<std::pair<GroupId, Level>> work = {};
    std::vector<ports::Pause> pauses = {};
    std::optional<GroupId> eager = {};  // where a line is free
    std::vector<OutMessage> announced = {};
};

/// The newest candidate with the recipient's number that has no final report, as long as it is the
/// only one of its kind.
inline std::optional<ports::ReportChoice> choose_by_number(
    const StatusReport& report, std::span<const ports::ReportCandidate> candidates) {
    std::optional<ports::ReportChoice> chosen;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        using enum ports::ReportStanding;
        const ports::ReportStanding standing = candidates[i].standing;
        if (standing == reported || standing == open ||
            !same_subscriber(candidates[i].to, report.recipient)) {
            continue;
        }
        if (candidates[i].reference == ports::ReportReference::torn) {
            continue;
        }
        if (standing == waits) {
            return ports::ReportChoice{.index = i};
        }
        if (chosen) {
            return std::nullopt;
        }
        chosen = ports::ReportChoice{.index = i};
    }
    return chosen;
}

inline InboundText join_plainly(std::span<const InboundSegment> segments) {
    InboundText joined;
    for (const InboundSegment& segment : segments) {
        joined.text += segment.payload;
    }
    return joined;
}

}  // namespace smsrack::test
