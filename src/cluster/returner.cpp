#include "src/cluster/returner.hpp"

#include "src/cluster/shared_hash.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace smsrack::cluster {
namespace {

// Of one question: most of them are older, where the engine was restored.
constexpr std::size_t pairs_looked_at = 4'000;
// Before the engine last knew: clocks of boxes are hours wrong, and are corrected.
constexpr std::chrono::hours margin{25};

}  // namespace

Returner::Returner(const FleetWorld& world, SeatKeeper& seat, std::function<void()> marked,
                   std::function<void()> shared)
    : Task(world, seat), marked_(std::move(marked)), shared_(std::move(shared)) {}

void Returner::begin() {
    of_ = *seat_.seat();
    if (returns_ != seat_.returns()) {
        returns_ = seat_.returns();
        marked_to_ = {};
        put_to_ = {};
        pause_ = look_pause;
    }
    seat_.has_marked() ? wait_for_putter() : mark();
}

void Returner::look_later() {
    wake_at(world_.clock.steady() + pause_);
    pause_ = std::min(2 * pause_, look_pause_max);
    marked_();
    end();
}

void Returner::mark() {
    if (seat_.seat() != of_) {
        return end();
    }
    world_.ask(
        world_.store,
        ports::PutAgain{
            .after = marked_to_, .now = world_.clock.wall(), .limit = ports::engine_batch_max},
        [this](Result<ports::PutAgain::Page> page) { page ? find(*std::move(page)) : end(); });
}

/// An end that the engine does not know has been forgotten; but one of this box whose time is over needs none.
void Returner::find(ports::PutAgain::Page page) {
    if (page.settled.empty()) {
        return mark_ends({}, page.last);
    }
    auto asked = page.settled;
    world_.ask(
        world_.engine, ports::FindMessages{.seat = of_, .messages = std::move(asked)},
        [this, page = std::move(page)](const Result<std::vector<ports::Whereabouts>>& found) {
            if (!found) {
                return give_up(of_, found.error());
            }
            auto forgotten = page.settled;
            std::erase_if(forgotten, [&](MessageId id) {
                const auto there = std::ranges::find(*found, id, &ports::Whereabouts::message);
                return there != found->end()
                           ? there->stage == ports::SharedStage::ended
                           : std::ranges::find(page.expired, id) != page.expired.end();
            });
            mark_ends(std::move(forgotten), page.last);
        });
}

void Returner::mark_ends(std::vector<MessageId> forgotten, MessageId last) {
    world_.ask(world_.store, ports::PutEndsAgain{.messages = std::move(forgotten)},
               [this, last](const Result<>& marked) {
                   if (!marked) {
                       return end();
                   }
                   if (last == MessageId{}) {
                       return share_rules();
                   }
                   marked_to_ = last;
                   mark();
               });
}

void Returner::share_rules() {
    world_.ask(world_.store, ports::ShareRules{.box = of_.box, .again = true},
               [this](const Result<>& shared) {
                   if (!shared || seat_.seat() != of_) {
                       return end();
                   }
                   seat_.marked(returns_);
                   shared_();
                   marked_();
                   end(true);
               });
}

void Returner::wait_for_putter() {
    world_.look([](ports::FleetReader& reader) { return reader.put_again({}, 1); },
                [this](const Result<std::vector<ports::FleetRow>>& left) {
                    if (left && left->empty()) {
                        return wait_for_settler();
                    }
                    look_later();
                });
}

/// Where this box died with an end that the engine does not have, the policy would give that message to another box.
void Returner::wait_for_settler() {
    world_.look(
        [](ports::FleetReader& reader) -> Result<bool> {
            MessageId after = {};
            for (;;) {
                const auto rows = reader.at_stage(FleetStage::ended, after, round_max);
                if (!rows) {
                    return std::unexpected(rows.error());
                }
                if (rows->empty()) {
                    return true;
                }
                // What the engine has never had is put later.
                if (std::ranges::any_of(
                        *rows, [](const ports::FleetRow& row) { return row.kept != Kept::here; })) {
                    return false;
                }
                after = rows->back().row;
            }
        },
        [this](const Result<bool>& are_settled) {
            if (are_settled && *are_settled) {
                return put_pairs();
            }
            look_later();
        });
}

void Returner::put_pairs() {
    if (seat_.seat() != of_) {
        return end();
    }
    const WallTime known = seat_.known_at();
    world_.look(
        [after = put_to_, since = known == WallTime{} ? known : known - margin](
            ports::FleetReader& reader) { return reader.own_pairs(after, since, pairs_looked_at); },
        [this](const Result<ports::OwnPairs>& page) {
            if (!page) {
                return end();
            }
            put(page->pairs, 0, page->last);
        });
}

/// Those from `first` on, as many at a time as a command may have.
void Returner::put(std::vector<ports::OwnPair> pairs, std::size_t first,
                   std::optional<ports::Pair> last) {
    if (first >= pairs.size()) {
        if (last) {
            put_to_ = *last;
            return put_pairs();
        }
        seat_.put_back(of_);
        return end();
    }
    const std::size_t next = std::min(pairs.size(), first + ports::engine_batch_max);
    ports::PutPairs command{.seat = of_};
    for (std::size_t i = first; i < next; ++i) {
        const auto age =
            std::chrono::floor<std::chrono::seconds>(world_.clock.wall() - pairs[i].claimed_at);
        command.pairs.push_back({.pair = shared_hash(pairs[i].words),
                                 .message = pairs[i].message,
                                 .age = std::max(age, std::chrono::seconds(0))});
    }
    world_.ask(world_.engine, std::move(command),
               [this, pairs = std::move(pairs), next, last](const Result<>& kept) mutable {
                   if (!kept) {
                       return give_up(of_, kept.error());
                   }
                   put(std::move(pairs), next, last);
               });
}

}  // namespace smsrack::cluster
