#include "src/cluster/door.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace smsrack::cluster {
namespace {

using std::chrono::milliseconds;

}  // namespace

FleetDoor::FleetDoor(FleetDesk& desk, const FleetSettings& settings, std::string site,
                     ports::BoxPower& power)
    : desk_(desk),
      power_(power),
      settings_(settings),
      facts_{.name = settings.who.name,
             .site = std::move(site),
             .seat = seat_state_names.front(),
             .away = milliseconds(0),
             .lease = settings.lease} {}

std::optional<Error> FleetDoor::refusal() const {
    if (!settings_.refuses_alone) {
        return std::nullopt;
    }
    const std::lock_guard lock(mutex_);
    return facts_.away && *facts_.away >= settings_.accept_wait ? std::optional(engine_away())
                                                                : std::nullopt;
}

void FleetDoor::follow(ports::Accepted accepted, ports::FleetChecks checks,
                       ports::Done<ports::Accepted> done) {
    if (!is_open_) {
        return done(std::move(accepted));
    }
    desk_.post([this, accepted = std::move(accepted), checks, done = std::move(done)]() mutable {
        desk_.follow(std::move(accepted), checks, std::move(done));
    });
}

ports::FleetFacts FleetDoor::facts() const {
    const std::lock_guard lock(mutex_);
    return facts_;
}

std::string FleetDoor::name_of(BoxNumber box) const {
    const std::lock_guard lock(mutex_);
    if (box == BoxNumber{} || box == facts_.box) {
        return facts_.name;
    }
    const auto found = std::ranges::find_if(
        facts_.boxes, [box](const ports::BoxSeen& seen) { return seen.row.box == box; });
    return found == facts_.boxes.end() ? std::string() : found->row.name;
}

void FleetDoor::look() {
    const SeatKeeper& seat = desk_.seat();
    const ports::Fleet& fleet = seat.fleet();
    ports::FleetFacts now{.name = settings_.who.name,
                          .site = {},
                          .seat = seat_state_names.at(static_cast<std::size_t>(seat.state())),
                          .trouble = seat.trouble(),
                          .may_begin = desk_.may_begin(),
                          .away = seat.away_for().transform([](SteadyTime::duration away) {
                              return std::chrono::floor<milliseconds>(away);
                          }),
                          .lease = settings_.lease,
                          .two_disks = fleet.two_disks,
                          .waiting = fleet.waiting,
                          .scaling = desk_.scaler().shown()};
    if (const auto& own = seat.seat()) {
        now.box = own->box;
        now.epoch = own->epoch;
    }
    for (const ports::BoxRow& row : fleet.boxes) {
        const auto said = std::as_const(desk_).upgrader().answer_of(row);
        now.boxes.push_back(
            {.row = row,
             .is_self = row.name == settings_.who.name,
             .silent = std::chrono::floor<milliseconds>(
                 seat.watch().silence(row.box).value_or(SteadyTime::duration::zero())),
             .stays = desk_.scaler().why_it_stays(row.box),
             .program = said.program,
             .not_upgraded = said.why_not});
    }
    {
        const std::lock_guard lock(mutex_);
        now.site = std::move(facts_.site);
        now.kept_here = facts_.kept_here;
        now.own_rules = facts_.own_rules;
        now.box = now.box == BoxNumber{} ? facts_.box : now.box;
        facts_ = std::move(now);
    }
    desk_.world().look([](ports::FleetReader& reader) { return reader.counts(); },
                       [this](const Result<ports::FleetCounts>& counts) {
                           if (counts) {
                               const std::lock_guard lock(mutex_);
                               facts_.kept_here = counts->kept_here;
                               facts_.own_rules = counts->own_rules;
                           }
                       });
}

/// A command without an answer.
template <typename Command>
void FleetDoor::order(Command command, ports::Done<void> done) {
    if (!is_open_) {
        return done(std::unexpected(engine_away()));
    }
    desk_.post([this, command = std::move(command), done = std::move(done)]() mutable {
        desk_.orders().give(std::move(command), std::move(done));
    });
}

bool FleetDoor::is_parked(const std::string& name) const {
    const std::lock_guard lock(mutex_);
    return std::ranges::any_of(facts_.boxes, [&](const ports::BoxSeen& box) {
        return box.row.name == name && box.row.life == ports::BoxLife::parked;
    });
}

/// A parked box that shall take work again is switched on, where this box can.
void FleetDoor::set_life(std::string name, ports::BoxLife life, ports::Done<void> done) {
    if (life != ports::BoxLife::running || !is_parked(name) || !power_.is_there()) {
        return order_life(std::move(name), life, std::move(done));
    }
    order_life(name, life, [this, name, done = std::move(done)](Result<> set) mutable {
        if (!set) {
            return done(std::move(set));
        }
        power_.order(
            ports::PowerOrder::wake, name, [name, done = std::move(done)](Result<> woken) mutable {
                if (!woken) {
                    woken.error().context =
                        name + " takes work again when it runs, but it could not be woken: " +
                        woken.error().context;
                }
                done(std::move(woken));
            });
    });
}

void FleetDoor::order_life(std::string name, ports::BoxLife life, ports::Done<void> done) {
    order(ports::SetLife{.seat = {}, .name = std::move(name), .life = life}, std::move(done));
}

void FleetDoor::rebuild(ports::Done<void> done) {
    order(ports::Rebuild{.seat = {}}, std::move(done));
}

