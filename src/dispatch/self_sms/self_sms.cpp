#include "src/dispatch/self_sms/self_sms.hpp"

#include "src/sms/self_sms.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::dispatch {
namespace {

using namespace std::chrono_literals;

constexpr auto look_after = self_sms_lost_after + 1s;  // then those are lost that nothing came of
constexpr auto look_again = 30s;                       // at a group that may not send now
// After a start: what the store still has leaves first, and tells as much for nothing.
constexpr auto first_after = 30s;
// A level that no probe is known of: longer ago than a round of all levels takes.
constexpr int unheard_periods = level_count + 1;

/// When a level may be due, if nothing is heard until then.
SteadyTime next_due(const GroupQuiet& group, std::chrono::seconds every) {
    return std::max(group.probed, *std::ranges::min_element(group.heard)) + every;
}

}  // namespace

std::optional<Level> self_sms_due(const GroupQuiet& group, std::chrono::seconds every,
                                  SteadyTime now) {
    if (!group.may_send || now < group.probed + every) {
        return std::nullopt;
    }
    std::optional<Level> due;
    for (std::size_t i = level_count; i > 0; --i) {
        const auto level = static_cast<Level>(i - 1);
        const bool silent = now >= group.heard.at(level) + every && !group.quiet_hours.at(level);
        if (silent && (!due || group.heard.at(level) < group.heard.at(*due))) {
            due = level;
        }
    }
    return due;
}

std::optional<std::size_t> self_sms_recipient(const std::vector<SelfSmsLine>& lines,
                                              std::size_t turn) {
    for (const bool of_group : {false, true}) {
        std::vector<std::size_t> candidates;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (lines[i].of_group == of_group && lines[i].receives && !lines[i].number.empty()) {
                candidates.push_back(i);
            }
        }
        if (!candidates.empty()) {
            return candidates[turn % candidates.size()];
        }
    }
    return std::nullopt;
}

NewMessage self_sms_message(SelfSmsDraft draft, std::uint64_t token) {
    return {.body = {.to = std::move(draft.to), .text = self_sms_text(token), .report = false},
            .level = draft.level,
            .group = std::move(draft.group),
            .ref = self_sms_ref(token),
            .fingerprint = token,
            .created_at = draft.at,
            .expires_at = draft.at + self_sms_time_to_live,
            .batch = std::string(self_sms_batch),
            .self_sms = true};
}

SelfSms::SelfSms(SelfSmsSettings settings, SelfSmsWorld world)
    : settings_(std::move(settings)), world_(world) {}

void SelfSms::add_group(GroupId id, std::string name) {
    groups_.push_back({.id = id, .name = std::move(name)});
}

void SelfSms::begin(Group& group, SteadyTime now) const {
    const WallTime wall = world_.clock.wall();
    group.seen.probed = now + first_after - settings_.every;
    group.seen.heard.fill(now - settings_.every * unheard_periods);
    for (const ports::SelfSmsSent& sent : sent_before_) {
        if (sent.group == group.id) {
            const SteadyTime at = now - std::max(std::chrono::milliseconds(0), wall - sent.at);
            SteadyTime& heard = group.seen.heard.at(sent.level);
            heard = std::max(heard, at);
            group.seen.probed = std::max(group.seen.probed, at);
        }
    }
}

void SelfSms::begin(SteadyTime now) {
    began_ = true;
    last_sent_ = next_look_for_lost_ = now;
    for (Group& group : groups_) {
        begin(group, now);
    }
}

SteadyTime SelfSms::step(SteadyTime now) {
    if (!has_work()) {
        return never;
    }
    if (!began_) {
        begin(now);
    }
    if (now >= next_look_for_lost_) {
        look_for_lost(now);
    }
    SteadyTime next = next_look_for_lost_;
    for (Group& group : groups_) {
        if (!on()) {
            break;
        }
        look(group, now);
        if (const auto level = self_sms_due(group.seen, settings_.every, now)) {
            send(group, *level, now);
        }
        const SteadyTime due = next_due(group.seen, settings_.every);
        next = std::min({next, next_look_for_lost_, due > now ? due : now + look_again});
    }
    return next;
}

