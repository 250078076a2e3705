#include "src/webhook/replayer.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::webhook {

Replayer::Replayer(const WebhookWorld& world, EventFilter filter, Plan plan, Done done)
    : world_(world),
      filter_(std::move(filter)),
      plan_(std::move(plan)),
      done_(std::move(done)),
      until_(plan_.passed) {}

void Replayer::start() {
    if (plan_.wish.dead) {
        return revive();
    }
    if (plan_.wish.since) {
        return find_range();
    }
    place_ = EventSeq{plan_.wish.event.value - 1};
    until_ = plan_.wish.event;
    read_on();
}

void Replayer::revive() {
    world_.store.post(
        ports::ReviveDeliveries{
            .webhook = plan_.webhook, .limit = step_rows, .at = world_.clock.wall()},
        back<std::size_t>([](Replayer& self, Result<std::size_t> count) {
            if (!count) {
                return self.done_(std::move(count));
            }
            self.count_ += *count;
            if (*count < step_rows) {
                return self.done_(self.count_);
            }
            self.revive();
        }));
}

void Replayer::find_range() {
    struct Range {
        EventSeq after = {};
        EventSeq until = {};
    };
    const auto question = [wish = plan_.wish,
                           passed = plan_.passed](ports::StoreReader& reader) -> Result<Range> {
        const auto after = last_before(reader, *wish.since);
        const auto until = wish.until ? last_before(reader, *wish.until) : Result<EventSeq>(passed);
        if (!after || !until) {
            return std::unexpected(after ? until.error() : after.error());
        }
        return Range{.after = *after, .until = std::min(*until, passed)};
    };
    world_.log.ask(question, back<Range>([](Replayer& self, Result<Range> range) {
                       if (!range) {
                           return self.done_(std::unexpected(std::move(range.error())));
                       }
                       self.place_ = range->after;
                       self.until_ = range->until;
                       self.read_on();
                   }));
}

void Replayer::read_on() {
    if (place_ >= until_) {
        return done_(count_);
    }
    const WantedQuestion question{.after = place_,
                                  .until = until_,
                                  .rows_max = step_rows,
                                  .bytes_max = step_bytes,
                                  .text = plan_.text};
    world_.log.ask(
        [filter = filter_, build = world_.build, question](ports::StoreReader& reader) {
            return read_wanted(reader, filter, build, question);
        },
        back<Wanted>([](Replayer& self, Result<Wanted> wanted) {
            if (!wanted) {
                return self.done_(std::unexpected(std::move(wanted.error())));
            }
            self.keep(*std::move(wanted));
        }));
}

void Replayer::keep(Wanted wanted) {
    if (plan_.wish.event != EventSeq{} && wanted.deliveries.empty()) {
        return done_(fail(Errc::not_found,
                          "event: there is none with this id that the webhook "
                          "wants"));
    }
    place_ = wanted.more ? wanted.place : until_;
    world_.store.post(ports::ReplayDeliveries{.webhook = plan_.webhook,
                                              .deliveries = std::move(wanted.deliveries),
                                              .at = world_.clock.wall()},
                      back<std::size_t>([](Replayer& self, Result<std::size_t> count) {
                          if (!count) {
                              return self.done_(std::move(count));
                          }
                          self.count_ += *count;
                          self.read_on();
                      }));
}

}  // namespace smsrack::webhook
