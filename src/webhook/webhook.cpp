#include "src/webhook/webhook.hpp"

#include "src/base/clock_move.hpp"
#include "src/base/time_text.hpp"
#include "src/webhook/replayer.hpp"
#include "src/webhook/retry.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace smsrack::webhook {
namespace {

// The disk may have room again.
constexpr std::chrono::seconds rest{1};
// A row that falls due later is looked for at least this often: the clock may have been set.
constexpr std::chrono::seconds look_every{30};
// Skipped events after which the cursor is written although nothing is wanted: what a start reads
// again at most, with the `events` that the webhook has then.
constexpr std::int64_t cursor_lag_max = 500;
// From the gate's timeout to its result's way here.
constexpr std::chrono::seconds test_slack{5};

std::string reason_of(const ports::DeliveryAttempt& attempt) {
    return attempt.status == 0 ? attempt.error : fmt::format("HTTP {}", attempt.status);
}

}  // namespace

Webhook::Webhook(config::WebhookSettings settings, WebhookWorld world)
    : settings_(std::move(settings)),
      world_(std::move(world)),
      filter_{.webhook = settings_.name, .client = settings_.client, .patterns = settings_.events},
      meter_(std::make_shared<Meter>(world_, filter_)) {}

void Webhook::begin(const ports::WebhookRow& row) {
    if (id_) {
        return recount();  // named again
    }
    id_ = row.id;
    life_ = row.life;
    looked_at_ = row.cursor;
    cursor_ = row.cursor;
    gate_.begin(world_.clock.steady());
    if (row.paused_until) {
        paused_until_ =
            world_.clock.steady() + std::min<SteadyTime::duration>(
                                        *row.paused_until - world_.clock.wall(), retry_after_max);
    }
    recount();
    pump();
}

void Webhook::events_came() {
    if (busy_) {
        news_ = true;
        return;
    }
    if (behind_ || !id_) {
        return pump();
    }
    const auto part = world_.stream.after(looked_at_, window_rows);
    if (part && std::ranges::none_of(
                    part->events, [this](const Event& event) { return filter_.may_want(event); })) {
        looked_at_ = std::max(looked_at_, part->place);
        behind_ = part->events.size() >= window_rows;
    } else {
        behind_ = true;
    }
    if (behind_ || looked_at_.value - cursor_.value > cursor_lag_max) {
        behind_ = true;
        pump();
    }
}

// -- to the gate

void Webhook::take(Take take) {
    if (take_) {
        take_->done({.superseded = true});
    }
    const SteadyTime now = world_.clock.steady();
    const bool is_new = gate_.takes(take.gate, take.unusable, now);
    if (is_new) {
        tests_.give_again();
    }
    window_.held(take.holding, is_new, now);
    take_ = std::move(take);
    take_saw_ = life_.state;
    take_until_ = now + take_max;
    pump();
}

void Webhook::answer_take(SteadyTime now) {
    if (take_ && take_->gone()) {
        take_.reset();
    }
    if (!take_) {
        return;
    }
    TakeAnswer answer{.deliveries = give(now), .tests = tests_.give()};
    const bool empty = answer.deliveries.empty() && answer.tests.empty();
    if (empty && life_.state == take_saw_ && now < take_until_ && !draining_) {
        return;
    }
    answer.state = life_.state;
    answer.parallel = fails() ? 1 : static_cast<std::size_t>(settings_.parallel);
    answer.pause = std::chrono::ceil<std::chrono::milliseconds>(
        std::max(SteadyTime::duration::zero(), paused_until_ - now));
    gate_.seen(now);
    std::exchange(take_, std::nullopt)->done(std::move(answer));
}

std::vector<ports::Delivery> Webhook::give(SteadyTime now) {
    if (!id_ || is_off() || now < paused_until_ || draining_) {
        return {};
    }
    const std::size_t most = fails() ? 1 : static_cast<std::size_t>(settings_.parallel);
    const std::size_t free = most - std::min(most, window_.in_flight());
    auto given = window_.give(std::min(free, take_->room), may_try_fresh(now), now);
    if (fails() && std::ranges::any_of(given, [](const auto& one) { return one.tries == 0; })) {
        fresh_at_ = now + jittered(fresh_pause, world_.random);
    }
    return given;
}

