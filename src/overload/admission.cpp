#include "src/overload/admission.hpp"

#include "src/overload/refusal.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::overload {
namespace {

using namespace std::chrono_literals;

constexpr auto lines_hold = 100ms;   // the lines are counted again so often at the most
constexpr auto look_again = 10s;     // where it is unknown when a line is back
constexpr double places_a_line = 3;  // of the send queue, and its hand: not overtaken
constexpr Seconds horizon_min{1};
constexpr Seconds horizon_max{30};
constexpr double horizons_a_probe = 8;  // within a level's horizon at the most

SteadyTime::duration ticks(Seconds seconds) {
    constexpr Seconds longest{86'400};
    return std::chrono::duration_cast<SteadyTime::duration>(std::min(seconds, longest));
}

/// Work at this level and above.
std::int64_t at_and_above(const ports::LevelCounts& work, Level level) {
    std::int64_t sum = 0;
    for (std::size_t l = level; l < level_count; ++l) {
        sum += work.at(l);
    }
    return sum;
}

}  // namespace

Admission::Admission(AdmissionSettings settings, const ports::Store& store,
                     ResponseModel& responses, LinesOf lines, const Clock& clock, WakeLines wake)
    : settings_(settings),
      store_(store),
      responses_(responses),
      lines_of_(std::move(lines)),
      clock_(clock),
      wake_(std::move(wake)) {}

void Admission::add_group(GroupId id, std::string name) {
    const std::lock_guard lock(mutex_);
    groups_.push_back({.id = id, .name = std::move(name)});
}

Admission::Group* Admission::find(std::string_view name) {
    const auto group = std::ranges::find(groups_, name, &Group::name);
    return group == groups_.end() ? nullptr : &*group;
}

void Admission::refresh(Group& group, SteadyTime now) {
    if (group.lines_at != SteadyTime::min() && now - group.lines_at < lines_hold) {
        return;
    }
    group.lines_at = now;
    group.called = false;
    group.lines = lines_of_(group.name);
    group.waking.assign(group.lines.waking.begin(), group.lines.waking.end());
    group.later = group.waking;
    group.later.insert(group.later.end(), group.lines.parked.begin(), group.lines.parked.end());
    std::ranges::sort(group.later);
    if (group.lines.able > 0) {
        group.no_line_since.reset();
    } else if (!group.no_line_since) {
        group.no_line_since = now;
    }
}

/// Short promises need short memories: else one slow burst would refuse for longer than it lasted.
Seconds Admission::horizon(Level level) const {
    return std::clamp(Seconds(settings_.t_max.at(level)), horizon_min, horizon_max);
}

void Admission::end_probe(Group& group, Level level, const ports::LevelCounts& work) {
    AtLevel& at = group.levels.at(level);
    if (!at.probe) {
        return;
    }
    const auto end = at.probe->ended(at_and_above(work, level), at.arrived, group.lines.able,
                                     responses_.last_served(group.id));
    if (!end) {
        return;
    }
    const Service service = responses_.service(group.id);
    responses_.responded(
        group.id, level,
        Seconds(*end - at.probe->came()) + (service.measured() ? service.mean : Seconds::zero()));
    at.probe.reset();
}

Standing Admission::standing(Group& group, Level level, SteadyTime now,
                             const ports::LevelCounts& work, double own) {
    Standing standing{
        .t_max = settings_.t_max.at(level),
        .t_recent = responses_.t_recent(group.id, level, horizon(level)),
        .ahead = static_cast<double>(at_and_above(work, level)),
        .own = own,
        // Where none can send now, nor soon, the work is timed for when they are back.
        .lines = static_cast<double>(
            group.lines.able > 0 || !group.later.empty() ? group.lines.able : group.lines.total),
        .later = group.later,
        .parked = !group.lines.parked.empty(),
        .service = responses_.service(group.id)};
    if (group.no_line_since) {
        standing.no_line = now - *group.no_line_since;
    }
    for (std::size_t l = level; l < level_count; ++l) {
        standing.ahead += static_cast<double>(group.levels.at(l).coming);
        standing.above += l > level ? group.levels.at(l).accepted.per_second(now) : 0;
    }
    double lower = 0;
    for (std::size_t l = 0; l < level; ++l) {
        lower += static_cast<double>(work.at(l));
    }
    standing.below = std::min(lower, places_a_line * standing.lines);
    const double places = sent_within(standing, standing.t_max);
    for (std::size_t l = level; l < level_count; ++l) {
        standing.held += group.levels.at(l).promises.held(places);
    }
    if (const auto& probe = group.levels.at(level).probe) {  // it takes this long at least
        standing.t_recent =
            std::max(standing.t_recent.value_or(Seconds::zero()), Seconds(now - probe->came()));
    }
    return standing;
}

/// What it would be if no more lines were let in.
Standing Admission::without_parked(const Group& group, Standing standing) {
    standing.later = group.waking;
    standing.parked = false;
    return standing;
}

/// Once for each time that the lines are counted. `open`: without those that are parked.
void Admission::call_lines(Group& group, Level level, const Standing& open) {
    if (wake_ && !group.lines.parked.empty() && !group.lines.paused && !group.called &&
        !has_lines_enough(open)) {
        group.called = true;
        group.levels.at(level).calls = true;
        wake_();
    }
}

bool Admission::wants_probe(const Group& group, Level level, SteadyTime now) const {
    if (group.levels.at(level).probe) {
        return false;
    }
    const auto last = responses_.last_response(group.id, level);
    return !last || now - *last >= ticks(horizon(level) / horizons_a_probe);
}

SteadyTime::duration Admission::until_better(const Group& group, Level level,
                                             const Standing& standing,
                                             const Judgement& judgement) const {
    switch (judgement.why) {
        case Why::no_line:
            return group.lines.until ? std::max<SteadyTime::duration>(
                                           *group.lines.until - clock_.wall(), look_again)
                                     : look_again;
        case Why::slow: {
            // What waits already will be as slow, and its samples fade after that.
            const Seconds then = judgement.t_ahead > Seconds::zero()
                                     ? judgement.t_ahead + horizon(level)
                                     : Seconds(standing.own / std::max(rate_left(standing), 1e-6));
            return ticks(std::max(
                then, responses_.back_under(group.id, level, horizon(level), standing.t_max)));
        }
        case Why::work_ahead:
        case Why::accepted:
            break;
    }
    return ticks(judgement.back);
}

SteadyTime Admission::come_back(Group& group, const Request& request, SteadyTime now,
                                const Standing& standing, const Judgement& judgement) {
    Promises& promises = group.levels.at(request.level).promises;
    Standing without = standing;  // expected messages are counted by the promises themselves
    without.held = 0;
    Judgement alone = judge(without);
    alone.why = judgement.why;
    const SteadyTime from = now + until_better(group, request.level, standing, alone);
    return promises.give(request.who, from, std::max(rate_left(standing), 1e-6), standing.own);
}

Answer Admission::ask(const Request& request) {
    const SteadyTime now = clock_.steady();
    const std::lock_guard lock(mutex_);
    Group* const group = find(request.group);
    if (group == nullptr) {
        return {};
    }
    const Level level = request.level;
    AtLevel& at = group->levels.at(level);
    const ports::LevelCounts work = store_.work(group->id);
    refresh(*group, now);
    end_probe(*group, level, work);
    for (std::size_t l = level; l < level_count; ++l) {
        group->levels.at(l).promises.advance(now);
    }
    Standing there = standing(*group, level, now, work, request.segments);
    const auto promise = at.promises.find(request.who);
    if (promise && promise->expected) {
        there.held = 0;
        there.doubt_factor = one_sided_90;
    }
    const Judgement judgement = judge(there);
    Answer answer{.ticket = {.group = static_cast<std::size_t>(group - groups_.data()),
                             .level = level,
                             .segments = request.segments,
                             .came = now}};
    const bool accepted = judgement.accept() || !protects(*group);
    at.coming += accepted ? request.segments : 0;
    const Standing open = without_parked(*group, there);
    call_lines(*group, level, open);
    if (accepted) {
        at.promises.kept(request.who);
        if (there.service.measured() && group->lines.able > 0 && !group->lines.paused) {
            answer.expected = std::chrono::ceil<std::chrono::milliseconds>(
                expected(group->called ? there : open));
        }
        return answer;
    }
    refused_ += promise ? 0 : 1;
    SteadyTime due = promise ? promise->due : SteadyTime{};
    if (!promise || promise->expected) {
        at.promises.broken(request.who);
        due = come_back(*group, request, now, there, judgement);
    }
    answer.refusal =
        refusal(group->name, level, there, judgement,
                std::max(std::chrono::ceil<std::chrono::milliseconds>(due - now), 1ms));
    answer.probe = wants_probe(*group, level, now);
    return answer;
}

void Admission::settled(const Ticket& ticket, bool kept) {
    if (ticket.segments == 0) {
        return;
    }
    const SteadyTime now = clock_.steady();
    const std::lock_guard lock(mutex_);
    AtLevel& at = groups_.at(ticket.group).levels.at(ticket.level);
    at.coming -= ticket.segments;
    if (kept) {
        at.arrived += ticket.segments;
        at.accepted.add(now, ticket.segments);
    }
}

void Admission::probed(const Ticket& ticket) {
    const SteadyTime now = clock_.steady();
    const std::lock_guard lock(mutex_);
    AtLevel& at = groups_.at(ticket.group).levels.at(ticket.level);
    if (!at.probe) {
        at.probe.emplace(ticket.came, now, at.arrived);
    }
}

std::optional<Error> Admission::look(const Request& request) {
    const SteadyTime now = clock_.steady();
    const std::lock_guard lock(mutex_);
    Group* const group = find(request.group);
    if (group == nullptr || !settings_.protect) {
        return std::nullopt;
    }
    refresh(*group, now);
    const Standing there =
        standing(*group, request.level, now, store_.work(group->id), request.segments);
    const Judgement judgement = judge(there);
    if (judgement.accept() || !protects(*group)) {
        return std::nullopt;
    }
    return refusal(group->name, request.level, there, judgement,
                   std::chrono::ceil<std::chrono::milliseconds>(
                       until_better(*group, request.level, there, judgement)));
}

std::size_t Admission::lines_needed(Group& group, SteadyTime now) {
    refresh(group, now);
    if (group.lines.paused) {
        return 0;
    }
    std::vector<Seconds> later = group.waking;
    later.insert(later.end(), group.lines.parked.begin(), group.lines.parked.end());
    const ports::LevelCounts work = store_.work(group.id);
    std::size_t lines = 0;
    for (Level level = 0; level < level_count; ++level) {
        AtLevel& at = group.levels.at(level);
        const bool is_asked = std::exchange(at.calls, false) || at.coming > 0;
        if (work.at(level) == 0 && !is_asked) {
            continue;  // nothing of it waits, so nothing has to be in time
        }
        lines = std::max(lines, overload::lines_needed(standing(group, level, now, work, 1),
                                                       group.lines.able, later));
    }
    return lines;
}

std::vector<LinesNeeded> Admission::lines_needed() {
    const SteadyTime now = clock_.steady();
    const std::lock_guard lock(mutex_);
    std::vector<LinesNeeded> all;
    for (Group& group : groups_) {
        if (const std::size_t lines = lines_needed(group, now); lines > 0) {
            all.push_back({.group = group.name, .lines = lines});
        }
    }
    return all;
}

std::uint64_t Admission::refused() const {
    const std::lock_guard lock(mutex_);
    return refused_;
}

ports::GroupLoad Admission::load_of(Group& group, SteadyTime now) {
    refresh(group, now);
    const ports::LevelCounts work = store_.work(group.id);
    ports::GroupLoad load{.name = group.name, .lines = group.lines};
    for (Level level = 0; level < level_count; ++level) {
        const Standing there = standing(group, level, now, work, 1);
        ports::LevelLoad& at = load.levels.at(level);
        at.ahead = static_cast<std::int64_t>(there.ahead);
        if (there.t_recent) {
            at.t_recent_ms = std::chrono::ceil<std::chrono::milliseconds>(*there.t_recent).count();
        }
        if (there.service.measured() && group.lines.able > 0 && !group.lines.paused) {
            load.rate = there.lines / there.service.mean.count();
            const Standing open = without_parked(group, there);
            at.expected_ms = std::chrono::ceil<std::chrono::milliseconds>(
                                 expected(has_lines_enough(open) ? open : there))
                                 .count();
        }
        at.refuses = protects(group) && !judge(there).accept();
    }
    return load;
}

std::vector<ports::GroupLoad> Admission::loads() {
    const SteadyTime now = clock_.steady();
    const std::lock_guard lock(mutex_);
    std::vector<ports::GroupLoad> loads;
    for (Group& group : groups_) {
        loads.push_back(load_of(group, now));
    }
    return loads;
}

std::optional<ports::GroupLoad> Admission::load(std::string_view name) {
    const std::lock_guard lock(mutex_);
    Group* const group = find(name);
    return group == nullptr ? std::nullopt : std::optional(load_of(*group, clock_.steady()));
}

}  // namespace smsrack::overload
