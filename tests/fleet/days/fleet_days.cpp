#include "tests/fleet/days/fleet_days.hpp"

#include "tests/support/seeded_random.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <set>
#include <utility>

namespace smsrack::test {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::size_t boxes = 3;
constexpr milliseconds repaired_within = 3h;
constexpr milliseconds longest_step{500};

class FleetDays {
public:
    explicit FleetDays(const FleetDaysOptions& options) : options_(options), random_(options.seed) {
        for (std::size_t i = 0; i < boxes; ++i) {
            const ports::BoxName who{.name = fmt::format("box{}", i + 1), .key = "key"};
            engine_.link(i).post(ports::RegisterBox{.who = who}, {});
            run_engine(1s);
            const cluster::FleetSettings settings{
                .who = who, .lease = 15s, .ahead = 20s, .alone = 600s, .uncertain = 900s};
            boxes_.push_back(std::make_unique<FleetBox>(
                static_cast<std::int32_t>(i) + 1, engine_.link(i), settings,
                [this, i](const std::string& text) { left(i, text); }));
            boxes_.back()->advance_to(clock_.steady());
        }
        engine_.chances = {.lost_before = 3, .lost_after = 3, .slow = 5, .refused = 3};
    }

    FleetDaysResult live() {
        const SteadyTime morning = clock_.steady();
        plan(morning);
        while (!plan_.empty()) {
            const auto next = plan_.begin();
            run_to(next->first);
            const auto what = std::move(next->second);
            plan_.erase(next);
            what();
        }
        repair();
        const SteadyTime end = clock_.steady() + repaired_within;
        while (clock_.steady() < end && !is_over()) {
            run_to(clock_.steady() + 10s);
        }
        check();
        return std::move(result_);
    }

private:
    void plan(SteadyTime morning) {
        const auto some = [&](std::size_t count, const std::function<void()>& what) {
            for (std::size_t i = 0; i < count; ++i) {
                const auto at = random_.below(
                    static_cast<std::uint64_t>(milliseconds(options_.length).count()));
                plan_.emplace(morning + milliseconds(at), what);
            }
        };
        some(options_.messages, [this] { submit(); });
        some(options_.faults, [this] { go_wrong(); });
        some(options_.kills, [this] { kill(); });
    }

    [[nodiscard]] FleetBox& any_box() { return *boxes_.at(random_.below(boxes)); }
    [[nodiscard]] milliseconds some_time(seconds longest) {
        return milliseconds(
            random_.below(static_cast<std::uint64_t>(milliseconds(longest).count())));
    }
    void later(milliseconds after, std::function<void()> what) {
        plan_.emplace(clock_.steady() + after, std::move(what));
    }

    void submit() {
        const std::size_t box = random_.below(boxes);
        const std::string text = fmt::format("message {}", ++texts_);
        if (const auto id = boxes_.at(box)->submit(text)) {
            accepted_.push_back({.box = box, .id = *id, .text = text});
            ids_[text] = *id;
        }
    }

    void go_wrong() {
        switch (random_.below(8U)) {
            case 0:
            case 1:
            case 2: {
                const std::size_t box = random_.below(boxes);
                constexpr std::array kinds{Cut::both, Cut::requests, Cut::answers};
                engine_.cut(box, kinds.at(random_.below(kinds.size())));
                return later(some_time(120s), [this, box] { engine_.cut(box, Cut::none); });
            }
            case 3:
                return engine_.stall(some_time(120s));
            case 4:
                return engine_.change_primary(some_time(40s));
            case 5:
                return engine_.lose_standby(some_time(60s));
            case 6:
                engine_.fill_disk(true);
                return later(some_time(30s), [this] { engine_.fill_disk(false); });
            default:
                return any_box().move_date(random_.below(2U) == 0 ? 24h : -24h);
        }
    }

