// Who is in the slot: the modem says it, the store remembers it, and the policy judges it.
#include "src/line/modem_line.hpp"
#include "src/sms/card_name.hpp"

#include <utility>

namespace smsrack::line {

/// Another SIM: what is not stored yet stays on the one before, and is read again when that comes back.
void ModemLine::on(const ports::ModemIdentified& event) {
    if (seat_.identified(event.identity)) {
        leave_sim();
        receiver_.forget();
        world_.modem.pause_reading(false);
        // The rest of a long message is for the SIM before.
        if (run_.state() == RunState::resting) {
            return_unsent();
        }
    }
}

void ModemLine::on(const ports::ModemReady& event) {
    ports::ModemIdentity is = event.identity;
    is.number = seat_.own_number(is.number);
    world_.board.identified(settings_.id, is);
    apply(LineEvent::modem_ready);
    if (!seat_.ready(is) && world_.quota != nullptr) {
        world_.quota->forget();
        leave_sim();
    }
    if (seat_.state() != SeatState::known) {
        apply(LineEvent::seat_unknown);
    }
    ask_about_seat();
    show_unshared();
}

/// Asks the store for what is missing about slot, SIM and quota; the line is ready when nothing is.
void ModemLine::ask_about_seat() {
    const SlotSeat::Occupant& is = seat_.occupant();
    switch (seat_.state()) {
        case SeatState::pairing: {
            ports::SlotSeen seen = seat_.seen(world_.clock.wall());
            return world_.store.post(ports::PairSlot{seen},
                                     [this, seen](Result<ports::SlotKnown> before) {
                                         mailbox_.push(SlotPaired{seen, std::move(before)});
                                     });
        }
        case SeatState::naming:
            return world_.store.post(ports::IdentifySim{.iccid = is.iccid, .imsi = is.imsi},
                                     [this, iccid = is.iccid](Result<SimId> sim) {
                                         mailbox_.push(SimKnown{iccid, std::move(sim)});
                                     });
        case SeatState::counting:
            return world_.store.post(
                ports::ReadQuota{.sim = is.sim, .month = world_.quota->month()},
                [this, sim = is.sim](Result<ports::UsedQuota> used) {
                    mailbox_.push(UsageKnown{sim, std::move(used)});
                });
        case SeatState::known:
            return become_ready();
        case SeatState::unknown:
        case SeatState::refused:
            return;
    }
}

void ModemLine::on(const SlotPaired& mail) {
    if (!seat_.awaits_pair(mail.seen)) {
        return;
    }
    if (!mail.before) {
        return seat_failed(mail.before.error());
    }
    const SlotVerdict verdict = seat_.paired(mail.seen, *mail.before);
    report_.seat(mail.seen, *mail.before, verdict);
    if (verdict.is_refused()) {
        return on(ports::ModemNotReady{"sim_refused", verdict.detail});
    }
    ask_about_seat();
}

void ModemLine::on(const SimKnown& mail) {
    if (!seat_.awaits_name(mail.iccid)) {
        return;
    }
    if (!mail.sim) {
        return seat_failed(mail.sim.error());
    }
    seat_.named(*mail.sim);
    ask_about_seat();
    show_unshared();
    for (const Receiver::PlaceNews& news : receiver_.take_news()) {
        std::visit([this](const auto& event) { on(event); }, news);
    }
    pdus_wait(receiver_.sim_known(seat_.sim()));
}

void ModemLine::on(UsageKnown& mail) {
    if (!seat_.awaits_usage(mail.sim)) {
        return;
    }
    if (!mail.used) {
        seat_failed(mail.used.error());
        return;
    }
    share_sim(mail.used->card);
    world_.quota->known(std::move(*mail.used));
    counted_if_known();
    show_unshared();
}

/// In a fleet the SIM sends only when it is known what the other boxes have sent by it. A card without a name is not known
/// elsewhere.
void ModemLine::share_sim(const std::string& card) {
    if (world_.shares == nullptr || shared_card_ == card) {
        return;
    }
    shared_card_ = card;
    sim_is_in_.clear();
    if (card == without_iccid) {
        return world_.quota->share(ports::SimShare{});
    }
    world_.quota->share({});
    world_.shares->follow(settings_.id, card, std::exchange(is_carried_, false),
                          [this, card](ports::SimShare share) {
                              mailbox_.push(SimShared{card, std::move(share)});
                          });
}

/// It is not in the slot, as far as is known: another box may have it next.
void ModemLine::leave_sim() {
    is_carried_ = false;
    if (shared_card_.empty()) {
        return;
    }
    shared_card_.clear();
    sim_is_in_.clear();
    world_.shares->leave(settings_.id);
    world_.quota->share({});
    seat_.count_again();
}

/// Its modem could send, and what is missing is the fleet's word.
void ModemLine::show_unshared() {
    if (state_ != LineState::identifying || shared_card_.empty() || world_.quota->is_shared()) {
        return;
    }
    link_.lost(now_);
    world_.board.not_ready(settings_.id, ports::LinkState::pending,
                           sim_is_in_.empty() ? "sim_unread" : "sim_elsewhere",
                           sim_is_in_.empty()
                               ? "what other boxes have sent by this SIM is not known yet"
                               : sim_is_in_ + " has a SIM with the same ICCID");
}

void ModemLine::on(SimShared& mail) {
    if (mail.iccid != shared_card_) {
        return;
    }
    sim_is_in_ = mail.share.elsewhere;
    if (sim_is_in_.empty()) {
        world_.quota->share(std::move(mail.share));
        return counted_if_known();
    }
    world_.quota->share({});
    report_.sim_elsewhere(sim_is_in_);
    seat_.count_again();
    apply(LineEvent::seat_unknown);
    show_unshared();
}

void ModemLine::counted_if_known() {
    if (seat_.state() == SeatState::counting && world_.quota->is_known()) {
        seat_.counted();
        become_ready();
    }
}

void ModemLine::seat_failed(const Error& error) {
    report_.store_failed(error);
    seat_.failed(now_);
}

void ModemLine::become_ready() {
    if (state_ == LineState::down) {
        return;
    }
    report_.ready(link_.ready(now_));
    rest_.ready(now_);
    apply(LineEvent::seat_known);
    release_if_free();
}

}  // namespace smsrack::line
