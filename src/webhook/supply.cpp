#include "src/webhook/supply.hpp"

#include <algorithm>

namespace smsrack::webhook {
namespace {

// The disk may have room again.
constexpr std::chrono::seconds rest_time{1};
// A row that falls due later is looked for at least this often: the clock may have been set.
constexpr std::chrono::seconds look_every{30};
// Skipped events after which the cursor is written although nothing is wanted: what a start reads
// again at most.
constexpr std::int64_t cursor_lag_max = 500;

}  // namespace

EventFilter filter_of(const config::WebhookSettings& settings) {
    return {.webhook = settings.name, .client = settings.client, .patterns = settings.events};
}

Supply::Supply(const config::WebhookSettings& settings, const WebhookWorld& world, Window& window,
               std::function<void()> changed)
    : parallel_(static_cast<std::size_t>(settings.parallel)),
      text_(settings.text),
      world_(world),
      filter_(filter_of(settings)),
      window_(window),
      changed_(std::move(changed)) {}

void Supply::begin(ports::WebhookId id, EventSeq cursor) {
    id_ = id;
    looked_at_ = cursor;
    cursor_ = cursor;
}

bool Supply::events_came() {
    if (busy_) {
        news_ = true;
        return false;
    }
    if (behind_ || !id_) {
        return true;
    }
    const auto part = world_.stream.after(looked_at_, window_rows);
    if (part && std::ranges::none_of(
                    part->events, [this](const Event& event) { return filter_.may_want(event); })) {
        looked_at_ = std::max(looked_at_, part->place);
        behind_ = part->events.size() >= window_rows;
    } else {
        behind_ = true;
    }
    behind_ = behind_ || looked_at_.value - cursor_.value > cursor_lag_max;
    return behind_;
}

bool Supply::has_enough(const Need& need) const {
    if (!need.fails) {
        return window_.ready() >= parallel_;
    }
    return maybe_due_ ? window_.retries() > 0 : window_.ready() > 0;
}

void Supply::load(const Need& need) {
    maybe_due_ = window_.take_dropped() || maybe_due_;
    if (busy_ || !id_) {
        return;
    }
    behind_ = std::exchange(news_, false) || behind_;
    if (need.off || world_.clock.steady() < rest_until_ || has_enough(need)) {
        return;
    }
    if (maybe_due_) {
        read_due(need.fails);
    } else if (behind_ && (!need.fails || (need.fresh && window_.in_flight() == 0))) {
        fetch(need.fails ? 1 : window_rows);
    }
}

void Supply::read_due(bool retries_first) {
    busy_ = true;
    due_read_at_ = world_.clock.steady();
    const std::size_t limit = std::max(window_rows, parallel_) + window_.known();
    // What is here already counts in both bounds, so something new always has room.
    const std::size_t bytes = window_bytes + window_.known() * body_max;
    world_.store.post(
        ports::ReadDueDeliveries{.webhook = *id_,
                                 .at = world_.clock.wall(),
                                 .retries_first = retries_first,
                                 .limit = limit,
                                 .bytes_max = bytes},
        back<ports::DueDeliveries>(
            [limit, bytes, order = order_](Supply& self, Result<ports::DueDeliveries> found) {
                self.busy_ = false;
                if (!found) {
                    return self.rest();
                }
                if (order != self.order_) {
                    return self.changed_();  // and it is read again
                }
                std::size_t read = 0;
                for (const ports::Delivery& one : found->due) {
                    read += one.what.body.size();
                }
                self.maybe_due_ = found->due.size() >= limit || read >= bytes;
                self.next_due_ = found->next;
                self.window_.add(std::move(found->due));
                self.changed_();
            }));
}

void Supply::fetch(std::size_t rows) {
    busy_ = true;
    news_ = false;
    const WantedQuestion question{
        .after = looked_at_, .rows_max = rows, .bytes_max = window_bytes, .text = text_};
    world_.log.ask(
        [filter = filter_, build = world_.build, question](ports::StoreReader& reader) {
            return read_wanted(reader, filter, build, question);
        },
        back<Wanted>([](Supply& self, Result<Wanted> wanted) {
            if (!wanted) {
                self.busy_ = false;
                return self.rest();
            }
            if (wanted->deliveries.empty() &&
                wanted->place.value - self.cursor_.value <= cursor_lag_max) {
                self.busy_ = false;
                self.looked_at_ = std::max(self.looked_at_, wanted->place);
                self.behind_ = wanted->more || self.news_;
                return self.changed_();
            }
            self.stage(*std::move(wanted));
        }));
}

void Supply::stage(Wanted wanted) {
    const EventSeq place = wanted.place;
    world_.store.post(ports::StageDeliveries{.webhook = *id_,
                                             .deliveries = std::move(wanted.deliveries),
                                             .cursor = place,
                                             .at = world_.clock.wall()},
                      back<void>([place, more = wanted.more](Supply& self, Result<> kept) {
                          self.busy_ = false;
                          if (!kept) {
                              return self.rest();  // it is read and staged again
                          }
                          self.looked_at_ = place;
                          self.cursor_ = place;
                          self.behind_ = more || self.news_;
                          self.maybe_due_ = true;
                          self.changed_();
                      }));
}

void Supply::rest() {
    rest_until_ = world_.clock.steady() + rest_time;
    world_.by(rest_until_);
}

void Supply::order_changed() {
    ++order_;
    window_.forget_ready();
    maybe_due_ = true;
}

void Supply::outdate() {
    order_changed();
    window_.outdate();
    next_due_.reset();
}

/// The next start may have other `events`: they are not for what was skipped by these.
void Supply::drain() {
    if (id_ && !busy_ && looked_at_ > cursor_) {
        world_.store.post(
            ports::StageDeliveries{
                .webhook = *id_, .cursor = looked_at_, .at = world_.clock.wall()},
            [](const Result<>&) {});
    }
}

void Supply::step(SteadyTime now) {
    if (next_due_ && (*next_due_ <= world_.clock.wall() || now >= due_read_at_ + look_every)) {
        maybe_due_ = true;
        next_due_.reset();
    }
}

SteadyTime Supply::deadline(bool off) const {
    const SteadyTime now = world_.clock.steady();
    SteadyTime deadline = rest_until_ > now ? rest_until_ : never;
    if (next_due_ && !off) {
        deadline = std::min(deadline, now + std::clamp<SteadyTime::duration>(
                                                *next_due_ - world_.clock.wall(),
                                                std::chrono::milliseconds(1), look_every));
    }
    return deadline;
}

}  // namespace smsrack::webhook
