#include "tests/days/checkers/checkers.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>

namespace smsrack::days {
namespace {

using namespace std::chrono_literals;

/// From a line's choice to the attempt in the store, and from acceptance to the send queue.
constexpr auto slack = 250ms;

/// This many in a row may come out of turn: what eight lines were given before, and begin when they
/// can.
constexpr unsigned out_of_turn = 16;
/// A modem erases this slowly at most (trouble.cpp), once before a submit.
constexpr auto reading_max = 30s + slack;
/// At the top every 8th is one of the promoted, as the design has it.
constexpr unsigned turns = 8;

/// The place of a message that waits since `turn.since`, as the design has it (5. priorities).
/// Written a second time here, so that the service is not compared with itself.
struct Place {
    int level = 0;
    bool promoted = false;
    WallTime entered = {};

    Place(const AgeingRules& rules, const Turn& turn, WallTime now) : level(turn.first) {
        auto waited = std::chrono::milliseconds(0);
        while (rules.on && level < level_max) {
            const auto all = waited + rules.max_wait.at(static_cast<std::size_t>(level));
            if (turn.since + all >= now) {
                break;
            }
            waited = all;
            ++level;
        }
        promoted = level == level_max && turn.first != level_max;
        entered = turn.since + waited;
    }

    [[nodiscard]] bool like(const Place& other) const {
        return level == other.level && promoted == other.promoted;
    }
    [[nodiscard]] bool goes_before(const Place& other) const {
        if (like(other)) {
            return entered < other.entered;
        }
        return level != other.level ? level > other.level : other.promoted;
    }
};

class Order final : public Checker {
public:
    explicit Order(const RackRules& rules) : ageing_(rules.ageing) {}
    [[nodiscard]] std::string_view name() const override { return "order"; }

    /// What waits now is not judged any more, nor which message is taken again, and when.
    void disturbed(SteadyTime until) override {
        undisturbed_ = std::max(undisturbed_, until);
        for (auto& level : waiting_) {
            level.clear();
        }
        for (const auto& [message, waits] : levels_) {
            forgotten_[message] = waits.first;
        }
        levels_.clear();
        suspected_.clear();
        waits_of_.clear();
        to_.clear();
        own_in_a_row_ = 0;
        promoted_in_a_row_ = 0;
    }

    void accepted(const Told& told) override {
        if (begun_early_.erase(told.id)) {
            return;
        }
        if (now_ < undisturbed_) {
            forgotten_[told.id] = told.level;
        } else {
            waiting_.at(told.level).insert({told.at, told.id});
            levels_[told.id] = {told.level, told.at};
            waits_of_[{told.to, told.level}].insert({told.at, told.id});
            to_[told.id] = told.to;
        }
    }

    void turn(test::World& world) override { now_ = world.clock.steady(); }

    void came_in(const test::InboundStep& step) override {
        using What = test::InboundStep::What;
        if (step.what == What::erased || step.what == What::acknowledged) {
            emptied_[fmt::format("m{}", step.modem)] = now_;
        }
    }

    void event(const Event& event) override {
        if (event.type != EventType::message_state || event.state == MessageState::queued) {
            return;
        }
        const auto known = levels_.find(event.message);
        const SteadyTime line_began_at = line_began_[event.modem];
        if (event.state == MessageState::sending) {
            line_began_[event.modem] = now_;
        }
        if (known == levels_.end()) {
            if (event.state == MessageState::sending && event.attempt == 1) {
                begun_unknown(event.message);
            }
            forgotten_.erase(event.message);
            return;
        }
        const Turn turn{
            .first = known->second.first, .since = known->second.second, .id = event.message};
        levels_.erase(known);
        waiting_.at(turn.first).erase({turn.since, turn.id});
        const std::optional<Turn> overtaken = leaves_its_recipient(turn);
        if (event.state != MessageState::sending) {
            suspected_.erase(event.message);
            return;
        }
        judge(turn, event, line_began_at);
        if (now_ >= undisturbed_) {
            if (overtaken && turn.since - overtaken->since > slack) {
                suspected_.try_emplace(overtaken->id, Suspicion{turn, event.at, now_});
            }
            suspect(turn, event.at);
            count_turns(turn, event.at);
        }
    }

    void settled(test::World&) override {
        begun_early_.clear();
        forgotten_.clear();
    }

private:
    struct Suspicion {
        Turn taken;  // in its place
        WallTime at = {};
        SteadyTime seen = {};
    };

    /// Before its acceptance was answered; or it was accepted before a disturbance. What is known of
    /// that one is its first level: below the top it may be one of the promoted.
    void begun_unknown(MessageId message) {
        const auto forgotten = forgotten_.find(message);
        if (forgotten == forgotten_.end()) {
            begun_early_.insert(message);
        } else if (forgotten->second == level_max) {
            promoted_in_a_row_ = 0;
        } else {
            own_in_a_row_ = 0;
        }
    }

