#include "src/cluster/rule_reader.hpp"

#include "src/cluster/rule_form.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::cluster {
namespace {

// A look that found nothing new is written no more often.
constexpr std::chrono::hours note_every{1};

}  // namespace

bool RuleReader::knows_rules(Level level) const {
    const std::int64_t heard = heard_ns_.load(std::memory_order_acquire);
    return level >= world_.settings.rules_exempt_level ||
           (heard != never_heard && world_.clock.since_boot() - std::chrono::nanoseconds(heard) <
                                        world_.settings.rules_max_age);
}

void RuleReader::notice() {
    looks_left_ = looks;
    wake();
}

void RuleReader::begin() {
    if (!is_looked_up_) {
        return look_up();
    }
    of_ = *seat_.seat();
    if (place_.box != of_.box) {
        return share(false);
    }
    if (looks_left_ == 0 && has_none()) {
        return obey({.mark = place_.mark}, seat_.last_look()->since_boot);
    }
    read();
}

bool RuleReader::has_none() const {
    const auto& look = seat_.last_look();
    return look && !look->has_rules && look->read.rules == place_.mark;
}

/// The engine gets them first: what it has of them is read behind that.
void RuleReader::share(bool again) {
    world_.ask(world_.store, ports::ShareRules{.box = of_.box, .again = again},
               [this](const Result<>& shared) {
                   if (shared) {
                       place_ = {.box = of_.box, .heard = place_.heard};
                   }
                   end(shared.has_value());
               });
}

void RuleReader::look_up() {
    world_.look([](ports::FleetReader& reader) { return reader.rules_place(); },
                [this](const Result<ports::RulesPlace>& place) {
                    if (!place) {
                        return end();
                    }
                    place_ = *place;
                    is_looked_up_ = true;
                    // A clock that was set back says nothing.
                    const std::chrono::nanoseconds age = world_.clock.wall() - place_.heard;
                    if (place_.heard != WallTime{} && age >= age.zero()) {
                        heard(world_.clock.since_boot() - age, true);
                    }
                    end(true);
                });
}

void RuleReader::read() {
    const std::chrono::nanoseconds asked = world_.clock.since_boot();
    world_.ask(
        world_.engine,
        ports::ReadRules{.seat = of_, .after = place_.mark, .limit = ports::engine_batch_max},
        [this, asked](const Result<ports::RulesRead>& read) {
            if (!read) {
                return give_up(of_, read.error());
            }
            obey(*read, asked);
        });
}

void RuleReader::obey(const ports::RulesRead& read, std::chrono::nanoseconds asked) {
    if (!read.rules.empty() && read.mark < place_.mark) {
        return share(true);  // the engine was restored: it may lack what this box knows
    }
    const WallTime now = world_.clock.wall();
    const bool all = read.rules.size() < ports::engine_batch_max;
    ports::ObeyRules command{.mark = read.mark, .heard = all ? now : WallTime{}};
    for (const ports::SharedRule& shared : read.rules) {
        if (auto rule = rule_of(shared, now)) {
            command.rules.push_back(*std::move(rule));
        }
    }
    if (read.mark == place_.mark && now - place_.heard < note_every && now >= place_.heard) {
        heard(asked, all);
        return end();
    }
    world_.ask(world_.store, std::move(command),
               [this, asked, all, mark = read.mark, now](const Result<>& obeyed) {
                   if (!obeyed) {
                       return end();  // they are read again
                   }
                   place_.mark = mark;
                   place_.heard = all ? now : place_.heard;
                   heard(asked, all);
                   end(!all);
               });
}

void RuleReader::heard(std::chrono::nanoseconds asked, bool all) {
    // A beat may have left before what was read last.
    if (all && asked.count() > heard_ns_.load(std::memory_order_relaxed)) {
        heard_ns_.store(asked.count(), std::memory_order_release);
    }
    if (looks_left_ > 0) {
        --looks_left_;
        wake_at(world_.clock.steady() + look_pause);
    }
}

}  // namespace smsrack::cluster
