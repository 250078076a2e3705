#include "tests/fleet/days/fleet_days.hpp"

#include "tests/fleet/days/fleet_box.hpp"
#include "tests/fleet/days/fleet_questions.hpp"
#include "tests/fleet/days/fleet_trouble.hpp"
#include "tests/fleet/days/fleet_watch.hpp"
#include "tests/support/seeded_random.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <memory>
#include <utility>

namespace smsrack::test {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds repaired_within = 3h;
constexpr milliseconds stalls_end_within = 3min;
constexpr milliseconds longest_step{500};
constexpr std::size_t burst_max = 200;  // messages that one client brings at once

cluster::FleetSettings settings_of(Random& random) {
    return {.lease = 15s,
            .ahead = seconds(20 + random.below(40U)),
            .alone = seconds(200 + random.below(400U)),
            .uncertain = seconds(100 + random.below(500U)),
            .resend = random.below(2U) == 0};
}

class FleetDays final : public FleetWitness {
public:
    explicit FleetDays(const FleetOptions& options) : options_(options), random_(options.seed) {
        for (std::size_t i = 0; i < options.boxes; ++i) {
            settings_.who = {.name = fmt::format("box{}", i + 1), .key = "key"};
            engine_.link(i).post(ports::RegisterBox{.who = settings_.who}, {});
            run_engine(1s);
            boxes_.push_back(
                std::make_unique<FleetBox>(i, engine_.link(i), settings_, *this, options.folder));
            boxes_.back()->advance_to(clock_.steady());
        }
        trouble_ = std::make_unique<FleetTrouble>(
            random_, engine_, boxes_, watch_, orders_, settings_.alone + settings_.uncertain,
            [this](milliseconds after, std::function<void()> what) {
                plan_.emplace(clock_.steady() + after, std::move(what));
            });
        engine_.chances = {.lost_before = 3, .lost_after = 3, .slow = 5, .refused = 3};
    }
    FleetDays(const FleetDays&) = delete;
    FleetDays& operator=(const FleetDays&) = delete;

    FleetResult live() {
        plan(clock_.steady());
        while (!plan_.empty() && !watch_.violation()) {
            const auto next = plan_.begin();
            run_to(next->first);
            const auto what = std::move(next->second);
            plan_.erase(next);
            what();
        }
        trouble_->repair();
        const SteadyTime end = clock_.steady() + repaired_within;
        while (clock_.steady() < end && !watch_.violation() && !is_over()) {
            run_to(clock_.steady() + 10s);
            trouble_->resume_all();
        }
        // Orders have no message that waits for them. What was stalled when all was repaired is over by then.
        run_to(clock_.steady() + stalls_end_within);
        const auto is_gone = [this](std::size_t box) { return trouble_->is_gone(box); };
        questions_.ask_all(is_gone);
        run_to(clock_.steady() + cluster::Questions::within + 1s);
        if (!watch_.violation()) {
            check_ends();
            orders_.check(is_gone);
            questions_.check();
        }
        return result();
    }

private:
    // -- plan
    void plan(SteadyTime morning) {
        const auto length = milliseconds(1h) * options_.hours;
        const auto some = [&](std::size_t count, const std::function<void()>& what) {
            for (std::size_t i = 0; i < count; ++i) {
                const auto at = random_.below(static_cast<std::uint64_t>(length.count()));
                plan_.emplace(morning + milliseconds(at), what);
            }
        };
        // Two thirds come in bursts: only a box with work ahead has something to lose.
        const std::size_t messages = options_.messages * options_.hours;
        some(messages / 3, [this] { submit(box_of_a_client()); });
        some(messages * 2 / 3 / (burst_max / 2), [this] { burst(); });
        some(options_.faults * options_.hours, [this] { trouble_->draw(); });
        some(options_.kills * options_.hours, [this] { trouble_->kill(); });
        some(options_.questions * options_.hours, [this] { questions_.draw(); });
        // However few survive: one at least.
        const std::size_t gone = random_.below(2U) == 0 ? 0 : random_.below(boxes_.size());
        for (std::size_t box = 0; box < gone; ++box) {
            some(1, [this, box] { trouble_->take_away(box); });
        }
        // What a box that is gone had begun since the backup, no one knows: tests/fleet/days/rebuild_test has that.
        if (gone == 0) {
            some(random_.below(3U), [this] { trouble_->restore(); });
        }
    }

