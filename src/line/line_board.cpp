#include "src/line/line_board.hpp"

#include "src/base/time_text.hpp"
#include "src/line/time_to_ready.hpp"
#include "src/sms/address.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace smsrack::line {

ModemId LineBoard::add(std::string name, std::string port, std::string group) {
    const std::lock_guard lock(mutex_);
    const ModemId id{static_cast<std::uint16_t>(lines_.size())};
    lines_.emplace_back().view = {.name = std::move(name),
                                  .port = std::move(port),
                                  .group = std::move(group),
                                  .reason = "starting"};
    return id;
}

void LineBoard::identified(ModemId line, const ports::ModemIdentity& identity) {
    const std::lock_guard lock(mutex_);
    ports::LineView& view = lines_[line.value].view;
    view.identity = identity;
    if (!identity.operator_name.empty()) {
        view.operator_name = identity.operator_name;
    }
}

void LineBoard::ready(ModemId line) {
    const std::lock_guard lock(mutex_);
    ports::LineView& view = lines_[line.value].view;
    view.link = ports::LinkState::active;
    view.reason.clear();
    view.detail.clear();
    view.listens_at.reset();
    view.waking_since.reset();
}

void LineBoard::not_ready(ModemId line, ports::LinkState link, std::string reason,
                          std::string detail) {
    const std::lock_guard lock(mutex_);
    ports::LineView& view = lines_[line.value].view;
    view.link = link;
    view.reason = std::move(reason);
    view.detail = std::move(detail);
    view.listens_at.reset();
}

void LineBoard::asleep(ModemId line, WallTime listens_at) {
    const std::lock_guard lock(mutex_);
    ports::LineView& view = lines_[line.value].view;
    view.link = ports::LinkState::pending;
    view.reason = "asleep";
    view.detail = "parked, and its radio is off; it listens at " + time_text(listens_at);
    view.listens_at = listens_at;
    view.waking_since.reset();
}

void LineBoard::waking(ModemId line, SteadyTime since) {
    const std::lock_guard lock(mutex_);
    lines_[line.value].view.waking_since = since;
}

void LineBoard::woke(ModemId line, std::chrono::nanoseconds took) {
    const std::lock_guard lock(mutex_);
    lines_[line.value].view.woke_in = took;
}

bool LineBoard::is_active(ModemId line) const {
    const std::lock_guard lock(mutex_);
    return lines_[line.value].view.link == ports::LinkState::active;
}

void LineBoard::stop(ModemId line) {
    const std::lock_guard lock(mutex_);
    lines_[line.value].view.link = ports::LinkState::stop;
}

void LineBoard::vitals(ModemId line, const ports::ModemVitals& vitals) {
    const std::lock_guard lock(mutex_);
    ports::LineView& view = lines_[line.value].view;
    if (vitals.signal_dbm) {
        view.signal_dbm = vitals.signal_dbm;
    }
    view.registration = vitals.registration;
    if (!vitals.operator_name.empty()) {
        view.operator_name = vitals.operator_name;
    }
}

void LineBoard::sim_storage(ModemId line, int used, int total) {
    const std::lock_guard lock(mutex_);
    lines_[line.value].view.sim_used = used;
    lines_[line.value].view.sim_total = total;
}

void LineBoard::fallbacks(ModemId line, const ports::Fallbacks& fallbacks) {
    const std::lock_guard lock(mutex_);
    lines_[line.value].view.fallbacks = fallbacks;
}

std::optional<std::string> LineBoard::dialogue(const std::string& name) const {
    constexpr std::size_t octets_max = std::size_t{64} * 1024;  // whatever a recorder holds
    const auto line =
        std::ranges::find_if(lines_, [&](const Line& one) { return one.view.name == name; });
    if (line == lines_.end()) {
        return std::nullopt;
    }
    return line->dialogue == nullptr ? std::string()
                                     : line->dialogue->text(WallTime::min(), octets_max);
}

