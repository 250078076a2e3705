#include "src/webhook/webhook.hpp"

#include "src/base/time_text.hpp"
#include "src/webhook/judge.hpp"
#include "src/webhook/replayer.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

namespace smsrack::webhook {
namespace {

// From the gate's timeout to its result's way here.
constexpr std::chrono::seconds test_slack{5};

std::unexpected<Error> too_early() {
    return std::unexpected(Error{.code = Errc::overloaded,
                                 .context = "the service has just begun",
                                 .retry_after = std::chrono::seconds(1)});
}

}  // namespace

Webhook::Webhook(config::WebhookSettings settings, WebhookWorld world)
    : settings_(std::move(settings)),
      world_(std::move(world)),
      standing_(world_.clock, world_.random),
      supply_(std::make_shared<Supply>(settings_, world_, window_, [this] { pump(); })),
      meter_(std::make_shared<Meter>(world_, filter_of(settings_))) {}

void Webhook::begin(const ports::WebhookRow& row) {
    if (id_) {
        return recount();  // named again
    }
    id_ = row.id;
    loss_ = row.loss;
    standing_.begin(row);
    supply_->begin(row.id, row.cursor);
    gate_.begin(world_.clock.steady());
    recount();
    pump();
}

void Webhook::events_came() {
    if (supply_->events_came()) {
        pump();
    }
}

void Webhook::pump() {
    if (clock_.was_set(world_.clock)) {
        supply_->outdate();
    }
    const SteadyTime now = world_.clock.steady();
    free_at_ = window_.free_lost(now);
    answer_take(now);
    watch_gate();
    supply_->load({.off = standing_.is_off(),
                   .fails = standing_.fails(),
                   .fresh = standing_.may_try_fresh(now)});
    world_.by(next_deadline());
}

// -- to the gate

void Webhook::take(Take take) {
    const SteadyTime now = world_.clock.steady();
    const bool is_new = gate_.takes(take.gate, take.unusable, now);
    if (is_new) {
        tests_.give_again();
    }
    window_.held(take.holding, is_new, now);
    takes_.open(std::move(take), life().state, now);
    pump();
}

std::size_t Webhook::parallel() const {
    return standing_.fails() ? 1 : static_cast<std::size_t>(settings_.parallel);
}

void Webhook::answer_take(SteadyTime now) {
    if (!takes_.is_open()) {
        return;
    }
    if (takes_.answer({.state = life().state,
                       .parallel = parallel(),
                       .pause = standing_.pause_left(),
                       .deliveries = give(now),
                       .tests = tests_.give()},
                      now)) {
        gate_.seen(now);
    }
}

std::vector<ports::Delivery> Webhook::give(SteadyTime now) {
    if (!id_ || standing_.is_off() || standing_.is_paused(now) || takes_.drains()) {
        return {};
    }
    const std::size_t free = parallel() - std::min(parallel(), window_.in_flight());
    auto given = window_.give(std::min(free, takes_.room()), standing_.may_try_fresh(now), now);
    if (standing_.fails() &&
        std::ranges::any_of(given, [](const auto& one) { return one.tries == 0; })) {
        standing_.tried_fresh();
    }
    return given;
}

std::string Webhook::gate_fault() const {
    return !id_ || standing_.is_off() ? "" : gate_.fault(world_.clock.steady());
}

void Webhook::watch_gate() {
    std::string fault = gate_fault();
    if (fault != gate_fault_) {
        gate_fault_ = std::move(fault);
        world_.changed();
    }
}

// -- results

void Webhook::results(std::vector<AttemptResult> results,
                      std::move_only_function<void(Result<>)> done) {
    gate_.seen(world_.clock.steady());
    if (clock_.was_set(world_.clock)) {
        supply_->outdate();
    }
    if (!id_) {
        return done(too_early());
    }
    std::vector<EventSeq> unknown;
    for (const AttemptResult& result : results) {
        if (window_.find(result.event) == nullptr) {
            unknown.push_back(result.event);
        }
    }
    if (unknown.empty()) {
        return decide(results, {}, std::move(done));
    }
    // The gate got them from the process before this one, or they were decided since.
    world_.store.post(ports::ReadDeliveries{.webhook = *id_, .events = unknown},
                      back<std::vector<ports::Delivery>>(
                          [unknown, results = std::move(results), done = std::move(done)](
                              Webhook& self, Result<std::vector<ports::Delivery>> rows) mutable {
                              if (!rows) {
                                  return done(std::unexpected(std::move(rows.error())));
                              }
                              const auto adopted = self.window_.adopt(*std::move(rows), unknown);
                              self.decide(results, adopted, std::move(done));
                          }));
}

/// The command is posted where nothing is expected too: an earlier one with the same results may
/// still be on its way to the disk, and this answer comes after it. `adopted`: those that the window
/// has for these results alone.
void Webhook::decide(const std::vector<AttemptResult>& results,
                     const std::vector<EventSeq>& adopted,
                     std::move_only_function<void(Result<>)> done) {
    const ports::WebhookLife before = life();
    ports::EndAttempts command{
        .webhook = *id_, .name = settings_.name, .life = before, .at = world_.clock.wall()};
    for (const AttemptResult& result : results) {
        const ports::Delivery* const delivery = window_.find(result.event);
        if (delivery == nullptr || window_.is_deciding(result.event) ||
            delivery->attempts + 1 != result.attempt.attempt) {
            continue;
        }
        Judgement judged = judge(result, *delivery, std::move(command.life), settings_.retry,
                                 command.at, world_.random);
        command.ends.push_back(std::move(judged.end));
        command.life = std::move(judged.life);
        if (judged.pause) {
            standing_.pause(*judged.pause);
        }
        window_.decide(result.event);
    }
    for (const EventSeq event : adopted) {
        window_.disown(event);  // a repeated result, decided before: its pause continues
    }
    take_over(command.life);
    command.paused_until = standing_.pause_end();
    world_.store.post(
        command,
        back<std::vector<EventSeq>>([command, before, done = std::move(done)](
                                        Webhook& self, Result<std::vector<EventSeq>> kept) mutable {
            if (!kept) {
                self.undo(command.life, before);  // the gate says it again
            }
            self.ended(command, kept);
            done(kept ? Result<>() : std::unexpected(std::move(kept.error())));
        }));
    pump();
}

void Webhook::ended(const ports::EndAttempts& command, const Result<std::vector<EventSeq>>& kept) {
    for (const ports::EndAttempts::End& end : command.ends) {
        window_.decided(end.event, kept.has_value());
        if (kept && std::ranges::find(*kept, end.event) != kept->end()) {
            count(end);
        }
    }
    meter_->outdated();
    supply_->rows_changed();  // a later event of the same thing may be free now
    pump();
}

void Webhook::count(const ports::EndAttempts::End& end) {
    numbers_.attempt(end.attempt.status, end.attempt.took);
    switch (end.state) {
        case ports::DeliveryState::delivered:
            ++numbers_.delivered;
            break;
        case ports::DeliveryState::dead:
            ++numbers_.failed;
            ++numbers_.dead;
            ++dead_;
            world_.changed();
            break;
        case ports::DeliveryState::waiting:
            ++numbers_.failed;
            supply_->due_at(end.next_at);
            break;
    }
}

// -- operators

void Webhook::take_over(ports::WebhookLife life) {
    if (standing_.take_over(std::move(life))) {
        supply_->order_changed();
        world_.changed();
    }
}

/// The disk refused `taken`. Something later was written with it, or is on its way: then it stays.
void Webhook::undo(const ports::WebhookLife& taken, ports::WebhookLife before) {
    if (life() == taken && before != taken) {
        take_over(std::move(before));
        supply_->order_changed();
        pump();
    }
}

void Webhook::switch_to(Happened order, std::move_only_function<void(Result<>)> done) {
    if (!id_) {
        return done(too_early());
    }
    const WallTime now = world_.clock.wall();
    const ports::WebhookLife before = life();
    ports::WebhookLife taken = before;
    apply(taken, order, now, "switched off by an operator");
    const bool on = order == Happened::switched_on;
    // At once: results that come before the commit are decided and written with this life.
    take_over(taken);
    if (on) {
        standing_.end_pauses();
        supply_->look_again();
    }
    world_.store.post(ports::KeepWebhookLife{.webhook = *id_,
                                             .life = taken,
                                             .paused_until = standing_.pause_end(),
                                             .hurry = on ? std::optional(now) : std::nullopt},
                      back<void>([before, taken, on, done = std::move(done)](
                                     Webhook& self, Result<> kept) mutable {
                          if (!kept) {
                              self.undo(taken, before);
                          } else if (on) {
                              self.loss_ = {};
                              self.meter_->outdated();
                              self.world_.changed();
                          }
                          done(std::move(kept));
                      }));
    supply_->outdate();  // what is read from now on is read after the commit
    pump();
}

Result<> Webhook::test(TestDesk::Done done) {
    const std::string id = fmt::format("evt_test_{:016x}", world_.random.next());
    const std::string body =
        fmt::format(R"({{"type":"webhook.test","timestamp":"{}","data":{{"webhook":"{}"}}}})",
                    time_text(world_.clock.wall()), settings_.name);
    auto begun =
        tests_.begin({.id = id, .body = body},
                     world_.clock.steady() + settings_.timeout + test_slack, std::move(done));
    pump();
    return begun;
}

void Webhook::replay(ReplayWish wish, std::move_only_function<void(Result<std::size_t>)> done) {
    if (!id_ || replays_) {
        return done(fail(Errc::conflict, "another replay of this webhook is under way"));
    }
    replays_ = true;
    std::make_shared<Replayer>(
        world_, filter_of(settings_),
        Replayer::Plan{
            .webhook = *id_, .passed = supply_->passed(), .text = settings_.text, .wish = wish},
        [weak = weak_from_this(), done = std::move(done)](Result<std::size_t> count) mutable {
            if (const auto self = weak.lock()) {
                self->replays_ = false;
                self->supply_->order_changed();
                self->recount();
                self->pump();
            }
            done(std::move(count));
        })
        ->start();
}

void Webhook::measure(Meter::Done done) {
    if (!id_) {
        return done(Measured{});
    }
    meter_->measure(*id_, supply_->passed(),
                    [weak = weak_from_this(),
                     done = std::move(done)](const Result<Measured>& measured) mutable {
                        const auto self = weak.lock();
                        if (self && measured) {
                            self->take_over(*measured);
                        }
                        done(measured);
                    });
}

void Webhook::recount() {
    meter_->outdated();
    measure([](const Result<Measured>&) {});
}

void Webhook::take_over(const Measured& measured) {
    if (dead_ == measured.dead && loss_ == measured.loss) {
        return;
    }
    dead_ = measured.dead;
    loss_ = measured.loss;
    world_.changed();
}

// -- time

void Webhook::drain() {
    takes_.drain();
    supply_->drain();
    tests_.step(never);
    pump();
}

SteadyTime Webhook::step(SteadyTime now) {
    supply_->step(now);
    tests_.step(now);
    pump();
    return next_deadline();
}

SteadyTime Webhook::next_deadline() const {
    const SteadyTime now = world_.clock.steady();
    SteadyTime deadline = std::min(tests_.deadline(), supply_->deadline(standing_.is_off()));
    const auto by = [&](SteadyTime at) {
        if (at > now) {
            deadline = std::min(deadline, at);
        }
    };
    by(takes_.deadline());
    by(standing_.paused_until());
    by(free_at_);
    by(gate_.silent_at());
    if (standing_.fails()) {
        by(standing_.fresh_at());
    }
    return deadline;
}

}  // namespace smsrack::webhook
