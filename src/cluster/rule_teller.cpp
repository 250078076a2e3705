#include "src/cluster/rule_teller.hpp"

#include "src/cluster/rule_form.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::cluster {

void RuleTeller::wait(ports::Done<Kept> done, SteadyTime until) {
    if (waiters_.size() >= rule_waiters_max) {
        return done(Kept::here);
    }
    waiters_.push_back({.done = std::move(done), .until = until, .round = round_ + 1});
    wake();
}

void RuleTeller::answer(auto is_meant, Kept kept) {
    const auto rest = std::ranges::stable_partition(
        waiters_, [&](const Waiter& waiter) { return !is_meant(waiter); });
    std::vector<Waiter> meant(std::make_move_iterator(rest.begin()),
                              std::make_move_iterator(rest.end()));
    waiters_.erase(rest.begin(), rest.end());
    for (Waiter& waiter : meant) {
        waiter.done(kept);
    }
}

void RuleTeller::answer_overdue(SteadyTime now) {
    answer([now](const Waiter& waiter) { return waiter.until <= now; }, Kept::here);
}

SteadyTime RuleTeller::next_overdue() const {
    const auto next = std::ranges::min_element(waiters_, {}, &Waiter::until);
    return next == waiters_.end() ? never : next->until;
}

void RuleTeller::answer_all() {
    answer([](const Waiter& /*waiter*/) { return true; }, Kept::here);
}

void RuleTeller::begin() {
    of_ = *seat_.seat();
    ++round_;
    two_disks_ = seat_.fleet().two_disks;
    look();
}

void RuleTeller::look() {
    world_.look([](ports::FleetReader& reader) { return reader.own_rules(round_max); },
                [this](const Result<std::vector<ports::OwnRule>>& rules) {
                    if (!rules) {
                        return end();
                    }
                    if (!rules->empty()) {
                        return tell(*rules);
                    }
                    told_ = of_;
                    answer([this](const Waiter& waiter) { return waiter.round <= round_; },
                           two_disks_ ? Kept::cluster : Kept::one_disk);
                    end();
                });
}

void RuleTeller::tell(const std::vector<ports::OwnRule>& rules) {
    ports::KeepRules command{.seat = of_};
    for (const ports::OwnRule& own : rules) {
        command.rules.push_back(shared(own));
    }
    world_.ask(world_.engine, std::move(command),
               [this, rules](const Result<ports::RulesKept>& kept) {
                   if (!kept) {
                       return give_up(of_, kept.error());
                   }
                   two_disks_ = two_disks_ && kept->two_disks;
                   note(rules);
               });
}

void RuleTeller::note(const std::vector<ports::OwnRule>& rules) {
    ports::NoteRulesKept command;
    for (const ports::OwnRule& own : rules) {
        command.numbers.push_back(own.number);
    }
    world_.ask(world_.store, std::move(command), [this](const Result<>& noted) {
        if (!noted) {
            told_.reset();
            return end();  // the engine gets them once more
        }
        look();
    });
}

}  // namespace smsrack::cluster
