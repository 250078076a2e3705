#include "tests/days/rack_days.hpp"

#include "tests/days/choice.hpp"
#include "tests/days/incoming.hpp"
#include "tests/days/ledger.hpp"
#include "tests/days/load.hpp"
#include "tests/days/offers.hpp"
#include "tests/days/pair_messages.hpp"
#include "tests/days/trouble.hpp"
#include "tests/days/watch.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fstream>
#include <malloc.h>
#include <map>
#include <memory>
#include <set>
#include <utility>

namespace smsrack::days {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds day = 24h;
constexpr milliseconds load_length = 16h;  // of each day; then what is left goes out
constexpr milliseconds trouble_length = 20h;
constexpr milliseconds settles_within = 12h;
constexpr milliseconds settled_looks = 10min;      // sweeps of the SIMs go round in less
constexpr milliseconds settled_looks_off = 15min;  // and a radio that is off listens again
constexpr unsigned asked_again_max = 200;
constexpr unsigned hand_orders = 40;
constexpr milliseconds quiet_length = 1h;  // when all that went wrong is over
constexpr unsigned quiet_messages = 60;    // one by one
// For as long it takes to send them, were all of one segment.
constexpr milliseconds rivals_wait = 60s;
constexpr std::array inbox_faults{
    modem_sim::FaultKind::lose_octets, modem_sim::FaultKind::urc_inside,
    modem_sim::FaultKind::erase_refused, modem_sim::FaultKind::erase_slow};
constexpr unsigned fault_inbox = 20;  // for a fault that shows where something is read or erased
constexpr seconds busy_inbox{90};     // one a second to one modem
constexpr milliseconds surge_part = 60s;  // its first, and its last
constexpr unsigned night_lines = 2;       // that are open when little is to do
constexpr double surge_share = 0.7;   // of what they can send at first, and of what all can at last
constexpr double burst_share = 0.35;  // of what all can send in the time that is promised
constexpr unsigned surges = 3;        // of a day on which lines are parked
constexpr unsigned feeds = 60;        // of a day
constexpr std::size_t one_feed = 10;  // events
constexpr std::size_t topics = 5;
constexpr std::uint64_t codes = 12;  // before the machine is paused: more than lines
constexpr std::size_t story_lines = 60;
constexpr std::size_t said = 2'000;  // octets of a line's dialogue

/// In use.
std::size_t heap() {
    const auto now = ::mallinfo2();
    return now.uordblks + now.hblkhd;
}

class RackDays {
public:
    explicit RackDays(const DaysOptions& options)
        : options_(options),
          dir_(options.folder),
          random_(options.seed + 0x5EED),
          choice_(choice_of(options)),
          world_(choice_.world),
          watch_(world_, choice_.rules, options.rule),
          ends_(modems),
          offers_(choice_.rules.pairs_kept, [this] { return ends_of_pairs(); }) {}

    RackDays(const RackDays&) = delete;
    RackDays& operator=(const RackDays&) = delete;
    /// The store still answers what it has when it ends: there is no receiver left for it.
    ~RackDays() { over_ = true; }

    void live_a_day() {
        const SteadyTime morning = world_.clock.steady();
        plan(morning);
        go_to(morning + trouble_length);
        calm();
        quiet_hour();
        settle();
        plan_.clear();
        coming_again_ = 0;
        world_.run_for(std::max(0ms, left_until(morning + day)));
        ++totals_.days;
    }

