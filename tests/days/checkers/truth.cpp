#include "tests/days/checkers/checkers.hpp"
#include "tests/days/copies.hpp"
#include "tests/days/ledger.hpp"
#include "tests/days/user_data.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

namespace smsrack::days {
namespace {

/// (recipient, text).
using Wish = std::pair<std::string, std::string>;

/// By what the store says of the messages that ask for it.
struct Due {
    std::size_t whole = 0;   ///< copies that the network must have whole
    std::size_t copies = 0;  ///< that it may have, whole or not
    std::vector<std::string> about;
    std::string story;
};

/// Between the clock of the network and ours, while a report can still be recognised by its times.
constexpr auto clocks_apart = std::chrono::minutes(10);
/// What a modem has stored is read by then, also where it did not say so: sweeps of its memory go round in less.
constexpr auto swept_within = std::chrono::minutes(10);

/// Of a submit.
struct Report {
    std::string to;
    int status = 0;
    SteadyTime read_by = never;  ///< by the service, for sure
    std::size_t number = 0;      ///< in the order in which they came, of all

    auto operator<=>(const Report&) const = default;
};

/// Of an undelivered one, what had not left yet is not sent any more.
bool has_left(MessageState state, std::size_t segments) {
    return state == MessageState::sent || state == MessageState::delivered ||
           (state == MessageState::undelivered && segments == 1);
}

/// TP-Status (TS 23.040 9.2.3.15) below 0x20: the recipient has it, but for 0x01: another network has it, and can't say. 0x20 to 0x3F: the centre
/// still tries.
bool is_good(int status) {
    return status < 0x20 && status != 0x01;
}
bool is_bad(int status) {
    return status >= 0x40;
}

/// Errors of memories and of +CNMA (TS 27.005 3.2.5): no modem answers a submit so.
bool is_of_no_submit(const Cause& cause) {
    constexpr std::array others{321, 340};
    return cause.kind == CodeKind::cms && std::ranges::find(others, cause.code) != others.end();
}

class Truth final : public Checker {
public:
    [[nodiscard]] std::string_view name() const override { return "truth"; }

    void asked(const std::string& to, const std::string& text) override { asked_[to].insert(text); }
    void quiet(bool now) override { quiet_ = now; }
    void accepted(const Told& told) override {
        if (quiet_) {
            quiet_ids_.insert(told.id.value);
        }
    }

    void event(const Event& event) override {
        if (event.type != EventType::message_state) {
            return;
        }
        if (event.state == MessageState::failed && is_of_no_submit(event.cause)) {
            throw Violation("truth",
                            fmt::format("message {} failed by an error {}, which is the answer to "
                                        "another command",
                                        event.message.value, event.cause.code),
                            {fmt::format("message {}", event.message.value)});
        }
        if (event.state == MessageState::uncertain) {
            uncertain_.insert(event.message.value);
        }
        if (event.state == MessageState::sent) {
            sent_.insert(event.message.value);
        }
        if (event.state == MessageState::delivered || event.state == MessageState::undelivered) {
            reports_at_end_.try_emplace(event.message.value, reports_told_);
        }
        // A long message whose SIM was away for too long, or had nothing left, is begun again: no
        // phone could join what follows to what was sent.
        if (event.state == MessageState::sending &&
            (event.detail == "sim_lost" || event.detail == "quota")) {
            ++begun_anew_[event.message.value];
        }
    }

    void at_network(const test::Submitted& submit) override {
        const auto said = days::said(submit.pdu);
        const auto wishes = asked_.find(submit.to);
        if (!said || wishes == asked_.end()) {
            throw Violation("truth", submit.to + ": the network has something that was never sent",
                            {submit.to});
        }
        first_at_network_.try_emplace(submit.to, submit.at);
        const Copy& copy = copies_.add(submit.to, *said, {submit.iccid, submit.mr});
        if (std::ranges::none_of(wishes->second,
                                 [&](const std::string& text) { return copy.is_of(text); })) {
            throw Violation(
                "truth",
                fmt::format(
                    "{}: the network has part {} of {} of a text that was never requested: {}",
                    submit.to, said->part, said->parts, said->text),
                {submit.to});
        }
    }

