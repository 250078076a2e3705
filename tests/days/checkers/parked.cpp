#include "tests/days/checkers/checkers.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace smsrack::days {
namespace {

using namespace std::chrono_literals;
using Seconds = std::chrono::duration<double>;

/// The rule of the service leaves room for chance; a refusal is wrong where there would be time for twice the work.
constexpr double to_spare = 2;
/// Places are kept for refused clients: only the first refusal for a while is looked at. And what
/// came above takes its share.
constexpr auto none_refused = 10min;
constexpr auto none_above = 60s;
/// The rate is measured from the submits of five minutes, and no fault was in them.
constexpr auto measured_within = 4min;
constexpr std::size_t measured_by = 32;
constexpr double slowest = 3;  // times what the modems take
/// Before anything was measured how long a radio needs.
constexpr Seconds radio_ready = 30s;
constexpr Seconds gate_ready = 1s;
/// The work ahead takes more than was promised, on the lines that are open, for this long.
constexpr auto woken_within = 5s;

/// nullopt if it is not parked, or not fine.
std::optional<Seconds> ready_in(const ports::LineView& line) {
    if (!line.parked || line.pause) {
        return std::nullopt;
    }
    if (line.link == ports::LinkState::active) {
        return gate_ready;
    }
    if (line.listens_at) {
        return line.woke_in ? Seconds(*line.woke_in) : radio_ready;
    }
    return std::nullopt;
}

struct Lines {
    double open = 0;  // that can send, or are being switched on for that
    double parked = 0;
    Seconds ready{0};  // when all of them are
    std::string one = {};
};

Lines lines_of(const test::World& world) {
    Lines lines;
    for (const ports::LineView& line : world.rack().lines()) {
        const bool is_open = line.manual == ports::ManualState::open && !line.pause;
        lines.open +=
            is_open && (line.link == ports::LinkState::active || line.waking_since) ? 1 : 0;
        if (const auto ready = ready_in(line)) {
            ++lines.parked;
            lines.ready = std::max(lines.ready, *ready);
            lines.one = line.name;
        }
    }
    return lines;
}

class Parked final : public Checker {
public:
    explicit Parked(const RackRules& rules) : rules_(rules) {}
    [[nodiscard]] std::string_view name() const override { return "parked"; }

    void disturbed(SteadyTime until) override { undisturbed_ = std::max(undisturbed_, until); }

    void accepted(const Told& told) override {
        if (std::ranges::find(ended_, told.id) == ended_.end()) {
            waiting_[told.id] = {.level = told.level, .segments = told.segments, .told = true};
        }
        accepted_at_.at(told.level) = now_;
    }

    /// One whose acceptance was not heard, or that is a trigger's, may be of any level and length.
    void event(const Event& event) override {
        if (event.type != EventType::message_state) {
            return;
        }
        const bool waits =
            event.state == MessageState::queued || event.state == MessageState::sending;
        if (waits) {
            waiting_.try_emplace(event.message,
                                 Waiting{.level = level_max, .segments = most_segments});
        } else if (waiting_.erase(event.message) > 0) {
            ended_.push_back(event.message);
            if (ended_.size() > ended_most) {
                ended_.pop_front();
            }
        }
    }

    void at_network(const test::Submitted& submit) override { submits_.push_back(submit.at); }

    /// Looked at when the turn is over, before anything else can happen.
    void refused(const std::string& to, Level level) override {
        if (now_ - refused_at_ > none_refused) {
            refusal_ = Refusal{.to = to, .level = level};
        }
        refused_at_ = now_;
    }