void LineBoard::busy(ModemId id, bool busy, SteadyTime now) {
    Line& line = lines_[id.value];
    const SteadyTime::rep ticks = now.time_since_epoch().count();
    if (line.busy.exchange(busy)) {
        line.busy_time += ticks - line.busy_since;
    }
    line.busy_since = ticks;
}

void LineBoard::gate(ModemId line, ports::LineGate gate, bool holds) {
    const std::lock_guard lock(mutex_);
    ports::LineView& view = lines_[line.value].view;
    view.manual =
        gate == ports::LineGate::open ? ports::ManualState::open : ports::ManualState::blocked;
    view.parked = gate == ports::LineGate::parked;
    view.drained = gate != ports::LineGate::open && !holds;
}

void LineBoard::pause(ModemId line, std::optional<ports::LinePause> pause) {
    const std::lock_guard lock(mutex_);
    lines_[line.value].view.pause = std::move(pause);
}

/// The pause that ends first; one without an end is as good as none to wait for.
std::optional<ports::LinePause> LineBoard::group_pause(const std::string& group,
                                                       std::uint32_t segments,
                                                       const std::string& to) const {
    ports::LinePause shortest{.reason = "no_line"};
    const std::lock_guard lock(mutex_);
    for (const Line& line : lines_) {
        const ports::LineView& view = line.view;
        if (view.group != group || view.link != ports::LinkState::active ||
            view.manual != ports::ManualState::open) {
            continue;
        }
        std::optional<ports::LinePause> pause = view.pause;
        if (line.quota != nullptr) {
            const auto wait = line.quota->wait(segments, recipient_hash(to));
            if (wait && (!pause || !wait->until || pause->until < wait->until)) {
                pause = ports::LinePause{.reason = "quota", .until = wait->until};
            }
        }
        if (!pause) {
            return std::nullopt;
        }
        if (!shortest.until || (pause->until && *pause->until < *shortest.until)) {
            shortest = *pause;
        }
    }
    return shortest;
}

namespace {

/// Of the windows that last: a minute's or an hour's comes back by itself. A SIM without a quota takes any number.
void add_quota_left(ports::GroupLines& lines, const SimQuota* quota) {
    std::optional<std::uint32_t> left;
    if (quota != nullptr) {
        const auto view = quota->view();
        for (const QuotaWindow window : {QuotaWindow::day, QuotaWindow::month}) {
            if (const auto of = view.left.at(static_cast<std::size_t>(window))) {
                left = std::min(left.value_or(*of), *of);
            }
        }
    }
    if (!left) {
        lines.quota_left.reset();
    } else if (lines.able == 1) {
        lines.quota_left = *left;
    } else if (lines.quota_left) {
        *lines.quota_left += *left;
    }
}

std::optional<ports::LinePause> pause_of(const ports::LineView& view, const SimQuota* quota) {
    if (quota != nullptr && !view.pause) {
        if (const auto spent = quota->view().pause) {
            return ports::LinePause{.reason = "quota", .until = spent->until};
        }
    }
    return view.pause;
}

/// A line that can't send now, but can soon, or could if it were let in.
void add_later(ports::GroupLines& lines, const ports::LineView& view, SteadyTime now) {
    if (view.parked) {
        if (const auto takes = time_to_ready(view, now)) {
            lines.parked.push_back(*takes);
        }
    } else if (view.manual == ports::ManualState::open && is_waking(view, now)) {
        lines.waking.push_back(time_to_ready(view, now).value_or(late_within));
    }
}

}  // namespace

