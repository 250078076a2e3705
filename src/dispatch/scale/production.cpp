#include "src/dispatch/scale/production.hpp"

#include "src/line/time_to_ready.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::dispatch {
namespace {

using namespace std::chrono_literals;
using ports::LineView;

// through the dispatch thread: until then the board may not show it
constexpr auto order_takes = 2s;

/// One that was let in and whose radio is being switched on counts, unless that takes too long.
bool is_up(const LineView& line, SteadyTime now) {
    return line.manual == ports::ManualState::open &&
           (line.link == ports::LinkState::active || line::is_waking(line, now));
}

}  // namespace

void Production::note_orders(Lines& lines) const {
    const SteadyTime now = clock_.steady();
    for (std::size_t i = 0; i < std::min(lines.size(), seen_.size()); ++i) {
        if (lines[i].parked && seen_[i].let_in_at && now - *seen_[i].let_in_at < order_takes) {
            lines[i].parked = false;
            lines[i].manual = ports::ManualState::open;
        }
    }
}

void Production::ordered(std::size_t line, bool in) {
    seen_.resize(std::max(seen_.size(), line + 1));
    seen_[line].let_in_at = in ? std::optional(clock_.steady()) : std::nullopt;
}

/// One that rests for longer than until the next sample (its quota is spent, the network refuses) is as good as crashed, and so is one whose
/// modem does not answer a submit: what it can't take now would wait until it is given up, although lines are parked.
bool Production::has(const LineView& line) const {
    const SteadyTime now = clock_.steady();
    const bool rests =
        line.pause && (!line.pause->until || *line.pause->until - clock_.wall() > settings_.period);
    const bool stuck = line.busy_since && now - *line.busy_since > settings_.slow_after;
    return is_up(line, now) && !rests && !stuck;
}

std::size_t Production::count(const Lines& lines) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(lines, [this](const LineView& line) { return has(line); }));
}

std::size_t Production::count(const Lines& lines, std::string_view group) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        lines, [&](const LineView& line) { return line.group == group && has(line); }));
}

Production::Counted Production::look(const Lines& lines, double seconds) {
    const SteadyTime now = clock_.steady();
    Counted counted;
    double shares = 0;
    seen_.resize(std::max(seen_.size(), lines.size()));
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const LineView& line = lines[i];
        Seen& seen = seen_[i];
        auto busy = line.busy_time;
        if (line.busy_since && now > *line.busy_since) {
            busy += now - *line.busy_since;
        }
        const double worked =
            std::chrono::duration<double>(busy - std::exchange(seen.busy, busy)).count();
        counted.busy += std::max(worked, 0.0);
        seen.share = seconds > 0 ? std::clamp(worked / seconds, 0.0, 1.0) : 0;
        const bool up = has(line);
        if (up) {
            ++counted.lines;
            shares += seen.share;
        }
        const bool was_up = std::exchange(seen.up, up);
        const bool lost = was_up && !up && line.manual == ports::ManualState::open;
        counted.crashed += lost ? 1 : 0;
    }
    counted.cpu = counted.lines > 0 ? shares / counted.lines : 0;
    return counted;
}

std::optional<std::size_t> Production::to_unpark(const Lines& lines) const {
    const auto need = [&](std::size_t line) {
        double busy = 0;
        double open = 0;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (lines[i].group == lines[line].group && has(lines[i])) {
                busy += seen_[i].share;
                ++open;
            }
        }
        const double registered = lines[line].link == ports::LinkState::active ? 2 : 0;
        const double rests = lines[line].pause ? 4 : 0;  // rather than none
        return registered - rests + (open > 0 ? busy / open : 1.5);
    };
    std::optional<std::size_t> chosen;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].parked && (!chosen || need(i) > need(*chosen))) {
            chosen = i;
        }
    }
    return chosen;
}

std::optional<std::size_t> Production::to_wake(const Lines& lines, std::string_view group) const {
    const SteadyTime now = clock_.steady();
    std::optional<std::size_t> chosen;
    std::chrono::nanoseconds soonest{0};
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (!lines[i].parked || lines[i].group != group || lines[i].pause) {
            continue;
        }
        const auto ready = line::time_to_ready(lines[i], now);
        if (ready && (!chosen || *ready < soonest)) {
            chosen = i;
            soonest = *ready;
        }
    }
    return chosen;
}

}  // namespace smsrack::dispatch