// -- from store and log

void Webhook::pump() {
    watch_clock();
    const SteadyTime now = world_.clock.steady();
    free_at_ = window_.free_lost(now);
    maybe_due_ = window_.take_dropped() || maybe_due_;
    answer_take(now);
    watch_gate();
    if (id_) {
        load();
    }
    world_.by(next_deadline());
}

bool Webhook::has_enough() const {
    if (!fails()) {
        return window_.ready() >= static_cast<std::size_t>(settings_.parallel);
    }
    return maybe_due_ ? window_.retries() > 0 : window_.ready() > 0;
}

void Webhook::load() {
    const SteadyTime now = world_.clock.steady();
    if (busy_) {
        return;
    }
    behind_ = std::exchange(news_, false) || behind_;
    if (is_off() || now < rest_until_ || has_enough()) {
        return;
    }
    if (maybe_due_) {
        read_due();
    } else if (behind_ && (!fails() || (may_try_fresh(now) && window_.in_flight() == 0))) {
        fetch();
    }
}

void Webhook::read_due() {
    busy_ = true;
    due_read_at_ = world_.clock.steady();
    const std::size_t limit =
        std::max(window_rows, static_cast<std::size_t>(settings_.parallel)) + window_.known();
    // What is here already counts in both bounds, so something new always has room.
    const std::size_t bytes = window_bytes + window_.known() * body_max;
    world_.store.post(
        ports::ReadDueDeliveries{.webhook = *id_,
                                 .at = world_.clock.wall(),
                                 .retries_first = fails(),
                                 .limit = limit,
                                 .bytes_max = bytes},
        back<ports::DueDeliveries>(
            [limit, bytes, order = order_](Webhook& self, Result<ports::DueDeliveries> found) {
                self.busy_ = false;
                if (!found) {
                    return self.stumbled();
                }
                if (order != self.order_) {
                    return self.pump();  // and it is read again
                }
                std::size_t read = 0;
                for (const ports::Delivery& one : found->due) {
                    read += one.what.body.size();
                }
                self.maybe_due_ = found->due.size() >= limit || read >= bytes;
                self.next_due_ = found->next;
                if (!self.is_off()) {
                    self.window_.add(std::move(found->due));
                }
                self.pump();
            }));
}

void Webhook::fetch() {
    busy_ = true;
    news_ = false;
    const WantedQuestion question{.after = looked_at_,
                                  .rows_max = fails() ? 1 : window_rows,
                                  .bytes_max = window_bytes,
                                  .text = settings_.text};
    world_.log.ask(
        [filter = filter_, build = world_.build, question](ports::StoreReader& reader) {
            return read_wanted(reader, filter, build, question);
        },
        back<Wanted>([](Webhook& self, Result<Wanted> wanted) {
            if (!wanted) {
                self.busy_ = false;
                return self.stumbled();
            }
            if (wanted->deliveries.empty() &&
                wanted->place.value - self.cursor_.value <= cursor_lag_max) {
                self.busy_ = false;
                self.looked_at_ = std::max(self.looked_at_, wanted->place);
                self.behind_ = wanted->more || self.news_;
                return self.pump();
            }
            self.stage(*std::move(wanted));
        }));
}

void Webhook::stage(Wanted wanted) {
    const EventSeq place = wanted.place;
    world_.store.post(ports::StageDeliveries{.webhook = *id_,
                                             .deliveries = std::move(wanted.deliveries),
                                             .cursor = place,
                                             .at = world_.clock.wall()},
                      back<void>([place, more = wanted.more](Webhook& self, Result<> kept) {
                          self.busy_ = false;
                          if (!kept) {
                              return self.stumbled();  // it is read and staged again
                          }
                          self.looked_at_ = place;
                          self.cursor_ = place;
                          self.behind_ = more || self.news_;
                          self.maybe_due_ = true;
                          self.pump();
                      }));
}

void Webhook::stumbled() {
    rest_until_ = world_.clock.steady() + rest;
    world_.by(rest_until_);
}

// -- results