    [[nodiscard]] DaysTotals totals() const {
        DaysTotals totals = totals_;
        totals.at_network = watch_.at_network();
        return totals;
    }
    [[nodiscard]] std::uint64_t fingerprint() const { return watch_.story().fingerprint(); }
    /// The recent reports about these.
    [[nodiscard]] std::vector<std::string> told(const std::vector<std::string>& whom) const {
        return watch_.story().about(whom, story_lines);
    }
    /// What led to it: of whom it is about, and what the lines among them say now.
    [[nodiscard]] std::vector<std::string> story(const std::vector<std::string>& whom) const {
        auto story = told(whom);
        const Ledger ledger(world_.store_file());
        const auto is_meant = [&](const std::string& who) {
            return std::ranges::find(whom, who) != whom.end();
        };
        ledger.each(
            "SELECT 'message ' || a.message, m.to_addr, a.number, a.segment, a.modem, a.sim, "
            "a.started_at, a.ended_at, a.outcome, a.cause_kind, a.cause_code, a.pending, a.tp_mr, "
            "a.report_ref FROM "
            "attempts a "
            "JOIN messages m ON m.id = a.message",
            {}, [&](const Row& row) {
                if (is_meant(row.text(0)) || is_meant(row.text(1))) {
                    story.push_back(fmt::format(
                        "{}: attempt {} of segment {} by {} (SIM {}) from {} to {}: outcome "
                        "{}, cause {} {}, pending {}, reference {} ({})",
                        row.text(0), row.number(2), row.number(3) + 1, row.text(4), row.number(5),
                        row.number(6), row.number(7), row.number(8), row.number(9), row.number(10),
                        row.text(11), row.text(12), row.text(13)));
                }
            });
        ledger.each(
            "SELECT 'message ' || id, to_addr, state, level, due_at, expires_at, attempts, "
            "in_hand, "
            "detail FROM messages",
            {}, [&](const Row& row) {
                if (is_meant(row.text(0))) {
                    story.push_back(fmt::format(
                        "{} to {}: state {}, level {}, due {}, expires {}, {} attempts, in flight "
                        "{} {}",
                        row.text(0), row.text(1), row.number(2), row.number(3), row.text(4),
                        row.number(5), row.number(6), row.number(7), row.text(8)));
                }
            });
        ledger.each(
            "SELECT recipient, modem, sim, tp_mr, tp_status, received_at, attempt FROM reports", {},
            [&](const Row& row) {
                if (is_meant(row.text(0))) {
                    story.push_back(
                        fmt::format("{}: {} (SIM {}) read report {:#x} of reference {} "
                                    "at {}, for attempt {}",
                                    row.text(0), row.text(1), row.number(2), row.number(4),
                                    row.number(3), row.number(5), row.text(6)));
                }
            });
        const ports::RackStatus rack = world_.rack().status();
        story.push_back(fmt::format("now {} ms UTC: {} messages in memory, {} with lines",
                                    world_.clock.wall().time_since_epoch().count(), rack.in_memory,
                                    rack.with_lines));
        for (const ports::LineView& line : world_.rack().lines()) {
            story.push_back(fmt::format("{} is now: {} {}{}{}", line.name, line.reason, line.detail,
                                        line.busy ? " busy" : "",
                                        line.pause ? " rests: " + line.pause->reason : ""));
            if (!is_meant(line.name)) {
                continue;
            }
            const std::string dialogue = world_.dialogue(line.name);
            story.push_back(dialogue.substr(dialogue.size() - std::min(dialogue.size(), said)));
        }
        return story;
    }

private:
    Choice choice_of(const DaysOptions& options) {
        const auto file = dir_.path() / "pin";
        std::ofstream(file) << pin << "\n";
        Choice choice =
            choose(options.seed, file, {.messages = options.messages, .scaling = options.scaling});
        choice.world.folder = options.folder;
        return choice;
    }

    // -- the plan of a day

    void plan(SteadyTime morning) {
        const auto asked =
            plan_load(morning, make_load(random_, next_message_, options_.messages, load_length));
        const auto inbound = some(morning, load_length, options_.inbound, [this] { come_in(); });
        (void)some(morning, load_length, feeds, [this] { feed(some_pairs()); });
        if (has_surges()) {
            (void)some(morning, load_length, surges, [this] { surge(world_.clock.steady()); });
        }
        plan_crashes(morning, inbound, asked);
        trouble(morning, asked, options_.faults, [this] { go_wrong(); });
        trouble(morning, asked, 2, [this] { slow_disk(); });
        trouble(morning, asked, 2, [this] { full_disk(); });
        trouble(morning, asked, 1, [this] { set_clock(); });
        trouble(morning, asked, 2, [this] { stand_still(); });
        trouble(morning, asked, 2, [this] { drain(); });
        trouble(morning, asked, hand_orders, [this] { order_by_hand(); });
    }

    /// When each of it comes.
    std::vector<SteadyTime> plan_load(SteadyTime from, Load load) {
        std::vector<SteadyTime> asked;
        for (auto& [at, requests] : load) {
            next_message_ += requests.size();
            asked.push_back(from + at);
            at_time(from + at, [this, requests = std::move(requests)] {
                for (const auto& request : requests) {
                    ask(request, 0);
                }
            });
        }
        return asked;
    }

