#include "tests/days/watch.hpp"

#include "tests/days/ledger.hpp"

#include <array>
#include <fmt/format.h>
#include <utility>

namespace smsrack::days {
namespace {

constexpr std::size_t at_once = 4'096;

std::string words(const Event& event) {
    std::string said = std::string(message_state_name(event.state));
    if (!event.modem.empty()) {
        said += fmt::format(" by {}", event.modem);
    }
    if (event.attempt > 0) {
        said += fmt::format(", attempt {} of segment {}", event.attempt, event.segment + 1);
    }
    return event.detail.empty() ? said : said + ", " + event.detail;
}

}  // namespace

Watch::Watch(test::World& world, const RackRules& rules, std::string only)
    : world_(world), story_(world.clock), checkers_(all_checkers(rules)), only_(std::move(only)) {
    seen_ = world_.stream().subscribe(listens_);
}

void Watch::told(const Event& event) {
    seen_ = event.seq;
    if (event.type == EventType::message_state) {
        story_.tell(fmt::format("message {}", event.message.value), words(event));
    } else if (event.type == EventType::modem_state) {
        story_.tell(event.modem, event.detail);
    }
    tell([&](Checker& checker) { checker.event(event); });
}

void Watch::look_at_modems() {
    const auto& submits = world_.modems.journal.submits;
    for (; submits_seen_ < submits.size(); ++submits_seen_) {
        const test::Submitted& submit = submits[submits_seen_];
        story_.tell(submit.to, fmt::format("the network took it from m{}", submit.modem));
        tell([&](Checker& checker) { checker.at_network(submit); });
    }
    const auto& reports = world_.modems.journal.reports;
    for (; reports_seen_ < reports.size(); ++reports_seen_) {
        const test::Reported& report = reports[reports_seen_];
        story_.tell(report.to, fmt::format("m{} has report {:#x} of reference {} ({})",
                                           report.modem, report.status, report.mr, report.how));
        tell([&](Checker& checker) { checker.reported(report); });
    }
    look_at_inbound();
}

void Watch::look() {
    look_at_modems();
    if (!world_.disk.is_off() && std::exchange(listens_.woken, false)) {
        const auto news = world_.stream().after(seen_, at_once);
        if (!news) {
            read_missed();
        } else {
            for (const Event& event : news->events) {
                told(event);
            }
        }
    }
    tell([&](Checker& checker) { checker.turn(world_); });
}

void Watch::look_at_inbound() {
    static constexpr std::array words{"has it",        "says it",  "says it, and waits",
                                      "may forget it", "drops it", "erased it",
                                      "says so"};
    const auto& steps = world_.modems.journal.inbound;
    for (; inbound_seen_ < steps.size(); ++inbound_seen_) {
        const test::InboundStep& step = steps[inbound_seen_];
        const char* const word = words.at(static_cast<std::size_t>(step.what));
        const bool is_of_one = step.what != test::InboundStep::What::confirmed;
        story_.tell(
            is_of_one ? fmt::format("inbound {}", step.id) : fmt::format("m{}", step.modem),
            fmt::format("m{} {} (part {} of {})", step.modem, word, step.segment, step.segments));
        tell([&](Checker& checker) { checker.came_in(step); });
    }
}

/// As a client that comes back does.
void Watch::read_missed() {
    const Ledger ledger(world_.store_file());
    ledger.each(
        "SELECT seq, at, type, message, state, modem, segment, attempt, detail, "
        "cause_kind, cause_code FROM events "
        "WHERE seq > ? ORDER BY seq",
        {seen_.value}, [&](const Row& row) {
            told({.seq = EventSeq{row.number(0)},
                  .at = WallTime(std::chrono::milliseconds(row.number(1))),
                  .type = static_cast<EventType>(row.number(2)),
                  .message = MessageId{row.number(3)},
                  .state = static_cast<MessageState>(row.number(4)),
                  .modem = row.text(5),
                  .segment = static_cast<std::uint8_t>(row.number(6)),
                  .attempt = static_cast<std::uint16_t>(row.number(7)),
                  .cause = {.kind = static_cast<CodeKind>(row.number(9)),
                            .code = static_cast<std::uint16_t>(row.number(10))},
                  .detail = row.text(8)});
        });
}

void Watch::look_after_restart(const std::string& what) {
    disturbed("the box", what, std::chrono::minutes(2));
    tell([&](Checker& checker) { checker.restarted(world_); });
    (void)world_.stream().subscribe(listens_);
    look_at_modems();  // a report that the process before had came before what it said of it
    read_missed();
}

void Watch::look_when_settled() {
    look();
    tell([&](Checker& checker) { checker.settled(world_); });
}

void Watch::note_rows() {
    const Ledger ledger(world_.store_file());
    for (const char* const rows :
         {"SELECT count(*), total(id * (state + 1) + updated_at) FROM messages",
          "SELECT count(*), total(message * (outcome + 1) + started_at) FROM attempts",
          "SELECT count(*), total(id * length(content) + received_at) FROM inbox"}) {
        ledger.each(rows, {}, [&](const Row& row) {
            story_.tell("the store", fmt::format("{} {}", row.text(0), row.text(1)));
        });
    }
}

std::string Watch::card_in(unsigned modem) const {
    return world_.modems.modem(modem).model().core().settings.identity.iccid;
}

void Watch::sim_goes(unsigned modem) {
    tell([&](Checker& checker) { checker.sim_goes(card_in(modem), world_); });
}

void Watch::sim_out(unsigned modem) {
    tell([&](Checker& checker) { checker.sim_out(card_in(modem), world_.clock.steady()); });
}

void Watch::quiet(bool now) {
    tell([&](Checker& checker) { checker.quiet(now); });
}

void Watch::replaced(std::size_t lived, std::size_t begun) {
    tell([&](Checker& checker) { checker.replaced(lived, begun); });
}

void Watch::asked(const std::string& to, const std::string& text) {
    tell([&](Checker& checker) { checker.asked(to, text); });
}

void Watch::offered_events(const std::vector<Pair>& pairs) {
    for (const auto& [number, topic] : pairs) {
        story_.tell(number, "an event of " + topic);
        asked(number, trigger_text(topic));
    }
}

void Watch::decided(const std::vector<Pair>& pairs, const Decision& decision) {
    for (const auto& [number, topic] : pairs) {
        story_.tell(number, fmt::format("{} is decided; {} of {} are new", topic, decision.fresh,
                                        pairs.size()));
    }
    tell([&](Checker& checker) { checker.decided(pairs, decision); });
}

void Watch::accepted(const Told& told) {
    story_.tell(told.to,
                fmt::format("accepted as message {} at level {}", told.id.value, told.level));
    tell([&](Checker& checker) { checker.accepted(told); });
}

void Watch::refused(const std::string& to, Level level) {
    tell([&](Checker& checker) { checker.refused(to, level); });
}

void Watch::refusals_ordered(int code, int count) {
    tell([&](Checker& checker) { checker.refusals_ordered(code, count); });
}

void Watch::gated(const std::string& line, bool open) {
    story_.tell(line, open ? "is let in again" : "is drained");
    tell([&](Checker& checker) { checker.gated(line, open); });
}

void Watch::offered(unsigned modem, const modem_sim::Inbound& message) {
    story_.tell(fmt::format("inbound {}", message.id),
                fmt::format("comes for the SIM in m{}, from {}", modem, message.from));
    const Offered offered{.modem = modem,
                          .id = message.id,
                          .from = message.from,
                          .text = message.text,
                          .iccid = card_in(modem)};
    tell([&](Checker& checker) { checker.offered(offered); });
}

void Watch::clock_set(std::chrono::milliseconds by) {
    tell([&](Checker& checker) { checker.clock_set(world_.clock.steady(), by); });
}

void Watch::time_passes(const std::string& how, std::chrono::milliseconds length) {
    look();  // what happened until now was before it
    disturbed(
        "the box",
        fmt::format("{} for {} s", how, std::chrono::floor<std::chrono::seconds>(length).count()),
        std::chrono::minutes(2));
    tell([&](Checker& checker) { checker.time_passed(world_.clock.steady(), length); });
}

void Watch::disturbed(std::string who, std::string what, std::chrono::seconds length) {
    story_.tell(std::move(who), std::move(what));
    tell([&](Checker& checker) { checker.disturbed(world_.clock.steady() + length); });
}

}  // namespace smsrack::days