ports::GroupLines LineBoard::group_lines(const std::string& group, SteadyTime now) const {
    ports::GroupLines lines;
    bool back_any_time = false;
    const std::lock_guard lock(mutex_);
    for (const Line& line : lines_) {
        const ports::LineView& view = line.view;
        if (view.group != group) {
            continue;
        }
        ++lines.total;
        const std::optional<ports::LinePause> pause = pause_of(view, line.quota);
        if (view.link != ports::LinkState::active || view.manual != ports::ManualState::open) {
            back_any_time = back_any_time || (view.manual == ports::ManualState::open &&
                                              view.link == ports::LinkState::pending);
            if (!pause) {
                add_later(lines, view, now);
            }
            continue;
        }
        if (!pause) {
            ++lines.able;
            add_quota_left(lines, line.quota);
        } else if (pause->until && (!lines.until || *pause->until < *lines.until)) {
            lines.until = pause->until;
        }
    }
    std::ranges::sort(lines.waking);
    std::ranges::sort(lines.parked);
    if (back_any_time) {  // rather than the day after tomorrow, when another SIM's quota begins again
        lines.until.reset();
    }
    return lines;
}

std::size_t LineBoard::open_lines(SteadyTime now) const {
    const std::lock_guard lock(mutex_);
    return static_cast<std::size_t>(std::ranges::count_if(lines_, [now](const Line& line) {
        return line.view.manual == ports::ManualState::open &&
               (line.view.link == ports::LinkState::active || is_waking(line.view, now));
    }));
}

std::string LineBoard::own_number(ModemId line) const {
    const std::lock_guard lock(mutex_);
    return lines_[line.value].view.identity.number;
}

std::optional<ports::SimInRack> LineBoard::sim_with(std::string_view number) const {
    const std::lock_guard lock(mutex_);
    const auto has_it = [number](const Line& one) {
        return same_subscriber(one.view.identity.number, number);
    };
    // A SIM that was moved is still known of its old line.
    auto line = std::ranges::find_if(lines_, [&](const Line& one) {
        return one.view.link == ports::LinkState::active && has_it(one);
    });
    if (line == lines_.end()) {
        line = std::ranges::find_if(lines_, has_it);
    }
    if (line == lines_.end()) {
        return std::nullopt;
    }
    const ports::ModemIdentity& is = line->view.identity;
    return ports::SimInRack{.card = {.iccid = is.iccid, .imsi = is.imsi},
                            .group = line->view.group};
}

bool LineBoard::all_told() const {
    const std::lock_guard lock(mutex_);
    return std::ranges::none_of(lines_, [](const Line& one) {
        return one.view.identity.imsi.empty() && one.view.identity.iccid.empty();
    });
}

LineCounts LineBoard::counts(ModemId id) const {
    const Line& line = lines_[id.value];
    LineCounts counts{.accepted = line.accepted, .failed = line.failed, .received = line.received};
    std::ranges::copy(line.incidents, counts.incidents.begin());
    return counts;
}

void LineBoard::count_on(ModemId id, const LineCounts& counts) {
    Line& line = lines_[id.value];
    line.accepted += counts.accepted;
    line.failed += counts.failed;
    line.received += counts.received;
    for (std::size_t kind = 0; kind < ports::incident_count; ++kind) {
        line.incidents.at(kind) += counts.incidents.at(kind);
    }
}

ports::LineView LineBoard::shown(const Line& line) {
    ports::LineView view = line.view;
    if (line.quota != nullptr) {
        view.quota = line.quota->view();
    }
    view.pause = pause_of(view, line.quota);
    view.life = line.life;
    if (view.life == ports::LineLife::ready && view.pause && view.pause->reason == "cooling") {
        view.life = ports::LineLife::cooling;
    }
    view.busy = line.busy;
    view.busy_time = SteadyTime::duration(line.busy_time);
    if (view.busy) {
        view.busy_since = SteadyTime(SteadyTime::duration(line.busy_since));
    }
    view.in_flight = view.busy ? 1 : 0;
    view.accepted = line.accepted;
    view.failed = line.failed;
    view.received = line.received;
    std::ranges::copy(line.incidents, view.incidents.begin());
    return view;
}

std::vector<ports::LineView> LineBoard::lines() const {
    std::vector<ports::LineView> lines;
    const std::lock_guard lock(mutex_);
    std::ranges::transform(lines_, std::back_inserter(lines), shown);
    return lines;
}

}  // namespace smsrack::line