    /// Where a SIM has its quota, a surge is refused for hours, rightly.
    [[nodiscard]] bool has_surges() const {
        return choice_.rules.scales && choice_.rules.segments_per_hour == 0;
    }

    /// More than a few lines can send in time.
    void surge(SteadyTime from) {
        ++totals_.surges;
        const auto sent_in = [this](milliseconds time, unsigned lines, double share) {
            return static_cast<unsigned>(share * lines *
                                         static_cast<double>(time / choice_.rules.service));
        };
        Surge surge{.before = sent_in(surge_part, night_lines, surge_share),
                    .burst = sent_in(choice_.rules.promised.back(), modems, burst_share),
                    .after = sent_in(surge_part, modems, surge_share)};
        surge.pause_before = surge_part / surge.before;
        surge.pause_after = surge_part / surge.after;
        (void)plan_load(from, make_surge(random_, next_message_, surge));
    }

    /// At any time; every second one while there is something to do.
    void trouble(SteadyTime morning, const std::vector<SteadyTime>& asked, unsigned count,
                 const std::function<void()>& what) {
        (void)some(morning, trouble_length, count / 2, what);
        for (unsigned i = count / 2; i < count; ++i) {
            const SteadyTime begun =
                asked.empty() ? morning : asked.at(random_.below(asked.size()));
            at_time(begun + milliseconds(random_.below(3'000)), what);
        }
    }

    /// At any time; or soon after something came in or was asked for, when most is in memory alone.
    void plan_crashes(SteadyTime morning, const std::vector<SteadyTime>& inbound,
                      const std::vector<SteadyTime>& asked) {
        for (unsigned i = 0; i < options_.crashes; ++i) {
            const auto soon = milliseconds(random_.below(i % 2 == 0 ? 300 : 3'000));
            const auto& after = i % 3 == 1 ? inbound : asked;
            if (i % 3 == 0 || after.empty()) {
                (void)some(morning, trouble_length, 1, [this] { crash(0ms); });
            } else {
                at_time(after.at(random_.below(after.size())), [this, soon] { crash(soon); });
            }
        }
    }

    /// At any times, which it gives.
    std::vector<SteadyTime> some(SteadyTime morning, milliseconds length, unsigned count,
                                 const std::function<void()>& what) {
        std::vector<SteadyTime> times;
        for (unsigned i = 0; i < count; ++i) {
            times.push_back(
                morning + milliseconds(random_.below(static_cast<std::uint64_t>(length.count()))));
            at_time(times.back(), what);
        }
        return times;
    }

    void at_time(SteadyTime at, std::function<void()> what) { plan_.emplace(at, std::move(what)); }

    // -- time advances

    void go_to(SteadyTime until) {
        while (!plan_.empty() && plan_.begin()->first <= until) {
            const auto next = plan_.begin();
            wander(next->first);
            const auto what = std::move(next->second);
            plan_.erase(next);
            what();
        }
        wander(until);
    }

    void wander(SteadyTime until) {
        (void)world_.wander(until, [this] {
            watch_.look();
            return false;
        });
    }

    [[nodiscard]] milliseconds left_until(SteadyTime at) const {
        return std::chrono::ceil<milliseconds>(at - world_.clock.steady());
    }

    // -- what happens

    /// A client that comes back at its time.
    void ask(const intake::SubmitRequest& request, unsigned asked) {
        watch_.asked(request.to, request.text.value());
        world_.submit(request, [this, request, asked](Result<ports::Accepted> answer) {
            if (over_) {
                return;
            }
            if (world_.disk.is_off() || dead_) {
                unheard_ += asked > 0 ? 1 : 0;
                return;
            }
            answered_ += asked == 0 ? 1 : 0;
            if (answer) {
                ++totals_.accepted;
                watch_.accepted({.id = answer->id,
                                 .to = request.to,
                                 .level = static_cast<Level>(*request.priority),
                                 .segments = answer->segments,
                                 .at = world_.clock.wall(),
                                 .life = seconds(*request.ttl_s)});
                return;
            }
            ++totals_.refused;
            if (answer.error().code == Errc::overloaded) {
                watch_.refused(request.to, static_cast<Level>(*request.priority));
            }
            if (asked < asked_again_max) {
                ++coming_again_;
                at_time(world_.clock.steady() + answer.error().retry_after.value_or(10s),
                        [this, request, asked] {
                            --coming_again_;
                            ask(request, asked + 1);
                        });
            }
        });
    }

    /// Some that were there before, and some that were not.
    std::vector<Pair> some_pairs() {
        std::set<Pair> pairs;
        for (std::size_t i = 1 + random_.below(one_feed); i > 0; --i) {
            const bool again = numbers_fed_ > 0 && random_.below(2) == 0;
            const std::uint64_t number = again ? random_.below(numbers_fed_) : numbers_fed_++;
            const bool elsewhere = again && random_.below(2) == 0;
            pairs.emplace(
                fmt::format("+3366{:07}", number),
                fmt::format("town{}", elsewhere ? random_.below(topics) : number % topics));
        }
        return {pairs.begin(), pairs.end()};
    }

    [[nodiscard]] Offers::Ends ends_of_pairs() const {
        Offers::Ends ends;
        each_pair_message(Ledger(world_.store_file()), [&](const PairMessage& message) {
            if (message.is_open) {
                ends.open.insert(message.pair);
            }
            if (message.is_unsent) {
                ends.unsent.insert(message.pair);
            }
        });
        return ends;
    }

    /// A client that gets no answer comes again with all of it.
    void feed(const std::vector<Pair>& pairs) {
        std::vector<trigger::Event> events;
        for (const auto& [number, topic] : pairs) {
            events.push_back({.line = events.size() + 1, .number = number, .topic = topic});
        }
        watch_.offered_events(pairs);
        const std::uint64_t number = ++feeds_;
        unanswered_.emplace(number, pairs);
        const auto again = [this, number, pairs] {
            unanswered_.erase(number);
            at_time(world_.clock.steady() + 10s, [this, pairs] { feed(pairs); });
        };
        const auto heard = [this, number, again, offer = offers_.offer(pairs, world_.clock.wall())](
                               const Result<trigger::Counts>& counts) {
            if (over_ || world_.disk.is_off() || dead_) {
                return;  // no one hears it
            }
            if (!counts) {
                return again();
            }
            unanswered_.erase(number);
            const auto fresh = static_cast<std::size_t>(counts->of(trigger::Verdict::fresh));
            totals_.events += offer.pairs.size();
            totals_.fresh += fresh;
            totals_.over += offer.over;
            watch_.decided(offer.pairs, offers_.decided(offer, fresh));
        };
        if (!world_.offer("welcome", events, heard)) {
            again();
        }
    }

    void feed_again() {
        for (const auto& [number, pairs] : std::exchange(unanswered_, {})) {
            feed(pairs);
        }
    }

    void come_in() {
        const auto modem = static_cast<unsigned>(random_.below(modems));
        for (Incoming& one : draw_incoming(random_, ++senders_)) {
            ++totals_.incoming.at(static_cast<std::size_t>(one.kind));
            if (one.later == 0ms) {
                offer(modem, std::move(one.message));
            } else {
                at_time(world_.clock.steady() + one.later,
                        [this, modem, message = std::move(one.message)] { offer(modem, message); });
            }
        }
    }

    void offer(unsigned modem, modem_sim::Inbound message) {
        message.id = ++inbound_;
        if (world_.modems.modem(modem).offer(world_.clock.steady(), message)) {
            watch_.offered(modem, message);
            ++totals_.inbound;
        }
    }

    void go_wrong() {
        const auto modem = static_cast<unsigned>(random_.below(modems));
        mend(modem);  // one that lasts ends before the next begins
        Trouble trouble = draw_trouble(random_, modem);
        inject(modem, trouble.fault);
        if (trouble.end) {
            ends_[modem] = *std::move(trouble.end);
            at_time(world_.clock.steady() + seconds(1 + random_.below(1'200)),
                    [this, modem] { mend(modem); });
        }
    }

    void mend(unsigned modem) {
        if (ends_[modem]) {
            inject(modem, *std::exchange(ends_[modem], std::nullopt));
        }
    }

    void inject(unsigned modem, const modem_sim::Fault& fault) {
        ++totals_.faults.at(static_cast<std::size_t>(fault.kind));
        if (fault.kind == modem_sim::FaultKind::cms_error) {
            watch_.refusals_ordered(fault.code, fault.count);
        }
        watch_.disturbed(fmt::format("m{}", modem),
                         fmt::format("fault {}", modem_sim::fault_row(fault.kind).name), 5min);
        if (fault.kind == modem_sim::FaultKind::sim_swapped) {
            watch_.sim_out(modem);
        }
        // Its own comes back, the other one never.
        if (fault.kind == modem_sim::FaultKind::sim_swapped &&
            fault.code == static_cast<int>(modem)) {
            watch_.sim_goes(modem);
        }
        world_.modems.modem(modem).inject(world_.clock.steady(), fault);
        if (std::ranges::find(inbox_faults, fault.kind) != inbox_faults.end()) {
            come_in_soon(modem);
        }
    }

    /// Else the fault would strike at an hour when the checkers take the modem for well.
    void come_in_soon(unsigned modem) {
        for (unsigned i = 0; i < fault_inbox; ++i) {
            at_time(world_.clock.steady() + milliseconds(random_.below(10'000)),
                    [this, modem] { offer(modem, plain_incoming(++plain_)); });
        }
    }

    void crash(milliseconds in) {
        wander(world_.clock.steady() + in);
        auto how = static_cast<Crash>(random_.below(crash_names.size()));
        if (how == Crash::power_lost_in_a_write) {
            world_.disk.go_off_after(random_.below(200));
        }
        std::uint64_t turns = random_.below(2'000);
        (void)world_.wander(world_.clock.steady() + 60s, [&] {
            watch_.look();
            return turns-- == 0 || world_.disk.is_off();
        });
        if (how == Crash::power_lost_in_a_write && !world_.disk.is_off()) {
            how = Crash::power_lost;  // too little was written
        }
        const std::size_t lived = heap_of_processes();
        dead_ = how != Crash::upgraded;  // what its objects still do when they end is not done
        switch (how) {
            case Crash::killed:
                world_.crash_and_restart();
                break;
            case Crash::power_lost:
            case Crash::power_lost_in_a_write:
                world_.lose_power();
                break;
            case Crash::upgraded:
                if (!world_.hand_over()) {
                    return watch_.disturbed("the box", "did not come to where it can be left", 1s);
                }
                break;
        }
        dead_ = false;
        ++totals_.crashes.at(static_cast<std::size_t>(how));
        replaced(lived);
        watch_.look_after_restart(std::string(crash_names.at(static_cast<std::size_t>(how))) +
                                  "; the next process begins");
        feed_again();
        crash_again();
    }

    /// One trouble rarely comes alone: the start itself is cut off, with lines half set up and messages already begun.
    void crash_again() {
        if (random_.below(3) == 0) {
            at_time(world_.clock.steady() + milliseconds(random_.below(2'500)),
                    [this] { crash(0ms); });
        }
    }

    void slow_disk() {
        ++totals_.disk_slow;
        const auto length = seconds(1 + random_.below(20));
        watch_.disturbed("the box", fmt::format("the disk takes nothing for {} s", length.count()),
                         length + 60s);
        world_.hold_disk(true);
        disk_is_held_ = true;
        disk_is_well_ = std::max(disk_is_well_, world_.clock.steady() + length + 5s);
        at_time(world_.clock.steady() + length, [this] {
            world_.hold_disk(false);
            disk_is_held_ = false;
        });
        if (random_.below(2) == 0) {  // what comes meanwhile is nowhere else
            come_in();
            at_time(world_.clock.steady() + milliseconds(random_.below(2'000)),
                    [this] { crash(0ms); });
        }
    }

    void full_disk() {
        ++totals_.disk_full;
        const auto length = seconds(1 + random_.below(300));
        watch_.disturbed("the box", fmt::format("the disk is full for {} s", length.count()),
                         length + 60s);
        world_.disk.fill(true);
        disk_is_well_ = std::max(disk_is_well_, world_.clock.steady() + length + 5s);
        come_in();
        at_time(world_.clock.steady() + length, [this] { world_.disk.fill(false); });
    }

    /// By NTP, or by the operator.
    void set_clock() {
        ++totals_.clock_set;
        static constexpr std::array steps{1, 60, 600, 3'600, 10'800};
        const auto step =
            seconds(steps.at(random_.below(steps.size()))) * (random_.below(2) == 0 ? 1 : -1);
        watch_.disturbed("the box", fmt::format("its clock is set by {} s", step.count()), 2min);
        world_.clock.set_date(world_.clock.wall() + step);
        watch_.clock_set(step);
    }

    /// Suspended, or as a VM is paused: then its clock is set when it resumes. One-time codes wait
    /// meanwhile, or are with the lines.
    void stand_still() {
        for (std::uint64_t i = 0; i < codes; ++i) {
            ask({.to = fmt::format("+3377{:07}", next_code_),
                 .text = fmt::format("code {}", next_code_),
                 .priority = static_cast<Level>(random_.below(level_count)),
                 .ttl_s = 60 * (1 + static_cast<std::int64_t>(random_.below(9))),
                 .report = random_.below(2) == 0},
                0);
            ++next_code_;
        }
        const bool paused = random_.below(2) == 0;
        const milliseconds length = 10min + seconds(random_.below(10'000));
        at_time(world_.clock.steady() + milliseconds(random_.below(3'000)), [this, paused, length] {
            ++(paused ? totals_.paused : totals_.suspended);
            watch_.time_passes(paused ? "is paused" : "is suspended", length);
            for (unsigned i = 0; i < modems; ++i) {
                world_.modems.modem(i).time_passes(length);
            }
            if (paused) {
                world_.clock.set_date(world_.clock.wall() + length);
            } else {
                world_.clock.suspend(length);
            }
        });
    }

    /// What is planned comes late where an upgrade took long; the end of a trouble too.
    [[nodiscard]] bool is_disk_well() const {
        return world_.clock.steady() >= disk_is_well_ && !disk_is_held_ && !world_.disk.is_full();
    }

    /// Not while the disk has its trouble: then the order holds, and is refused, since a restart would undo it.
    void drain() {
        if (!is_disk_well()) {
            return;
        }
        const std::string line = fmt::format("m{}", random_.below(modems));
        (void)world_.gate(line, ports::GateOrder::drain);
        watch_.gated(line, false);
        at_time(world_.clock.steady() + seconds(10 + random_.below(1'200)),
                [this, line] { let_in(line); });
        ++totals_.drained;
    }

    /// Between two messages of its line, if any; or on each line, at the moment when one of them is given a message.
    void order_by_hand() {
        if (random_.below(4) != 0) {
            return order_by_hand(fmt::format("m{}", random_.below(modems)));
        }
        std::size_t with_lines = modems;
        SteadyTime until = world_.clock.steady() + 60s;
        if (!plan_.empty()) {  // it may be the end of a trouble
            until = std::min(until, plan_.begin()->first);
        }
        (void)world_.wander(until, [&] {
            watch_.look();
            const std::size_t before = std::exchange(with_lines, world_.rack().status().with_lines);
            return with_lines > before;
        });
        for (unsigned modem = 0; modem < modems; ++modem) {
            order_by_hand(fmt::format("m{}", modem));
        }
    }

    void order_by_hand(const std::string& line) {
        using Kind = ports::HandOrderKind;
        static constexpr std::array kinds{Kind::at_command, Kind::at_command, Kind::at_command,
                                          Kind::ussd, Kind::restart};
        ports::HandOrder order{.kind = kinds.at(random_.below(kinds.size())), .text = "AT+CSQ"};
        if (order.kind == Kind::ussd) {
            order.text = "*100#";
        }
        if (order.kind == Kind::restart) {
            watch_.disturbed(line, "is restarted by the operator", 2min);
        }
        ++totals_.by_hand;
        (void)world_.by_hand(line, std::move(order), [this](const Result<ports::HandAnswer>&) {
            ++totals_.answered_by_hand;
        });
    }

    void let_in(const std::string& line) {
        if (!is_disk_well()) {
            return at_time(std::max(disk_is_well_, world_.clock.steady() + 1s),
                           [this, line] { let_in(line); });
        }
        watch_.gated(line, true);
        (void)world_.gate(line, ports::GateOrder::resume);
    }

    // -- the evening

    /// All that is planned ends now: what lasts is mended, what was refused is asked again.
    void calm() {
        world_.hold_disk(false);
        disk_is_held_ = false;
        world_.disk.fill(false);
        for (unsigned modem = 0; modem < modems; ++modem) {
            mend(modem);
            world_.modems.modem(modem).calm();
        }
        const SteadyTime until = world_.clock.steady() + 2h;
        go_to(until);
    }

    /// Nothing goes wrong: here each promise about order and time is held to. Not where a SIM has its quota, which lasts for hours.
    void quiet_hour() {
        const SteadyTime from = world_.clock.steady();
        (void)some(from, quiet_length / 2, quiet_messages, [this] {
            (void)plan_load(world_.clock.steady(),
                            make_load(random_, next_message_, 1, milliseconds(1)));
        });
        if (choice_.rules.segments_per_hour == 0) {
            const auto rivals = static_cast<unsigned>(rivals_wait / choice_.world.service) * modems;
            const auto low = static_cast<Level>(random_.below(3));
            (void)plan_load(from + quiet_length / 2,
                            make_rivals(random_, next_message_, rivals, low));
            (void)plan_load(from + quiet_length * 3 / 4,
                            make_rivals(random_, next_message_, rivals, level_max - 1));
        }
        if (has_surges()) {
            at_time(from + quiet_length / 4, [this] { surge(world_.clock.steady()); });
        }
        for (const auto busy : {quiet_length / 2, quiet_length * 3 / 4}) {
            come_in_each_second(from + busy);
        }
        watch_.quiet(true);
        go_to(from + quiet_length);
        watch_.quiet(false);
    }

    /// To one modem, while all of them have as much to send as they can.
    void come_in_each_second(SteadyTime from) {
        const auto modem = static_cast<unsigned>(random_.below(modems));
        for (seconds second{0}; second < busy_inbox; ++second) {
            at_time(from + second, [this, modem] { offer(modem, plain_incoming(++plain_)); });
        }
    }

    void settle() {
        const SteadyTime until = world_.clock.steady() + settles_within;
        std::int64_t open = 0;
        do {
            go_to(world_.clock.steady() + (choice_.radio_off ? settled_looks_off : settled_looks));
            open = Ledger(world_.store_file())
                       .number(choice_.rules.resends  // then what is in doubt continues too
                                   ? "SELECT count(*) FROM messages WHERE state IN (0, 1, 2, 3)"
                                   : "SELECT count(*) FROM messages WHERE state IN (0, 1, 2)");
        } while (open > 0 && world_.clock.steady() < until);
        watch_.look_when_settled();
        watch_.note_rows();
        totals_.scaled = static_cast<std::uint64_t>(
            Ledger(world_.store_file())
                .number("SELECT count(*) FROM scaling_decisions WHERE line <> ''"));
        totals_.woken = static_cast<std::uint64_t>(
            Ledger(world_.store_file())
                .number("SELECT count(*) FROM scaling_decisions WHERE rules = 'promise'"));
        const std::size_t lived = heap_of_processes();
        world_.crash_and_restart();
        replaced(lived);
        watch_.look_after_restart("the evening; the next process begins");
        feed_again();
        watch_.heard([this] { most_are_accepted(); });
    }

    /// Except what was asked when the box died, and clients that asked too often.
    void most_are_accepted() {
        const std::uint64_t accepted =
            totals_.accepted - std::exchange(accepted_before_, totals_.accepted);
        const std::uint64_t answered = std::exchange(answered_, 0);
        const std::uint64_t asked = answered - std::min(answered, std::exchange(unheard_, 0));
        // A campaign may be too much for the quotas of a day: then some get a time on the next; but
        // not most.
        const std::uint64_t later =
            choice_.rules.segments_per_hour > 0 ? std::min(coming_again_, asked / 2) : 0;
        const std::uint64_t least = (asked - later) * 9 / 10;
        if (accepted < least) {
            throw Violation(
                "served",
                fmt::format(
                    "{} messages were accepted in a day on which {} were asked for and answered",
                    accepted, asked),
                {"the box"});
        }
    }

    /// The disk of the model has its files there too.
    [[nodiscard]] std::size_t heap_of_processes() const {
        return heap() - world_.disk.heap_octets();
    }

    void replaced(std::size_t lived) { watch_.replaced(lived, heap_of_processes()); }

    DaysOptions options_;
    test::TempDir dir_;
    test::SeededRandom random_;
    Choice choice_;
    bool over_ = false;  // before the world, which still reads it when it ends
    test::World world_;
    Watch watch_;
    std::multimap<SteadyTime, std::function<void()>> plan_;
    std::vector<std::optional<modem_sim::Fault>> ends_;  // of what lasts, by modem
    std::uint64_t next_message_ = 0;
    std::uint64_t next_code_ = 1;
    std::uint64_t inbound_ = 0;  // offered so far
    std::uint64_t senders_ = 0;
    std::uint64_t plain_ = 0;  // of them in quiet hours
    bool dead_ = false;
    bool disk_is_held_ = false;
    SteadyTime disk_is_well_ = {};  // from then on
    std::uint64_t numbers_fed_ = 0;
    Offers offers_;
    std::uint64_t feeds_ = 0;
    std::map<std::uint64_t, std::vector<Pair>> unanswered_;  // feeds, by their number
    DaysTotals totals_;
    std::uint64_t accepted_before_ = 0;  // today
    std::uint64_t answered_ = 0;         // today, of those that asked for the first time
    std::uint64_t coming_again_ = 0;     // refused, and told when
    std::uint64_t unheard_ = 0;          // of them: asked again when the box died
};

}  // namespace

std::vector<std::pair<std::string_view, std::uint64_t*>> DaysTotals::rows() {
    std::vector<std::pair<std::string_view, std::uint64_t*>> rows{
        {"rack-days", &days},
        {"accepted", &accepted},
        {"refused, asked again", &refused},
        {"segments at the network", &at_network},
        {"came in", &inbound},
        {"events decided", &events},
        {"events new", &fresh},
        {"events past their days", &over},
        {"lines parked or unparked", &scaled},
        {"woken for a promise", &woken},
        {"surges", &surges},
        {"disk slow", &disk_slow},
        {"disk full", &disk_full},
        {"clock set", &clock_set},
        {"suspended", &suspended},
        {"paused", &paused},
        {"line drained", &drained},
        {"orders by hand", &by_hand},
        {"orders answered", &answered_by_hand}};
    for (std::size_t i = 0; i < crashes.size(); ++i) {
        rows.emplace_back(crash_names.at(i), &crashes.at(i));
    }
    for (std::size_t i = 0; i < incoming.size(); ++i) {
        rows.emplace_back(incoming_names.at(i), &incoming.at(i));
    }
    for (const modem_sim::FaultRow& row : modem_sim::faults()) {
        rows.emplace_back(row.name, &faults.at(static_cast<std::size_t>(row.kind)));
    }
    return rows;
}

std::vector<std::pair<std::string_view, std::uint64_t>> DaysTotals::troubles() const {
    std::vector<std::pair<std::string_view, std::uint64_t>> troubles{
        {"disk slow", disk_slow}, {"disk full", disk_full}, {"clock set", clock_set},
        {"suspended", suspended}, {"paused", paused},       {"line drained", drained}};
    for (std::size_t i = 0; i < crashes.size(); ++i) {
        troubles.emplace_back(crash_names.at(i), crashes.at(i));
    }
    for (std::size_t i = 0; i < incoming.size(); ++i) {
        troubles.emplace_back(incoming_names.at(i), incoming.at(i));
    }
    for (const modem_sim::FaultRow& row : modem_sim::faults()) {
        troubles.emplace_back(row.name, faults.at(static_cast<std::size_t>(row.kind)));
    }
    return troubles;
}

void DaysTotals::add(const DaysTotals& other) {
    DaysTotals added = other;
    const auto theirs = added.rows();
    for (std::size_t i = 0; const auto& [name, number] : rows()) {
        *number += *theirs.at(i++).second;
    }
}

std::vector<std::uint64_t> DaysTotals::numbers() const {
    DaysTotals copy = *this;
    std::vector<std::uint64_t> numbers;
    for (const auto& [name, number] : copy.rows()) {
        numbers.push_back(*number);
    }
    return numbers;
}

DaysTotals DaysTotals::of(const std::vector<std::uint64_t>& numbers) {
    DaysTotals totals;
    const auto rows = totals.rows();
    if (rows.size() != numbers.size()) {
        throw std::invalid_argument(
            fmt::format("{} numbers, and not {}", numbers.size(), rows.size()));
    }
    for (std::size_t i = 0; const auto& [name, number] : rows) {
        *number = numbers[i++];
    }
    return totals;
}

DaysResult live(const DaysOptions& options) {
    RackDays days(options);
    DaysResult result;
    try {
        for (unsigned i = 0; i < options.days; ++i) {
            days.live_a_day();
        }
    } catch (const Violation& violation) {
        result.violation = violation.what();
        result.story = days.story(violation.about());
    } catch (const std::exception& error) {  // an assertion, or a fault of the model
        result.violation = error.what();
        result.story = days.told({"the box"});
    }
    result.totals = days.totals();
    result.fingerprint = days.fingerprint();
    return result;
}

}  // namespace smsrack::days
