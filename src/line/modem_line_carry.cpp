// A line from one owner to the next: what is in flight is passed on as it is.
#include "src/base/check.hpp"
#include "src/line/modem_line.hpp"

#include <utility>

namespace smsrack::line {

/// [EBAS] block: it finishes what has left and gets nothing new.
void ModemLine::on(const Hold& mail) {
    if (std::exchange(held_back_, mail.held) == mail.held) {
        return;
    }
    world_.modem.hold(mail.held);
    if (mail.held) {
        apply(LineEvent::claim);
        go_on_if_rested();  // what is left of a long message goes back
    } else {
        release_if_free();
    }
}

/// It is about a message, or a command of its modem ends in a moment: such as the one that puts the
/// modem back to its first rate. Else the modem is set up, which may take long.
bool ModemLine::is_soon_settled() const {
    switch (world_.modem.life()) {
        case ports::LineLife::ready:
        case ports::LineLife::registering:
        case ports::LineLife::asleep:
            return true;
        default:
            return !run_.is_empty();
    }
}

LineAddress::Settled ModemLine::settled_now() const {
    using Settled = LineAddress::Settled;
    if (!held_back_ || orders_.waiting() || orders_.in_hand()) {
        return Settled::no;
    }
    if (!world_.modem.is_settled()) {
        return is_soon_settled() ? Settled::no : Settled::begins_anew;
    }
    if (run_.is_empty()) {
        return Settled::empty_handed;
    }
    return run_.has_left() ? Settled::in_hand : Settled::no;
}

void ModemLine::settle() {
    now_ = world_.clock.steady();
    bool again = true;
    while (again) {
        again = take_mail();
        again = take_work() || again;
        again = take_events() || again;
    }
}

LineCarried ModemLine::carried() const {
    LineCarried carried{.seat = seat_.occupant(),
                        .sim_nearly_full = report_.sim_nearly_full(),
                        .counts = world_.board.counts(settings_.id)};
    run_.carry(carried);
    if (settled_now() != LineAddress::Settled::in_hand) {
        carried.in_hand.reset();
    }
    return carried;
}

void ModemLine::adopt(const LineCarried& carried, const ports::ModemIdentity& identity,
                      bool modem_up, std::optional<queue::SlotNumber> slot) {
    SMSRACK_CHECK(settings_.adopted);
    now_ = world_.clock.steady();
    is_carried_ = true;
    run_.adopt(carried, slot);
    if (slot) {
        world_.board.busy(settings_.id, true, world_.clock.steady());
    }
    seat_.adopt(carried.seat);
    report_.adopt(carried.sim_nearly_full, modem_up && carried.seat.sim.value != 0);
    if (modem_up) {
        on(ports::ModemReady{identity});
    } else {
        ports::ModemIdentity is = identity;
        is.number = seat_.own_number(is.number);
        world_.board.identified(settings_.id, is);
        world_.board.not_ready(settings_.id, ports::LinkState::pending, "registering",
                               "looking for a network");
        link_.lost(world_.clock.steady());
    }
}

}  // namespace smsrack::line