    void reported(const test::Reported& report) override {
        const SteadyTime read_by = report.how == "acknowledged" ? report.at
                                   : report.how == "stored"     ? report.at + swept_within
                                                                : never;
        reports_[{report.iccid, report.mr}].insert(
            {report.to, report.status, read_by, ++reports_told_});
    }

    void clock_set(SteadyTime at, std::chrono::milliseconds by) override {
        clock_set_.push_back(at);
        wrong_by_.emplace_back(at, wrong_by_.back().second + by);
    }
    void time_passed(SteadyTime at, std::chrono::milliseconds) override {
        clock_set_.push_back(at);
    }

    /// The modem keeps what it has of the reports, but a reader from now on takes them for those of
    /// another SIM.
    void sim_out(const std::string& iccid, SteadyTime at) override {
        for (auto& [sender, reports] : reports_) {
            std::set<Report> left;
            for (Report report : reports) {
                const bool unread = sender.first == iccid && report.read_by > at;
                report.read_by = unread ? never : report.read_by;
                left.insert(std::move(report));
            }
            reports = std::move(left);
        }
    }

    void settled(test::World& world) override {
        now_ = world.clock.steady();
        const Ledger ledger(world.store_file());
        std::map<Wish, Due> all;
        ledger.each("SELECT id, to_addr, state, segments, detail, body FROM messages WHERE id > ?",
                    {last_}, [&](const Row& row) { add(row, all); });
        for (const Waiting& waiting : waiting_) {
            hold_reports(waiting, ledger);
        }
        for (const auto& [wish, due] : all) {
            hold(wish, due);
            asked_[wish.first].erase(wish.second);
        }
        copies_.each([&](const std::string& to, const Copy& copy) {
            auto wish = all.lower_bound(Wish{to, {}});
            while (wish != all.end() && wish->first.first == to &&
                   !copy.is_of(wish->first.second)) {
                ++wish;
            }
            if (wish == all.end() || wish->first.first != to) {
                throw Violation("truth", to + ": the network has what the store knows nothing of",
                                {to});
            }
        });
        copies_.clear();
        reports_.clear();
        uncertain_.clear();
        sent_.clear();
        reports_at_end_.clear();
        begun_anew_.clear();
        quiet_ids_.clear();
        waiting_.clear();
        of_recipient_.clear();
        first_at_network_.clear();
        clock_set_.clear();
        wrong_by_.erase(wrong_by_.begin(), wrong_by_.end() - 1);
    }

private:
    /// A message as the store has it in the evening.
    struct Waiting {
        Wish wish;
        std::int64_t id = 0;
        MessageState state = {};
        std::vector<std::string> about;
    };

    void add(const Row& row, std::map<Wish, Due>& all) {
        const auto id = row.number(0);
        const auto state = static_cast<MessageState>(row.number(2));
        const auto segments = static_cast<std::size_t>(row.number(3));
        const Wish wish{row.text(1), row.text(5)};
        const std::vector<std::string> about{wish.first, fmt::format("message {}", id)};
        last_ = std::max(last_, id);
        if (!is_final(state) && state != MessageState::sent && state != MessageState::uncertain) {
            throw Violation(
                "ends",
                fmt::format("message {} is {} when all is over", id, message_state_name(state)),
                about);
        }
        if (!asked_[wish.first].contains(wish.second)) {
            throw Violation("truth", fmt::format("the text of message {} was never requested", id),
                            about);
        }
        // A report may say of what was sent that it expired at the service centre.
        const bool is_whole = sent_.contains(id) || has_left(state, segments);
        const bool may_be_there =
            is_whole || state == MessageState::uncertain || segments > 1 || uncertain_.contains(id);
        Due& due = all[wish];
        due.whole += is_whole ? 1U : 0U;
        due.copies += may_be_there ? 1U + begun_anew_[id] : 0U;
        due.about.insert(due.about.end(), about.begin(), about.end());
        due.story += fmt::format("{}message {}, {}, {} segments {}", due.story.empty() ? "" : "; ",
                                 id, message_state_name(state), segments, row.text(4));
        ++of_recipient_[wish.first];
        waiting_.push_back({wish, id, state, about});
    }

