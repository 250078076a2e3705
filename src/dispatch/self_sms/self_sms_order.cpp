#include "src/dispatch/self_sms/self_sms_order.hpp"

#include "src/sms/self_sms.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace smsrack::dispatch {
namespace {

using ports::LineView;

bool can_send(const LineView& line) {
    return line.link == ports::LinkState::active && line.manual == ports::ManualState::open &&
           !line.pause;
}

bool hears(const LineView& line) {
    return line.link == ports::LinkState::active && !line.listens_at &&
           !line.identity.number.empty();
}

/// What is nearest to be mended, where no line can be the sender or none the recipient.
std::string why_none(const std::vector<LineView>& lines, bool held) {
    const auto senders = std::ranges::count_if(lines, can_send);
    const auto numbers = std::ranges::count_if(lines, hears);
    if (lines.size() < 2) {
        return "this takes two modems";
    }
    if (senders == 0) {
        return "no modem can send now";
    }
    if (held) {
        return "the groups whose modems can send are paused";
    }
    return numbers == 0 ? "no modem that is ready has a known number: set \"number\" of its "
                          "[[modem]], where the SIM does not say it"
                        : "besides the modem that can send, none is ready whose number is known";
}

}  // namespace

Result<SelfSmsRoute> self_sms_route(const std::vector<LineView>& lines,
                                    const std::vector<std::string>& held) {
    bool all_held = false;
    for (const bool same_group : {false, true}) {
        for (const LineView& sender : lines) {
            if (!can_send(sender)) {
                continue;
            }
            if (std::ranges::find(held, sender.group) != held.end()) {
                all_held = true;
                continue;
            }
            const auto to = std::ranges::find_if(lines, [&](const LineView& other) {
                return &other != &sender && hears(other) &&
                       (other.group == sender.group) == same_group;
            });
            if (to != lines.end()) {
                return SelfSmsRoute{
                    .group = sender.group, .to = to->name, .number = to->identity.number};
            }
        }
    }
    return fail(Errc::conflict, why_none(lines, all_held));
}

Result<SelfSmsRoute> SelfSmsOrder::route() const {
    const std::vector<LineView> lines = world_.board.lines();
    const auto pauses = world_.pauses.shown();
    std::set<std::string> groups;
    for (const LineView& line : lines) {
        groups.insert(line.group);
    }
    std::vector<std::string> held;
    for (const std::string& group : groups) {
        if (const auto* pause = ports::pause_of(pauses, group, self_sms_batch)) {
            if (pause->scope != ports::PauseScope::group) {  // nothing else is looked for then
                return fail(Errc::conflict, ports::pause_text(*pause));
            }
            held.push_back(group);
        }
    }
    return self_sms_route(lines, held);
}

/// The highest, so that it goes before all that waits.
Result<Level> SelfSmsOrder::level() const {
    for (std::size_t i = level_count; i > 0; --i) {
        const auto level = static_cast<Level>(i - 1);
        if (world_.quiet == nullptr || !world_.quiet->end(level, world_.clock.wall())) {
            return level;
        }
    }
    return fail(Errc::conflict, "these are quiet hours for all levels");
}

void SelfSmsOrder::order_self_sms(
    std::move_only_function<void(Result<ports::SelfSmsOrdered>)> done) {
    const auto to = route();
    const auto at_level = to ? level() : std::unexpected(to.error());
    if (!at_level) {
        done(std::unexpected(at_level.error()));
        return;
    }
    const WallTime wall = world_.clock.wall();
    world_.rack_store.post(ports::LoseSelfSms{
        .overdue = wall - (self_sms_lost_after - self_sms_time_to_live), .at = wall});
    ports::SelfSmsOrdered ordered{
        .group = to->group, .to = to->to, .expires_at = wall + self_sms_time_to_live};
    world_.store.post(ports::Accept{self_sms_message(
                          {.to = to->number, .group = to->group, .level = *at_level, .at = wall},
                          world_.random.next())},
                      [done = std::move(done), ordered = std::move(ordered)](
                          const Result<ports::Accepted>& accepted) mutable {
                          if (!accepted) {
                              done(std::unexpected(accepted.error()));
                              return;
                          }
                          ordered.id = accepted->id;
                          done(std::move(ordered));
                      });
}

}  // namespace smsrack::dispatch