void SelfSms::look(Group& group, SteadyTime now) {
    const WallTime wall = world_.clock.wall();
    group.seen.may_send = world_.board.group_lines(group.name, world_.clock.steady()).able > 0 &&
                          !is_paused(world_.pauses, group.name, self_sms_batch);
    for (Level level = 0; level < level_count; ++level) {
        SteadyTime& heard = group.seen.heard.at(level);
        const auto last = world_.responses.last_response(group.id, level);
        heard = std::min(now, std::max(heard, last.value_or(heard)));
        group.seen.quiet_hours.at(level) =
            world_.quiet != nullptr && world_.quiet->end(level, wall).has_value();
    }
}

/// A SIM whose modem is ready also receives while its line is blocked or parked.
std::vector<SelfSmsLine> SelfSms::lines_for(const std::string& group) const {
    std::vector<SelfSmsLine> lines;
    const std::vector<ports::LineView> views = world_.board.lines();
    for (std::size_t i = 0; i < views.size(); ++i) {
        const bool may_sleep = views[i].parked && settings_.parked_sleep;
        lines.push_back(
            {.number = i < settings_.numbers.size() ? settings_.numbers[i] : "",
             .receives = views[i].link == ports::LinkState::active && !may_sleep,
             .of_group = views[i].group == group && views[i].manual == ports::ManualState::open});
    }
    return lines;
}

void SelfSms::send(Group& group, Level level, SteadyTime now) {
    const auto lines = lines_for(group.name);
    const auto to = self_sms_recipient(lines, group.turn);
    if (!to) {
        if (!std::exchange(group.nobody, true)) {
            world_.log.warn("self_sms_nobody",
                            {{"group", group.name},
                             {"why", "no modem whose \"number\" is configured is ready"}});
        }
        return;
    }
    group.nobody = false;
    ++group.turn;
    group.seen.probed = group.seen.heard.at(level) = last_sent_ = now;
    next_look_for_lost_ = std::min(next_look_for_lost_, now + look_after);
    NewMessage message = self_sms_message(
        {.to = lines[*to].number, .group = group.name, .level = level, .at = world_.clock.wall()},
        world_.random.next());
    world_.store.post(
        ports::Accept{std::move(message)}, [this](const Result<ports::Accepted>& accepted) {
            if (!accepted) {
                world_.stats.add(stats::Counter::self_sms_unsent);
                world_.log.warn("self_sms_refused", {{"why", accepted.error().context}});
            }
        });
}

void SelfSms::look_for_lost(SteadyTime now) {
    const WallTime wall = world_.clock.wall();
    world_.rack_store.post(ports::LoseSelfSms{
        .overdue = wall - (self_sms_lost_after - self_sms_time_to_live), .at = wall});
    next_look_for_lost_ = now < last_sent_ + look_after ? last_sent_ + look_after : never;
}

void self_sms_ended(const Event& event, line::LineBoard& board, stats::Stats& stats, Log& log) {
    switch (event.state) {
        case MessageState::delivered:
            return stats.add(stats::Counter::self_sms_received);
        case MessageState::failed:
        case MessageState::expired:
        case MessageState::cancelled:
            return stats.add(stats::Counter::self_sms_unsent);
        case MessageState::undelivered:
            break;
        default:
            return;
    }
    stats.add(stats::Counter::self_sms_lost);
    log.warn("self_sms_lost", {{"modem", event.modem}, {"message", event.message.value}});
    for (std::size_t i = 0; i < board.size(); ++i) {
        const ModemId line{static_cast<std::uint16_t>(i)};
        if (board.name(line) == event.modem) {
            board.count(line, ports::Incident::self_sms_lost);
        }
    }
}

}  // namespace smsrack::dispatch