    /// For a moment, for longer than a lease, or for longer than a box may be alone.
    void kill() {
        FleetBox& box = any_box();
        box.kill();
        constexpr std::array lengths{10s, 120s, 2'000s};
        later(some_time(lengths.at(random_.below(lengths.size()))), [&box] {
            if (!box.runs()) {
                box.start();
            }
        });
    }

    void repair() {
        engine_.chances = {};
        engine_.fill_disk(false);
        for (std::size_t i = 0; i < boxes; ++i) {
            engine_.cut(i, Cut::none);
            if (!boxes_[i]->runs()) {
                boxes_[i]->start();
            }
        }
    }

    void run_engine(milliseconds length) {
        const SteadyTime end = clock_.steady() + length;
        while (clock_.steady() < end) {
            clock_.advance_to(std::min(end, engine_.step(clock_.steady())));
        }
    }

    void run_to(SteadyTime until) {
        while (true) {
            const SteadyTime now = clock_.steady();
            SteadyTime next = engine_.step(now);
            bool moved = true;
            for (int pass = 0; moved && pass < 50; ++pass) {
                moved = false;
                for (const auto& box : boxes_) {
                    moved = box->step(now) || moved;
                }
                next = engine_.step(now);
            }
            if (now >= until) {
                return;
            }
            const SteadyTime to = std::clamp(next, now + 1ms, now + longest_step);
            clock_.advance_to(std::min(to, until));
            for (const auto& box : boxes_) {
                box->advance_to(clock_.steady());
            }
        }
    }

    void left(std::size_t box, const std::string& text) {
        auto& by = sent_by_[text];
        by.push_back(box);
        const auto row = engine_.state().messages().find(ids_.at(text));
        if (row != engine_.state().messages().end() &&
            row->second.stage == ports::SharedStage::ended) {
            wrong(fmt::format("{} was sent by box {} after it was decided to have failed", text,
                              box + 1));
        }
        if (by.size() > 1) {
            wrong(fmt::format("{} was sent twice, by box {} and box {}", text, by[0] + 1, box + 1));
        }
    }

    void wrong(std::string what) {
        if (result_.wrong.size() < 20) {
            result_.wrong.push_back(std::move(what));
        }
    }

    [[nodiscard]] bool is_over() {
        return std::ranges::all_of(boxes_, [](const auto& box) { return box->is_still(); }) &&
               std::ranges::all_of(accepted_, [&](const Accepted& one) {
                   const auto row = boxes_.at(one.box)->row(one.id);
                   return row && row->state != MessageState::queued &&
                          row->state != MessageState::sending &&
                          (row->state != MessageState::elsewhere || is_in_doubt(one.id));
               });
    }

    /// The box that began it does not know what became of it, and waits for evidence.
    [[nodiscard]] bool is_in_doubt(MessageId id) {
        const auto row = engine_.state().messages().find(id);
        if (row == engine_.state().messages().end() ||
            row->second.stage != ports::SharedStage::firm) {
            return false;
        }
        const auto holder = static_cast<std::size_t>(row->second.seat.box.value) - 1;
        const auto there = boxes_.at(holder)->row(id);
        return there && there->state == MessageState::uncertain;
    }

    void check() {
        result_.accepted = accepted_.size();
        for (const Accepted& one : accepted_) {
            const auto row = boxes_.at(one.box)->row(one.id);
            const auto by = sent_by_.find(one.text);
            const bool was_sent = by != sent_by_.end();
            if (!row) {
                wrong(fmt::format("{} of box {} has no row", one.text, one.box + 1));
                continue;
            }
            result_.by_others += was_sent && by->second.front() != one.box ? 1 : 0;
            if (row->state == MessageState::sent) {
                ++result_.sent;
                if (!was_sent) {
                    wrong(fmt::format("{} is called sent and was not", one.text));
                }
            } else if (row->state == MessageState::uncertain ||
                       row->state == MessageState::failed || is_in_doubt(one.id)) {
                ++result_.doubtful;
            } else {
                wrong(fmt::format("{} of box {} is {} at the end ({}; it was {})", one.text,
                                  one.box + 1, message_state_name(row->state), where(one.id),
                                  was_sent ? "sent" : "not sent"));
            }
        }
    }

    [[nodiscard]] std::string where(MessageId id) {
        const auto row = engine_.state().messages().find(id);
        if (row == engine_.state().messages().end()) {
            return "not in the engine";
        }
        const std::int32_t holder = row->second.seat.box.value;
        return fmt::format(
            "in the engine {} by box {}, there {}",
            ports::shared_stage_names.at(static_cast<std::size_t>(row->second.stage)), holder,
            holder == 0 ? "" : boxes_.at(static_cast<std::size_t>(holder) - 1)->says_of(id));
    }

    struct Accepted {
        std::size_t box = 0;
        MessageId id = {};
        std::string text = {};
    };

    const FleetDaysOptions options_;
    SeededRandom random_;
    ManualClock clock_;
    EngineModel engine_{clock_, random_, boxes};
    std::vector<std::unique_ptr<FleetBox>> boxes_ = {};
    std::multimap<SteadyTime, std::function<void()>> plan_ = {};
    std::vector<Accepted> accepted_ = {};
    std::map<std::string, MessageId> ids_ = {};
    std::map<std::string, std::vector<std::size_t>> sent_by_ = {};
    std::size_t texts_ = 0;
    FleetDaysResult result_ = {};
};

}  // namespace

FleetDaysResult live_fleet(const FleetDaysOptions& options) {
    return FleetDays(options).live();
}

}  // namespace smsrack::test