    void hold(const Wish& wish, const Due& due) const {
        const auto& copies = copies_.of(wish.first);
        const auto mine = [&](const Copy& copy) { return copy.is_of(wish.second); };
        const auto there = static_cast<std::size_t>(std::ranges::count_if(copies, mine));
        const auto whole = static_cast<std::size_t>(std::ranges::count_if(
            copies, [&](const Copy& copy) { return mine(copy) && copy.is_whole(); }));
        // Equal texts of one segment are one copy.
        const std::size_t different = std::min<std::size_t>(due.whole, 1);
        if (whole < different || there > due.copies) {
            throw Violation(
                "truth",
                fmt::format("{}: the network has {} copies, {} of them whole; by what "
                            "the store says ({}) at least {} must be whole, and at most {} there",
                            wish.first, there, whole, due.story, different, due.copies),
                due.about);
        }
    }

    /// Copies of this text of which all parts have a report that `is`.
    template <typename Is>
    [[nodiscard]] std::size_t reported_copies(const Wish& wish, const Is& is) const {
        const auto& copies = copies_.of(wish.first);
        return static_cast<std::size_t>(std::ranges::count_if(copies, [&](const Copy& copy) {
            return copy.is_of(wish.second) && reported_parts(wish, copy, is) == copy.parts;
        }));
    }

    /// What the recipient is said to have, its network has said; and what the network said, and the service has taken, is known: at least
    /// while all was well, or where it can be of no other message.
    void hold_reports(const Waiting& waiting, const Ledger& ledger) const {
        const Wish& wish = waiting.wish;
        const bool waits =
            waiting.state == MessageState::sent || waiting.state == MessageState::uncertain;
        const auto is_known = [this](const Report& r) { return r.read_by <= now_; };
        const bool told = reported_copies(wish, [&](const Report& r) {
                              return is_good(r.status) && is_known(r);
                          }) > 0;
        const bool ended = reported_copies(wish, [&](const Report& r) {
                               return (is_good(r.status) || is_bad(r.status)) && is_known(r);
                           }) > 0;
        const bool alone = of_recipient_.at(wish.first) == 1 && copies_.of(wish.first).size() == 1;
        if (!is_true(waiting)) {
            throw Violation("truth",
                            fmt::format("message {} is {}; by no report that the network gave",
                                        waiting.id, message_state_name(waiting.state)),
                            waiting.about);
        }
        if ((waiting.state == MessageState::sent && quiet_ids_.contains(waiting.id) && told) ||
            (waits && alone && ended && !is_lost_in_time(waiting, ledger))) {
            throw Violation("reports",
                            fmt::format("message {} is {}; and the network has said what became of "
                                        "it",
                                        waiting.id, message_state_name(waiting.state)),
                            waiting.about);
        }
    }

    /// Without its reference a report is known by the time when the network took its message. It
    /// gives that time by the network's clock, which does not help while ours is wrong, and by how
    /// long the network had the message, which does not help if the report was read late or our
    /// clock was set in between.
    [[nodiscard]] bool is_lost_in_time(const Waiting& waiting, const Ledger& ledger) const {
        const Copy& copy = copies_.of(waiting.wish.first).front();
        SteadyTime last_read = {};
        std::size_t known = 0;  // parts of which the store has the reference
        for (const auto& [part, senders] : copy.senders) {
            for (const Sender& sender : senders) {
                known += static_cast<std::size_t>(ledger.number(
                    "SELECT count(*) > 0 FROM attempts WHERE message = ? AND segment = ? AND "
                    "tp_mr = ?",
                    {waiting.id, part - 1, sender.second}));
                const auto found = reports_.find(sender);
                for (const Report& report :
                     found == reports_.end() ? std::set<Report>{} : found->second) {
                    const bool is_its = report.to == waiting.wish.first && report.read_by <= now_;
                    last_read = is_its ? std::max(last_read, report.read_by) : last_read;
                }
            }
        }
        const SteadyTime first = first_at_network_.at(waiting.wish.first);
        const bool is_late = last_read - first > clocks_apart;
        const bool was_set = std::ranges::any_of(
            clock_set_, [&](SteadyTime at) { return at >= first && at <= last_read; });
        return known < copy.parts && (was_set || (is_late && is_clock_wrong(last_read)));
    }