    /// It begins now: was another one begun in its place, long before? Not where its line had it by
    /// then and read its inbox first, as it must. `line_began_at`: its message before.
    void judge(const Turn& turn, const Event& begun, SteadyTime line_began_at) {
        const auto found = suspected_.find(turn.id);
        if (found == suspected_.end()) {
            return;
        }
        const Suspicion suspicion = found->second;
        suspected_.erase(found);
        const auto emptied = emptied_.find(begun.modem);
        const bool had_it = line_began_at < suspicion.seen;
        const bool read_until_now = emptied != emptied_.end() &&
                                    emptied->second >= suspicion.seen &&
                                    now_ - emptied->second <= slack;
        const auto late = begun.at - suspicion.at;
        const bool read_first = had_it && read_until_now && late <= reading_max;
        if (late > slack && !read_first) {
            throw Violation("order",
                            fmt::format("message {} (level {}) was begun {} ms before message {} "
                                        "(level {}), which was before it",
                                        suspicion.taken.id.value, suspicion.taken.first,
                                        late.count(), turn.id.value, turn.first),
                            {fmt::format("message {}", suspicion.taken.id.value),
                             fmt::format("message {}", turn.id.value)});
        }
    }

    /// The one of its level to the same recipient that waits for longer, if any.
    std::optional<Turn> leaves_its_recipient(const Turn& turn) {
        const auto to = to_.extract(turn.id);
        const auto waits = waits_of_.find({to.mapped(), turn.first});
        waits->second.erase({turn.since, turn.id});
        std::optional<Turn> older;
        if (waits->second.empty()) {
            waits_of_.erase(waits);
        } else if (const auto& [since, id] = *waits->second.begin();
                   std::pair(since, id) < std::pair(turn.since, turn.id)) {
            older = Turn{.first = turn.first, .since = since, .id = id};
        }
        return older;
    }

    /// At the top its own messages and the promoted take turns: neither lane stops while the other
    /// one continues.
    void count_turns(const Turn& taken, WallTime at) {
        const auto stands = [&](std::size_t level, WallTime when) {
            const auto& waits = waiting_.at(level);
            return !waits.empty() &&
                   Place(ageing_,
                         {.first = static_cast<Level>(level), .since = waits.begin()->first}, when)
                       .promoted;
        };
        bool promoted_wait = false;
        for (std::size_t level = 0; level < level_count - 1; ++level) {
            promoted_wait = promoted_wait || (stands(level, at) && stands(level, at - slack));
        }
        const auto& own = waiting_.at(level_count - 1);
        const bool own_wait = !own.empty() && own.begin()->first + slack < at;
        const bool is_own = taken.first == level_max;
        const bool is_promoted = Place(ageing_, taken, at).promoted;
        own_in_a_row_ = !promoted_wait || is_promoted ? 0 : own_in_a_row_ + (is_own ? 1U : 0U);
        promoted_in_a_row_ = !own_wait || is_own ? 0 : promoted_in_a_row_ + (is_promoted ? 1U : 0U);
        if (own_in_a_row_ > turns + out_of_turn || promoted_in_a_row_ > 1 + out_of_turn) {
            throw Violation("order",
                            fmt::format("{} messages were begun in a row at the top, {}",
                                        std::max(own_in_a_row_, promoted_in_a_row_),
                                        is_own ? "while a promoted one waited"
                                               : "all promoted, while one of its own waited"),
                            {fmt::format("message {}", taken.id.value)});
        }
    }

    /// Of each first level only the oldest can stand before all others (src/sms/ageing).
    void suspect(const Turn& taken, WallTime at) {
        for (std::size_t level = 0; level < level_count; ++level) {
            if (waiting_.at(level).empty()) {
                continue;
            }
            const auto& [since, id] = *waiting_.at(level).begin();
            const Turn waits{.first = static_cast<Level>(level), .since = since, .id = id};
            const bool had_its_turn =
                Place(ageing_, taken, at).promoted && waits.first == level_max;
            if (since + slack < at && !had_its_turn && stood_before(waits, taken, at) &&
                stood_before(waits, taken, at - slack)) {
                suspected_.try_emplace(id, Suspicion{taken, at, now_});
            }
        }
    }

    [[nodiscard]] bool stood_before(const Turn& a, const Turn& b, WallTime at) const {
        const Place a_at(ageing_, a, at);
        const Place b_at(ageing_, b, at);
        return a_at.goes_before(b_at) && (!a_at.like(b_at) || b_at.entered - a_at.entered > slack);
    }

    AgeingRules ageing_;
    SteadyTime now_ = {};
    SteadyTime undisturbed_ = {};
    std::array<std::set<std::pair<WallTime, MessageId>>, level_count> waiting_;
    std::map<MessageId, std::pair<Level, WallTime>> levels_;  // of those
    // Recipients, by level.
    std::map<std::pair<std::string, Level>, std::set<std::pair<WallTime, MessageId>>> waits_of_;
    std::map<MessageId, std::string> to_;
    std::map<MessageId, Level> forgotten_;  // accepted before the last disturbance, not begun yet
    std::map<std::string, SteadyTime> line_began_;  // a message, the last time
    unsigned own_in_a_row_ = 0;                     // at the top, while one that is promoted waits
    unsigned promoted_in_a_row_ = 0;                // while one of the top's own waits
    std::set<MessageId> begun_early_;               // before their acceptance was answered
    std::map<std::string, SteadyTime> emptied_;     // inboxes by line, the last time
    std::map<MessageId, Suspicion> suspected_;  // the waiting ones, and the first that was begun
};

}  // namespace

std::unique_ptr<Checker> order(const RackRules& rules) {
    return std::make_unique<Order>(rules);
}

}  // namespace smsrack::days