void FleetDoor::upgrade(std::string name, ports::UpgradeOrder order, bool again,
                        ports::Done<void> done) {
    if (!is_open_) {
        return done(std::unexpected(engine_away()));
    }
    desk_.post([this, name = std::move(name), order = std::move(order), again,
                done = std::move(done)]() mutable {
        desk_.upgrader().order(name, std::move(order), again, std::move(done));
    });
}

void FleetDoor::ask(std::string box, ports::BoxQuestion question, ports::BoxAsker by,
                    ports::Done<ports::BoxAnswer> done) {
    if (!is_open_) {
        return done(std::unexpected(engine_away()));
    }
    desk_.post([this, box = std::move(box), question = std::move(question), by = std::move(by),
                done = std::move(done)]() mutable {
        desk_.questions().ask(box, std::move(question), by, std::move(done));
    });
}

void FleetDoor::end_questions() {
    desk_.post([this] { desk_.questions().end(); });
}

void FleetDoor::declare_dead(std::string name, bool unfenced, ports::Done<bool> done) {
    if (unfenced || !power_.is_there()) {
        return set_life(std::move(name), ports::BoxLife::dead,
                        [done = std::move(done)](Result<> set) mutable {
                            done(set ? Result<bool>(false) : std::unexpected(set.error()));
                        });
    }
    if (!is_open_) {
        return done(std::unexpected(engine_away()));
    }
    desk_.post([this, name = std::move(name), done = std::move(done)]() mutable {
        fence(std::move(name), std::move(done));
    });
}

/// A box whose engine is away fences none: what it would decide by that can't be written down.
void FleetDoor::fence(std::string name, ports::Done<bool> done) {
    if (!desk_.seat().seat()) {
        return done(std::unexpected(engine_away()));
    }
    if (name == settings_.who.name) {
        return done(
            fail(Errc::conflict, "a box can't fence itself; give the order to another box"));
    }
    power_.order(
        ports::PowerOrder::fence, name,
        [this, name, done = std::move(done)](const Result<>& fenced) mutable {
            if (!fenced) {
                return done(fail(
                    Errc::conflict,
                    name + " could not be fenced, so nothing was done: " + fenced.error().context));
            }
            set_life(name, ports::BoxLife::dead,
                     [name, done = std::move(done)](Result<> set) mutable {
                         if (set) {
                             return done(true);
                         }
                         set.error().context =
                             name + " was fenced, but is not declared dead: " + set.error().context;
                         done(std::unexpected(std::move(set.error())));
                     });
        });
}

void FleetDoor::check(ports::Done<std::vector<ports::EngineFact>> done) {
    if (!is_open_) {
        return done(std::unexpected(engine_away()));
    }
    desk_.post([this, done = std::move(done)]() mutable {
        desk_.world().ask(
            desk_.world().engine, ports::CheckEngine{},
            [done = std::move(done)](Result<std::vector<ports::EngineFact>> facts) mutable {
                done(std::move(facts));
            });
    });
}

void FleetDoor::cancel(MessageId message, ports::Done<MessageState> done) {
    if (!is_open_) {
        return done(std::unexpected(engine_away()));
    }
    desk_.post([this, message, done = std::move(done)]() mutable {
        desk_.world().look(
            [message](ports::FleetReader& reader) { return reader.find(std::array{message}); },
            [this, message, done = std::move(done)](
                const Result<std::vector<std::optional<ports::FleetRow>>>& found) mutable {
                if (!found || !found->front()) {
                    return done(fail(Errc::not_found, "no shared message has this id"));
                }
                switch (found->front()->stage) {
                    case FleetStage::here:
                        return cancel_here(message, true, std::move(done));
                    case FleetStage::away:
                    case FleetStage::held:
                        return found->front()->kept == Kept::here
                                   ? done(fail(Errc::conflict,
                                               "the message is on its way to the fleet; try again"))
                                   : settle(message, std::move(done));
                    case FleetStage::firm:
                    case FleetStage::ended:
                    case FleetStage::settled:
                        return done(fail(Errc::not_found, "the message is this box's own now"));
                }
            });
    });
}

void FleetDoor::follow_rules(ports::Done<Kept> done) {
    if (!is_open_) {
        return done(Kept::here);
    }
    desk_.post([this, done = std::move(done)]() mutable { desk_.follow_rules(std::move(done)); });
}

void FleetDoor::settle(MessageId message, ports::Done<MessageState> done) {
    const auto& seat = desk_.seat().seat();
    if (!seat) {
        return done(std::unexpected(engine_away()));
    }
    desk_.world().ask(
        desk_.world().engine,
        ports::SettleMessages{
            .seat = *seat,
            .messages = {{.message = message, .state = MessageState::cancelled, .unbegun = true}}},
        [this, message,
         done = std::move(done)](const Result<std::vector<MessageId>>& ended) mutable {
            if (!ended) {
                return done(std::unexpected(ended.error()));
            }
            if (ended->empty()) {
                return done(fail(Errc::conflict, "another box of the fleet has the message"));
            }
            cancel_here(message, false, std::move(done));
        });
}

/// `only_here`: not where it is on its way to the engine by now.
void FleetDoor::cancel_here(MessageId message, bool only_here, ports::Done<MessageState> done) {
    desk_.world().ask(
        desk_.world().store,
        ports::EndElsewhere{.message = message,
                            .state = MessageState::cancelled,
                            .detail = "by_request",
                            .at = desk_.world().clock.wall(),
                            .only_here = only_here},
        [done = std::move(done)](Result<MessageState> state) mutable { done(std::move(state)); });
}

}  // namespace smsrack::cluster