    void turn(test::World& world) override {
        if (const auto refusal = std::exchange(refusal_, std::nullopt)) {
            look_at(*refusal, world);
        }
        now_ = world.clock.steady();
        while (!submits_.empty() && now_ - submits_.front() > measured_within) {
            submits_.pop_front();
        }
        if (now_ < undisturbed_ || now_ < look_at_) {
            short_since_ = now_ < undisturbed_ ? never : short_since_;
            return;
        }
        look_at_ = now_ + 200ms;
        const Lines lines = lines_of(world);
        const auto level = lines.parked > 0 ? level_in_danger(lines) : std::nullopt;
        if (!level) {
            short_since_ = never;
            return;
        }
        short_since_ = std::min(short_since_, now_);
        if (now_ - short_since_ > woken_within) {
            throw Violation(
                "parked",
                fmt::format("{} messages of level {} and above wait for {} lines while {} more are "
                            "parked: they can't be sent within the promised {} s",
                            work_at(*level, true), *level, lines.open, lines.parked,
                            Seconds(rules_.promised.at(*level)).count()),
                {lines.one});
        }
    }

    void restarted(test::World&) override {
        submits_.clear();
        refused_at_ = now_;
        short_since_ = never;
    }

private:
    static constexpr std::uint8_t most_segments = 8;
    static constexpr std::size_t ended_most = 64;
    struct Waiting {
        Level level = 0;
        std::uint8_t segments = 1;
        bool told = false;
    };

    struct Refusal {
        std::string to = {};
        Level level = 0;
    };

    void look_at(const Refusal& refusal, test::World& world) const {
        const Level level = refusal.level;
        if (now_ < undisturbed_ || was_any_above(level) || submits_.size() < measured_by) {
            return;
        }
        const ports::GroupLoad group = world.rack().status().groups.at(0);
        const Lines lines = lines_of(world);
        if (!group.rate || group.lines.able == 0 || lines.parked == 0) {
            return;
        }
        const double service = group.lines.able / *group.rate;
        if (service > slowest * Seconds(rules_.service).count()) {
            return;
        }
        // Of what is not committed yet only the rack knows.
        const double work =
            1 + std::max(work_at(level, false), static_cast<double>(group.levels.at(level).ahead));
        const Seconds takes =
            lines.ready + to_spare * Seconds(work * service / (lines.open + lines.parked));
        if (takes <= rules_.promised.at(level)) {
            throw Violation(
                "parked",
                fmt::format("a message of level {} for {} is refused while {} of {} lines are "
                            "parked: {} segments are ahead, at {:.2f} s for each",
                            level, refusal.to, lines.parked, lines.open + lines.parked, work,
                            service),
                {refusal.to, lines.one});
        }
    }

    [[nodiscard]] bool was_any_above(Level level) const {
        return std::any_of(accepted_at_.begin() + level + 1, accepted_at_.end(),
                           [this](SteadyTime at) { return now_ - at < none_above; });
    }

    /// Segments that may be ahead; or, `surely`, messages of which at least one segment is.
    [[nodiscard]] double work_at(Level level, bool surely) const {
        double work = 0;
        for (const auto& [id, waiting] : waiting_) {
            if (waiting.level >= level && (waiting.told || !surely)) {
                work += surely ? 1 : waiting.segments;
            }
        }
        return work;
    }

    [[nodiscard]] std::optional<Level> level_in_danger(const Lines& lines) const {
        std::array<double, level_count> work{};
        for (const auto& [id, waiting] : waiting_) {
            work.at(waiting.level) += waiting.told ? 1 : 0;
        }
        double above = 0;
        for (Level level = level_count; level-- > 0;) {
            above += work.at(level);
            if (above * Seconds(rules_.service) / std::max(lines.open, 1.0) >
                rules_.promised.at(level)) {
                return level;
            }
        }
        return std::nullopt;
    }

    const RackRules rules_;
    SteadyTime now_ = {};
    SteadyTime undisturbed_ = {};
    SteadyTime look_at_ = {};
    SteadyTime short_since_ = never;
    SteadyTime refused_at_ = {};
    std::optional<Refusal> refusal_ = {};
    std::array<SteadyTime, level_count> accepted_at_ = {};
    std::deque<SteadyTime> submits_;
    std::map<MessageId, Waiting> waiting_;  // not yet with the network
    std::deque<MessageId> ended_;           // recent: their acceptance may be heard after that
};

}  // namespace

std::unique_ptr<Checker> parked(const RackRules& rules) {
    return std::make_unique<Parked>(rules);
}

}  // namespace smsrack::days