void Webhook::results(std::vector<AttemptResult> results,
                      std::move_only_function<void(Result<>)> done) {
    gate_.seen(world_.clock.steady());
    watch_clock();
    if (!id_) {
        return done(std::unexpected(Error{.code = Errc::overloaded,
                                          .context = "the service has just begun",
                                          .retry_after = rest}));
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
    const ports::WebhookLife before = life_;
    ports::EndAttempts command{
        .webhook = *id_, .name = settings_.name, .life = life_, .at = world_.clock.wall()};
    for (const AttemptResult& result : results) {
        const ports::Delivery* const delivery = window_.find(result.event);
        if (delivery != nullptr && !window_.is_deciding(result.event) &&
            delivery->attempts + 1 == result.attempt.attempt) {
            judge(result, *delivery, command);
            window_.decide(result.event);
        }
    }
    for (const EventSeq event : adopted) {
        window_.disown(event);  // a repeated result, decided before: its pause continues
    }
    take_over(command.life);
    command.paused_until = pause_end();
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

void Webhook::judge(const AttemptResult& result, const ports::Delivery& delivery,
                    ports::EndAttempts& command) {
    ports::EndAttempts::End end{.event = result.event, .attempt = result.attempt};
    ports::WebhookLife& life = command.life;
    const Answer answer = answer_of(result.attempt.status);
    if (answer == Answer::delivered) {
        end.state = ports::DeliveryState::delivered;
        life.failures = 0;
        apply(life, Happened::succeeded, command.at, {});
    } else {
        const Verdict verdict =
            judge_failure(delivery.tries, delivery.first_at.value_or(command.at), settings_.retry,
                          command.at, world_.random);
        end.state = verdict.state;
        end.next_at = verdict.next_at;
        ++life.failures;
        const std::string reason = reason_of(result.attempt);
        if (answer == Answer::gone) {
            apply(life, Happened::gone, command.at, reason);
        } else if (life.failures >= failures_limit) {
            apply(life, Happened::failed_often, command.at, reason);
        }
        if (const auto pause = asked_pause(result.attempt.status, result.retry_after)) {
            paused_until_ = std::max(paused_until_, world_.clock.steady() + *pause);
        }
    }
    command.ends.push_back(std::move(end));
}

void Webhook::ended(const ports::EndAttempts& command, const Result<std::vector<EventSeq>>& kept) {
    for (const ports::EndAttempts::End& end : command.ends) {
        window_.decided(end.event, kept.has_value());
        if (!kept || std::ranges::find(*kept, end.event) == kept->end()) {
            continue;
        }
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
                next_due_ = std::min(next_due_.value_or(end.next_at), end.next_at);
                break;
        }
    }
    meter_->outdated();
    maybe_due_ = true;  // a later event of the same thing may be free now
    pump();
}

// -- operators

void Webhook::take_over(ports::WebhookLife life) {
    const bool changed = life.state != life_.state;
    life_ = std::move(life);
    if (!changed) {
        return;
    }
    if (fails()) {
        fresh_at_ = world_.clock.steady() + jittered(fresh_pause, world_.random);
    }
    order_changed();
    world_.changed();
}

/// The disk refused `taken`. Something later was written with it, or is on its way: then it stays.
void Webhook::undo(const ports::WebhookLife& taken, ports::WebhookLife before) {
    if (life_ == taken && before != taken) {
        take_over(std::move(before));
        order_changed();
        pump();
    }
}

/// What is ready may not be the next any more: it is read again.
void Webhook::order_changed() {
    ++order_;
    window_.forget_ready();
    maybe_due_ = true;
}

/// The store has other times and tries than what was read.
void Webhook::outdate() {
    order_changed();
    window_.outdate();
    next_due_.reset();
}

/// The store moves its times when the clock is set: what was read before has the old ones.
void Webhook::watch_clock() {
    const auto date = world_.clock.wall().time_since_epoch() -
                      world_.clock.steady().time_since_epoch();  // when the steady clock began
    const auto last =
        std::exchange(clock_began_, std::chrono::floor<std::chrono::milliseconds>(date));
    if (last && std::chrono::abs(*clock_began_ - *last) >= clock_step_least) {
        outdate();
    }
}

std::string Webhook::gate_fault() const {
    return !id_ || is_off() ? "" : gate_.fault(world_.clock.steady());
}

void Webhook::watch_gate() {
    std::string fault = gate_fault();
    if (fault != gate_fault_) {
        gate_fault_ = std::move(fault);
        world_.changed();
    }
}

std::optional<WallTime> Webhook::pause_end() const {
    const SteadyTime now = world_.clock.steady();
    return paused_until_ > now
               ? std::optional(world_.clock.wall() +
                               std::chrono::ceil<std::chrono::milliseconds>(paused_until_ - now))
               : std::nullopt;
}

void Webhook::switch_to(Happened order, std::move_only_function<void(Result<>)> done) {
    if (!id_) {
        return done(std::unexpected(Error{.code = Errc::overloaded,
                                          .context = "the service has just begun",
                                          .retry_after = rest}));
    }
    const WallTime now = world_.clock.wall();
    const ports::WebhookLife before = life_;
    ports::WebhookLife life = life_;
    apply(life, order, now, "switched off by an operator");
    const bool on = order == Happened::switched_on;
    // At once: results that come before the commit are decided and written with this life.
    take_over(life);
    if (on) {
        paused_until_ = {};
        fresh_at_ = {};
        behind_ = true;
    }
    world_.store.post(ports::KeepWebhookLife{.webhook = *id_,
                                             .life = life,
                                             .paused_until = pause_end(),
                                             .hurry = on ? std::optional(now) : std::nullopt},
                      back<void>([before, life, on, done = std::move(done)](Webhook& self,
                                                                            Result<> kept) mutable {
                          if (!kept) {
                              self.undo(life, before);
                          } else if (on) {
                              self.loss_ = {};
                              self.meter_->outdated();
                              self.world_.changed();
                          }
                          done(std::move(kept));
                      }));
    outdate();  // what is read from now on is read after the commit
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
        world_, filter_,
        Replayer::Plan{.webhook = *id_, .passed = looked_at_, .text = settings_.text, .wish = wish},
        [weak = weak_from_this(), done = std::move(done)](Result<std::size_t> count) mutable {
            if (const auto self = weak.lock()) {
                self->replays_ = false;
                self->order_changed();
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
    meter_->measure(*id_, looked_at_, std::move(done));
}

void Webhook::recount() {
    meter_->outdated();
    measure([weak = weak_from_this()](const Result<Measured>& measured) {
        const auto self = weak.lock();
        if (self && measured) {
            self->dead_ = measured->dead;
            self->loss_ = measured->loss;
            self->world_.changed();
        }
    });
}

// -- time

void Webhook::drain() {
    draining_ = true;
    if (id_ && !busy_ && looked_at_ > cursor_) {
        // The next start may have other `events`: they are not for what was skipped by these.
        world_.store.post(
            ports::StageDeliveries{
                .webhook = *id_, .cursor = looked_at_, .at = world_.clock.wall()},
            [](const Result<>&) {});
    }
    tests_.step(never);
    pump();
}

SteadyTime Webhook::step(SteadyTime now) {
    if (next_due_ && (*next_due_ <= world_.clock.wall() || now >= due_read_at_ + look_every)) {
        maybe_due_ = true;
        next_due_.reset();
    }
    tests_.step(now);
    pump();
    return next_deadline();
}

SteadyTime Webhook::next_deadline() const {
    const SteadyTime now = world_.clock.steady();
    SteadyTime deadline = tests_.deadline();
    const auto by = [&](SteadyTime at) {
        if (at > now) {
            deadline = std::min(deadline, at);
        }
    };
    if (take_) {
        by(take_until_);
        by(paused_until_);
    }
    by(rest_until_);
    by(free_at_);
    by(gate_.silent_at());
    if (fails()) {
        by(fresh_at_);
    }
    if (next_due_ && !is_off()) {
        by(now + std::clamp<SteadyTime::duration>(*next_due_ - world_.clock.wall(),
                                                  std::chrono::milliseconds(1), look_every));
    }
    return deadline;
}

}  // namespace smsrack::webhook
