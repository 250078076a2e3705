#include "tests/rack/support/fault_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <functional>
#include <string_view>

namespace smsrack::test {
namespace {

using namespace std::chrono_literals;

constexpr int messages = 340;      // what four lines send in 23 s
constexpr int messages_later = 8;  // when the fault is over: two a line
constexpr auto service = 250ms;
constexpr auto inbound_window = 15'000ms;
constexpr auto inbound_patience = 10min;  // sweeps of the SIM go round in less

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

std::string inbound_text(int i) {
    return fmt::format("inbound {}", i);
}

/// What happens while the load is there, in order of time.
struct Happening {
    std::chrono::milliseconds at = {};
    std::function<void()> what;
};

std::vector<Happening> happenings(World& world, const FaultPlanned& plan) {
    std::vector<Happening> all;
    for (const FaultStep& step : plan.steps) {
        all.push_back({step.at, [&world, &step] { inject(world, step); }});
    }
    for (int i = 0; i < plan.inbound; ++i) {
        all.push_back({1s + i * inbound_window / plan.inbound, [&world, i] {
                           REQUIRE(world.modems.modem(0).offer(world.clock.steady(),
                                                               {.id = static_cast<std::uint64_t>(i),
                                                                .from = "+33699000000",
                                                                .text = inbound_text(i)}));
                       }});
    }
    if (plan.power_lost) {
        all.push_back({*plan.power_lost, [&world] { world.crash_and_restart(); }});
    }
    std::ranges::stable_sort(all, {}, &Happening::at);
    return all;
}

void judge_inbound(World& world, int count, FaultOutcome& outcome) {
    const auto rows = world.inbox();
    for (int i = 0; i < count; ++i) {
        const auto found = std::ranges::count_if(
            rows, [&](const auto& row) { return row.content.text == inbound_text(i); });
        ++(found == 1 ? outcome.inbound : outcome.inbound_wrong);
    }
    outcome.undecodable = static_cast<int>(
        std::ranges::count_if(rows, [](const auto& row) { return row.undecodable; }));
    outcome.inbound_wrong += std::abs(static_cast<int>(rows.size()) - outcome.undecodable - count);
}

void judge_lines(const World& world, SteadyTime start, SteadyTime over, FaultOutcome& outcome) {
    std::array<bool, fault_lines> back{};
    outcome.by_line.resize(fault_lines);
    for (const Submitted& submit : world.modems.journal.submits) {
        outcome.by_line[submit.modem] +=
            submit.at >= start && submit.at < start + fault_window ? 1 : 0;
        back.at(submit.modem) |= submit.at > over;
    }
    outcome.first_line_back = back[0];
    outcome.lines_back = static_cast<unsigned>(std::ranges::count(back, true));
}

}  // namespace

FaultOutcome run_with_faults(const FaultPlanned& plan) {
    World world({.modems = fault_lines,
                 .seed = 5,
                 .service = service,
                 .toml = plan.toml,
                 .modem_toml = plan.modem_toml});
    REQUIRE(world.run_until_ready());
    Load load(world, plan.report);
    load.add(messages);
    const SteadyTime start = world.clock.steady();
    const auto run_to = [&](std::chrono::milliseconds at) {
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(start + at - world.clock.steady());
        world.run_for(std::max(left, 0ms));
    };
    for (const Happening& happening : happenings(world, plan)) {
        run_to(happening.at);
        happening.what();
    }
    run_to(fault_window);
    const SteadyTime over = world.clock.steady();
    load.run_to_end(plan.patience);
    world.run_for(plan.rest);
    load.add(messages_later);
    load.run_to_end(plan.patience);
    if (plan.inbound > 0) {
        world.run_for(inbound_patience);
    }

    FaultOutcome outcome;
    outcome.took = std::chrono::floor<std::chrono::seconds>(world.clock.steady() - start);
    judge_lines(world, start, over, outcome);
    load.judge_all(outcome);
    judge_inbound(world, plan.inbound, outcome);
    const modem_sim::Card& card = world.modems.modem(0).model().core().card;
    outcome.left_in_sim = card.sms.used();
    outcome.pin_attempts = card.pin_attempts;
    return outcome;
}

const FaultOutcome& run_undisturbed() {
    static const FaultOutcome outcome = run_with_faults({});
    return outcome;
}

}  // namespace smsrack::test
