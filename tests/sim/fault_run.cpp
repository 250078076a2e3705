#include "tests/sim/fault_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

namespace smsrack::test {
namespace {

using namespace std::chrono_literals;

constexpr int messages = 340;      // what four lines send in 23 s
constexpr int messages_later = 8;  // when the fault is over: two a line
constexpr auto service = 250ms;

std::string number_of(int i) {
    return fmt::format("+3367{:07}", i);
}

int count_to(const World& world, std::string_view number) {
    return static_cast<int>(
        std::ranges::count(world.modems.journal.submits, number, &Submitted::to));
}

bool was_uncertain(const ports::MessageDetail& detail) {
    return std::ranges::any_of(
        detail.history, [](const Event& event) { return event.state == MessageState::uncertain; });
}

/// Adds one message to the counts.
void judge(World& world, MessageId id, int at_network, FaultOutcome& outcome) {
    const auto detail = world.detail(id);
    const MessageState state = detail.message.state;
    ++outcome.accepted;
    if (at_network > 1) {
        ++(was_uncertain(detail) ? outcome.resent : outcome.wrong);
    } else if (state == MessageState::sent || state == MessageState::delivered) {
        ++(at_network == 1 ? outcome.sent : outcome.wrong);
    } else if (state == MessageState::failed && detail.message.detail == "outcome_unknown") {
        ++outcome.unknown;
    } else if (state == MessageState::failed && at_network == 0) {
        ++outcome.refused;
    } else if ((state == MessageState::queued || state == MessageState::sending) &&
               at_network == 0) {
        ++outcome.waiting;
    } else {
        CAPTURE(message_state_name(state));
        CAPTURE(at_network);
        ++outcome.wrong;
    }
}

void inject(World& world, const FaultStep& step) {
    for (unsigned modem = 0; modem < fault_lines; ++modem) {
        if (step.modem < 0 || static_cast<unsigned>(step.modem) == modem) {
            world.modems.modem(modem).inject(world.clock.steady(), step.fault);
        }
    }
}

class Load {
public:
    Load(World& world, bool report) : world_(world), report_(report) {}

    void add(int count) {
        for (int i = 0; i < count; ++i) {
            ids_.push_back(world_.send({.to = number_of(static_cast<int>(ids_.size())),
                                        .text = "hello",
                                        .report = report_}));
        }
    }
    /// Whether all have ended; what has is not looked at again.
    [[nodiscard]] bool ended() {
        while (ended_ < ids_.size() && has_ended(world_.state(ids_[ended_]))) {
            ++ended_;
        }
        return ended_ == ids_.size();
    }
    /// Looks every few seconds: it is a query of the store.
    void run_to_end(std::chrono::seconds limit) {
        const SteadyTime until = world_.clock.steady() + limit;
        while (!ended() && world_.clock.steady() < until) {
            world_.run_for(5s);
        }
    }
    void judge_all(FaultOutcome& outcome) {
        for (std::size_t i = 0; i < ids_.size(); ++i) {
            judge(world_, ids_[i], count_to(world_, number_of(static_cast<int>(i))), outcome);
        }
    }

private:
    [[nodiscard]] bool has_ended(MessageState state) const {
        return is_final(state) || (!report_ && state == MessageState::sent);
    }

    World& world_;
    bool report_;
    std::vector<MessageId> ids_;
    std::size_t ended_ = 0;
};

}  // namespace

FaultOutcome run_with_faults(const FaultPlanned& plan) {
    World world({.modems = fault_lines, .seed = 5, .service = service, .toml = plan.toml});
    REQUIRE(world.run_until_ready());
    Load load(world, plan.report);
    load.add(messages);
    const SteadyTime start = world.clock.steady();
    for (const FaultStep& step : plan.steps) {
        world.run_for(std::chrono::duration_cast<std::chrono::milliseconds>(start + step.at -
                                                                            world.clock.steady()));
        inject(world, step);
    }
    world.run_for(std::chrono::duration_cast<std::chrono::milliseconds>(
        std::max(start + fault_window - world.clock.steady(), SteadyTime::duration::zero())));
    const SteadyTime over = world.clock.steady();
    load.run_to_end(plan.patience);
    world.run_for(plan.rest);
    load.add(messages_later);
    load.run_to_end(plan.patience);

    FaultOutcome outcome{.by_line = std::vector<int>(fault_lines)};
    outcome.took = std::chrono::floor<std::chrono::seconds>(world.clock.steady() - start);
    for (const Submitted& submit : world.modems.journal.submits) {
        outcome.by_line[submit.modem] +=
            submit.at >= start && submit.at < start + fault_window ? 1 : 0;
        outcome.first_line_back |= submit.modem == 0 && submit.at > over;
    }
    load.judge_all(outcome);
    return outcome;
}

const FaultOutcome& run_undisturbed() {
    static const FaultOutcome outcome = run_with_faults({});
    return outcome;
}

}  // namespace smsrack::test