    [[nodiscard]] bool is_clock_wrong(SteadyTime at) const {
        const auto later = std::ranges::find_if(wrong_by_ | std::views::drop(1),
                                                [&](const auto& set) { return set.first > at; });
        return std::chrono::abs(std::prev(later)->second) > clocks_apart;
    }

    /// By what the network had reported when the state was announced: a report that comes later does
    /// not make it true.
    [[nodiscard]] bool is_true(const Waiting& waiting) const {
        const auto end = reports_at_end_.find(waiting.id);
        const std::size_t last = end == reports_at_end_.end() ? reports_told_ : end->second;
        if (waiting.state == MessageState::delivered) {
            return reported_copies(waiting.wish, [last](const Report& r) {
                       return is_good(r.status) && r.number <= last;
                   }) > 0;
        }
        const auto& copies = copies_.of(waiting.wish.first);
        return waiting.state != MessageState::undelivered ||
               std::ranges::any_of(copies, [&](const Copy& copy) {
                   return copy.is_of(waiting.wish.second) &&
                          reported_parts(waiting.wish, copy, [last](const Report& r) {
                              return is_bad(r.status) && r.number <= last;
                          }) > 0;
               });
    }

    template <typename Is>
    [[nodiscard]] std::size_t reported_parts(const Wish& wish, const Copy& copy,
                                             const Is& is) const {
        const auto has = [&](const Sender& sender) {
            const auto found = reports_.find(sender);
            return found != reports_.end() &&
                   std::ranges::any_of(found->second, [&](const Report& report) {
                       return report.to == wish.first && is(report);
                   });
        };
        return static_cast<std::size_t>(std::ranges::count_if(
            copy.senders, [&](const auto& part) { return std::ranges::any_of(part.second, has); }));
    }

    SteadyTime now_ = {};                                 // of the evening
    std::int64_t last_ = 0;                               // message that was looked at
    std::map<std::string, std::set<std::string>> asked_;  // texts by recipient, not judged yet
    Copies copies_;                                       // of this day
    std::map<Sender, std::set<Report>> reports_;          // of this day
    std::size_t reports_told_ = 0;                        // of all days
    /// How many reports had come when a message was said to be delivered, or not.
    std::map<std::int64_t, std::size_t> reports_at_end_;
    std::set<std::int64_t> sent_;
    std::set<std::int64_t> uncertain_;                    // that were so at some time
    std::map<std::int64_t, std::size_t> begun_anew_;      // how often
    std::map<std::string, SteadyTime> first_at_network_;  // by recipient
    /// How far our clock is wrong since when; never empty, and kept from day to day.
    std::vector<std::pair<SteadyTime, std::chrono::milliseconds>> wrong_by_ = {
        {SteadyTime{}, std::chrono::milliseconds(0)}};
    std::vector<SteadyTime> clock_set_;                // or the box was paused
    std::vector<Waiting> waiting_;                     // looked at in the evening
    std::map<std::string, std::size_t> of_recipient_;  // messages of this day
    bool quiet_ = false;
    std::set<std::int64_t> quiet_ids_;  // accepted while all was well
};

}  // namespace

std::unique_ptr<Checker> truth() {
    return std::make_unique<Truth>();
}

}  // namespace smsrack::days
