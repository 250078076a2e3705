#include "src/line/line_board.hpp"

#include "src/base/time_text.hpp"
#include "src/line/time_to_ready.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::line {

ModemId LineBoard::add(std::string name, std::string port, std::string group) {
    const std::lock_guard lock(mutex_);
    const ModemId id{static_cast<std::uint16_t>(gauges_.size())};
    gauges_.emplace_back();
    names_.push_back(name);
    dialogues_.push_back(nullptr);
    quotas_.push_back(nullptr);
    views_.push_back({.name = std::move(name),
                      .port = std::move(port),
                      .group = std::move(group),
                      .reason = "starting"});
    return id;
}

void LineBoard::identified(ModemId line, const ports::ModemIdentity& identity) {
    const std::lock_guard lock(mutex_);
    ports::LineView& view = views_[line.value];
    view.identity = identity;
    if (!identity.operator_name.empty()) {
        view.operator_name = identity.operator_name;
    }
}

void LineBoard::ready(ModemId line) {
    const std::lock_guard lock(mutex_);
    ports::LineView& view = views_[line.value];
    view.link = ports::LinkState::active;
    view.reason.clear();
    view.detail.clear();
    view.listens_at.reset();
    view.waking_since.reset();
}

void LineBoard::not_ready(ModemId line, ports::LinkState link, std::string reason,
                          std::string detail) {
    const std::lock_guard lock(mutex_);
    ports::LineView& view = views_[line.value];
    view.link = link;
    view.reason = std::move(reason);
    view.detail = std::move(detail);
    view.listens_at.reset();
}

void LineBoard::asleep(ModemId line, WallTime listens_at) {
    const std::lock_guard lock(mutex_);
    ports::LineView& view = views_[line.value];
    view.link = ports::LinkState::pending;
    view.reason = "asleep";
    view.detail = "parked, and its radio is off; it listens at " + time_text(listens_at);
    view.listens_at = listens_at;
    view.waking_since.reset();
}

void LineBoard::waking(ModemId line, SteadyTime since) {
    const std::lock_guard lock(mutex_);
    views_[line.value].waking_since = since;
}

void LineBoard::woke(ModemId line, std::chrono::nanoseconds took) {
    const std::lock_guard lock(mutex_);
    views_[line.value].woke_in = took;
}

bool LineBoard::is_active(ModemId line) const {
    const std::lock_guard lock(mutex_);
    return views_[line.value].link == ports::LinkState::active;
}

void LineBoard::stop(ModemId line) {
    const std::lock_guard lock(mutex_);
    views_[line.value].link = ports::LinkState::stop;
}

void LineBoard::vitals(ModemId line, const ports::ModemVitals& vitals) {
    const std::lock_guard lock(mutex_);
    ports::LineView& view = views_[line.value];
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
    views_[line.value].sim_used = used;
    views_[line.value].sim_total = total;
}

std::optional<std::string> LineBoard::dialogue(const std::string& name) const {
    constexpr std::size_t octets_max = std::size_t{64} * 1024;  // whatever a recorder holds
    const auto line = std::ranges::find(names_, name);
    if (line == names_.end()) {
        return std::nullopt;
    }
    const auto* const dialogue = dialogues_[static_cast<std::size_t>(line - names_.begin())];
    return dialogue == nullptr ? std::string() : dialogue->text(WallTime::min(), octets_max);
}

void LineBoard::busy(ModemId line, bool busy, SteadyTime now) {
    Gauge& gauge = gauges_[line.value];
    const SteadyTime::rep ticks = now.time_since_epoch().count();
    if (gauge.busy.exchange(busy, std::memory_order_relaxed)) {
        gauge.busy_time.fetch_add(ticks - gauge.busy_since.load(std::memory_order_relaxed),
                                  std::memory_order_relaxed);
    }
    gauge.busy_since.store(ticks, std::memory_order_relaxed);
}

void LineBoard::gate(ModemId line, ports::LineGate gate, bool holds) {
    const std::lock_guard lock(mutex_);
    ports::LineView& view = views_[line.value];
    view.manual =
        gate == ports::LineGate::open ? ports::ManualState::open : ports::ManualState::blocked;
    view.parked = gate == ports::LineGate::parked;
    view.drained = gate != ports::LineGate::open && !holds;
}

