#include "src/webhook/meter.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::webhook {

void Meter::measure(ports::WebhookId webhook, EventSeq passed, Done done) {
    if (last_ && at_ != SteadyTime{} && world_.clock.steady() < at_ + fresh_for) {
        return done(*last_);
    }
    asking_.push_back(std::move(done));
    if (asking_.size() == 1) {
        count_rows(webhook, passed);
    }
}

void Meter::count_rows(ports::WebhookId webhook, EventSeq passed) {
    world_.store.ask(
        [webhook](ports::WebhookReader& reader) { return reader.counts(webhook, counted_max); },
        back_to<ports::DeliveryCounts>(
            world_.loop, weak_from_this(),
            [webhook, passed, changes = changes_](Meter& self, Result<ports::DeliveryCounts> rows) {
                if (!rows) {
                    return self.answer(std::unexpected(std::move(rows.error())));
                }
                self.count_log(webhook, passed, *rows, changes);
            }));
}

void Meter::count_log(ports::WebhookId webhook, EventSeq passed, const ports::DeliveryCounts& rows,
                      std::uint64_t changes) {
    world_.log.ask(
        [filter = filter_, passed, most = counted_max - rows.waiting](ports::StoreReader& reader) {
            return count_behind(reader, filter, passed, most);
        },
        back_to<Behind>(world_.loop, weak_from_this(), [=](Meter& self, Result<Behind> behind) {
            if (!behind) {
                return self.answer(std::unexpected(std::move(behind.error())));
            }
            if (changes != self.changes_) {
                return self.count_rows(webhook, passed);  // counted before the change
            }
            Measured measured{.waiting = rows.waiting + behind->events,
                              .dead = rows.dead,
                              .oldest = rows.oldest,
                              .loss = rows.loss};
            if (behind->oldest) {
                measured.oldest =
                    std::min(measured.oldest.value_or(*behind->oldest), *behind->oldest);
            }
            self.last_ = measured;
            self.at_ = self.world_.clock.steady();
            self.answer(measured);
        }));
}

void Meter::answer(const Result<Measured>& measured) {
    for (Done& done : std::exchange(asking_, {})) {
        done(measured);
    }
}

}  // namespace smsrack::webhook