    /// One that answers, where there is one.
    [[nodiscard]] std::size_t box_of_a_client() {
        const std::size_t first = random_.below(boxes_.size());
        for (std::size_t i = 0; i < boxes_.size(); ++i) {
            const std::size_t box = (first + i) % boxes_.size();
            if (boxes_[box]->runs() && !boxes_[box]->is_frozen()) {
                return box;
            }
        }
        return first;
    }

    void burst() {
        const std::size_t box = box_of_a_client();
        for (std::size_t left = random_.below(burst_max) + 1; left > 0; --left) {
            submit(box);
        }
    }

    void submit(std::size_t box) {
        const bool is_short = random_.below(10U) == 0;
        const NewText text{
            .to = orders_.any_number(),
            .text = fmt::format("message {}", ++texts_),
            .level = static_cast<Level>(random_.below(level_count)),
            .life = is_short ? seconds(60 + random_.below(1'200U)) : seconds(30 * 24h)};
        const auto id = boxes_.at(box)->submit(text);
        ++totals_[id ? FleetCount::accepted : FleetCount::refused];
        if (id) {
            watch_.accepted(box, *id, text.text);
            to_[text.text] = text.to;
        }
    }

    // -- time
    void run_engine(milliseconds length) {
        const SteadyTime end = clock_.steady() + length;
        while (clock_.steady() < end) {
            clock_.advance_to(std::min(end, engine_.step(clock_.steady())));
        }
    }

    void run_to(SteadyTime until) {
        constexpr int passes = 50;  // without time between
        while (!watch_.violation()) {
            const SteadyTime now = clock_.steady();
            SteadyTime next = engine_.step(now);
            bool moved = true;
            for (int pass = 0; moved && pass < passes; ++pass) {
                moved = false;
                for (const auto& box : boxes_) {
                    moved = box->step() || moved;
                }
                next = engine_.step(now);
            }
            for (const auto& box : boxes_) {
                next = std::min(next, box->desk_due());
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

    // -- what boxes do
    void begins(std::size_t box, const std::string& text) override {
        watch_.begins(box, text);
        orders_.begins(box, to_.at(text));
    }
    void leaves(std::size_t box, const std::string& text) override {
        ++totals_[FleetCount::at_network];
        watch_.leaves(box, text);
    }
    void says(std::size_t box, const Event& event) override { watch_.says(box, event); }
    void hears(std::size_t box, const ports::BoxQuestion& question) override {
        questions_.heard(box, question);
    }
    void dies(std::size_t box) override {
        questions_.died(box);
        if (trouble_->is_gone(box)) {
            for (FleetWatch::Message& it : watch_.messages()) {
                if (it.box == box) {
                    it.kept = boxes_[box]->place_of(it.id).value().kept;
                }
            }
        }
        trouble_->died(box);
    }

    // -- the end
    [[nodiscard]] bool is_over() {
        return std::ranges::all_of(boxes_, [](const auto& box) { return box->is_still(); }) &&
               std::ranges::all_of(watch_.messages(),
                                   [&](const auto& it) { return state_of(it).has_value(); });
    }

    /// How it ended, or uncertain for ever; nullopt: neither.
    [[nodiscard]] std::optional<MessageState> state_of(const FleetWatch::Message& it) {
        const bool has_box = !trouble_->is_gone(it.box);
        const auto row = has_box ? boxes_.at(it.box)->row(it.id) : fail(Errc::not_found, "gone");
        if (row && row->state != MessageState::elsewhere) {
            const bool is_under_way =
                row->state == MessageState::queued || row->state == MessageState::sending;
            return is_under_way ? std::nullopt : std::optional(row->state);
        }
        const EngineState::Row* shared = watch_.in_engine(it.id);
        if (!has_box && shared == nullptr) {
            const bool may_be_gone = it.kept == Kept::here || watch_.was_refused(it.id);
            return may_be_gone ? std::optional(MessageState::uncertain) : std::nullopt;
        }
        if (!has_box && shared->stage == ports::SharedStage::ended) {
            return shared->state;
        }
        return is_in_doubt(it.id) ? std::optional(MessageState::uncertain) : std::nullopt;
    }

    /// The box that began it does not know what became of it, and waits for evidence.
    [[nodiscard]] bool is_in_doubt(MessageId id) {
        const EngineState::Row* shared = watch_.in_engine(id);
        if (shared == nullptr || shared->stage != ports::SharedStage::firm) {
            return false;
        }
        const auto holder = static_cast<std::size_t>(shared->seat.box.value) - 1;
        if (trouble_->is_gone(holder)) {
            return false;
        }
        const auto there = boxes_.at(holder)->row(id);
        return there && there->state == MessageState::uncertain;
    }

    void check_ends() {
        for (const FleetWatch::Message& it : watch_.messages()) {
            const auto state = state_of(it);
            const bool is_known = watch_.in_engine(it.id) != nullptr;
            totals_[FleetCount::by_others] += !it.left.empty() && it.left.front() != it.box ? 1 : 0;
            totals_[FleetCount::decided] += engine_.is_decided(it.id) ? 1 : 0;
            if (!state) {
                watch_.wrong(
                    is_known ? "ends" : "kept",
                    fmt::format("{} of box {} has no end: {}, and {}; it was sent {} times",
                                it.text, it.box + 1, watch_.where(it.id), there(it),
                                it.left.size()),
                    it.text);
                continue;
            }
            count(it, *state);
        }
        check_served();
    }

    void count(const FleetWatch::Message& it, MessageState state) {
        totals_[FleetCount::sent] += state == MessageState::sent ? 1 : 0;
        totals_[FleetCount::expired] += state == MessageState::expired ? 1 : 0;
        const bool is_doubtful = state == MessageState::uncertain || state == MessageState::failed;
        totals_[FleetCount::doubtful] += is_doubtful ? 1 : 0;
        const bool is_decided = engine_.is_decided(it.id);
        const bool is_lost =
            trouble_->is_gone(it.box) && (it.kept == Kept::here || watch_.was_refused(it.id));
        given_up_ += is_doubtful && (is_decided || is_lost) ? 1 : 0;
        if (state == MessageState::sent && it.left.empty()) {
            watch_.wrong("truth", fmt::format("{} is called sent, and was not", it.text), it.text);
        }
    }

    void check_served() {
        const auto ended = totals_[FleetCount::sent] + totals_[FleetCount::expired] + given_up_;
        if (ended < totals_[FleetCount::accepted] * 8 / 10) {
            watch_.wrong("served",
                         fmt::format("of {} messages {} were sent, and {} expired",
                                     totals_[FleetCount::accepted], totals_[FleetCount::sent],
                                     totals_[FleetCount::expired]),
                         "");
        }
    }

    /// What the boxes say of it.
    [[nodiscard]] std::string there(const FleetWatch::Message& it) {
        std::string all;
        for (std::size_t i = 0; i < boxes_.size(); ++i) {
            const auto row = boxes_[i]->runs() ? boxes_[i]->place_of(it.id) : std::nullopt;
            all += !row ? fmt::format("box {}: -; ", i + 1)
                        : fmt::format("box {}: {}, {}, kept {}; ", i + 1,
                                      message_state_name(row->state),
                                      fleet_stage_names.at(static_cast<std::size_t>(row->stage)),
                                      kept_names.at(static_cast<std::size_t>(row->kept)));
        }
        return all;
    }

    [[nodiscard]] FleetResult result() {
        FleetResult result{.totals = totals_, .fingerprint = watch_.fingerprint()};
        result.totals.add(trouble_->counts());
        result.totals[FleetCount::asked] = questions_.asked();
        result.totals[FleetCount::answered] = questions_.answered();
        if (const auto& violation = watch_.violation()) {
            result.violation = violation->rule + ": " + violation->what;
            result.story = watch_.story();
        }
        return result;
    }

    const FleetOptions options_;
    SeededRandom random_;
    cluster::FleetSettings settings_ = settings_of(random_);
    ManualClock clock_;
    EngineModel engine_{clock_, random_, options_.boxes};
    FleetWatch watch_{engine_, clock_, options_.rule};
    std::vector<std::unique_ptr<FleetBox>> boxes_ = {};
    FleetOrders orders_{random_, engine_, boxes_, watch_};
    FleetQuestions questions_{random_, clock_, boxes_, watch_};
    std::unique_ptr<FleetTrouble> trouble_ = {};
    std::map<std::string, std::string> to_ = {};  // of each text
    std::multimap<SteadyTime, std::function<void()>> plan_ = {};
    std::size_t texts_ = 0;
    std::uint64_t given_up_ = 0;  // their box was away for too long, or is gone with its disk
    FleetTotals totals_ = {};
};

}  // namespace

FleetResult live_fleet(const FleetOptions& options) {
    return FleetDays(options).live();
}

}  // namespace smsrack::test