void LineBoard::pause(ModemId line, std::optional<ports::LinePause> pause) {
    const std::lock_guard lock(mutex_);
    views_[line.value].pause = std::move(pause);
}

/// The pause that ends first; one without an end is as good as none to wait for.
std::optional<ports::LinePause> LineBoard::group_pause(const std::string& group,
                                                       std::uint32_t segments,
                                                       const std::string& to) const {
    ports::LinePause shortest{.reason = "no_line"};
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < views_.size(); ++i) {
        const ports::LineView& view = views_[i];
        if (view.group != group || view.link != ports::LinkState::active ||
            view.manual != ports::ManualState::open) {
            continue;
        }
        std::optional<ports::LinePause> pause = view.pause;
        if (quotas_[i] != nullptr) {
            const auto wait = quotas_[i]->wait(segments, recipient_hash(to));
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
    for (std::size_t i = 0; i < views_.size(); ++i) {
        const ports::LineView& view = views_[i];
        if (view.group != group) {
            continue;
        }
        ++lines.total;
        const std::optional<ports::LinePause> pause = pause_of(view, quotas_[i]);
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
            add_quota_left(lines, quotas_[i]);
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
    return static_cast<std::size_t>(
        std::ranges::count_if(views_, [now](const ports::LineView& view) {
            return view.manual == ports::ManualState::open &&
                   (view.link == ports::LinkState::active || is_waking(view, now));
        }));
}

std::string LineBoard::own_number(ModemId line) const {
    const std::lock_guard lock(mutex_);
    return views_[line.value].identity.number;
}

LineCounts LineBoard::counts(ModemId line) const {
    const Gauge& gauge = gauges_[line.value];
    LineCounts counts{.accepted = gauge.accepted.load(std::memory_order_relaxed),
                      .failed = gauge.failed.load(std::memory_order_relaxed),
                      .received = gauge.received.load(std::memory_order_relaxed)};
    for (std::size_t kind = 0; kind < ports::incident_count; ++kind) {
        counts.incidents.at(kind) = gauge.incidents.at(kind).load(std::memory_order_relaxed);
    }
    return counts;
}

void LineBoard::count_on(ModemId line, const LineCounts& counts) {
    Gauge& gauge = gauges_[line.value];
    gauge.accepted += counts.accepted;
    gauge.failed += counts.failed;
    gauge.received += counts.received;
    for (std::size_t kind = 0; kind < ports::incident_count; ++kind) {
        gauge.incidents.at(kind) += counts.incidents.at(kind);
    }
}

std::vector<ports::LineView> LineBoard::lines() const {
    std::vector<ports::LineView> lines;
    {
        const std::lock_guard lock(mutex_);
        lines = views_;
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (quotas_[i] != nullptr) {
            lines[i].quota = quotas_[i]->view();
            if (!lines[i].pause && lines[i].quota->pause) {
                lines[i].pause = {.reason = "quota", .until = lines[i].quota->pause->until};
            }
        }
        if (lines[i].pause && lines[i].pause->reason == "cooling" &&
            lines[i].life == ports::LineLife::ready) {
            lines[i].life = ports::LineLife::cooling;
        }
        const Gauge& gauge = gauges_[i];
        lines[i].busy = gauge.busy.load(std::memory_order_relaxed);
        lines[i].busy_time = SteadyTime::duration(gauge.busy_time.load(std::memory_order_relaxed));
        if (lines[i].busy) {
            lines[i].busy_since =
                SteadyTime(SteadyTime::duration(gauge.busy_since.load(std::memory_order_relaxed)));
        }
        lines[i].in_flight = lines[i].busy ? 1 : 0;
        lines[i].life = gauge.life.load(std::memory_order_relaxed);
        if (lines[i].life == ports::LineLife::ready && lines[i].pause &&
            lines[i].pause->reason == "cooling") {
            lines[i].life = ports::LineLife::cooling;
        }
        for (std::size_t kind = 0; kind < ports::incident_count; ++kind) {
            lines[i].incidents.at(kind) = gauge.incidents.at(kind).load(std::memory_order_relaxed);
        }
        lines[i].accepted = gauge.accepted.load(std::memory_order_relaxed);
        lines[i].failed = gauge.failed.load(std::memory_order_relaxed);
        lines[i].received = gauge.received.load(std::memory_order_relaxed);
    }
    return lines;
}

}  // namespace smsrack::line
