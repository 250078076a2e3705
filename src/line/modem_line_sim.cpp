// Who sits in the slot: the modem says it, the store remembers it, and the policy judges it.
#include "src/line/modem_line.hpp"

#include <utility>

namespace smsrack::line {

/// Another SIM: what is not stored yet stays on the one before, and is read again when that comes back.
void ModemLine::on(const ports::ModemIdentified& event) {
    if (seat_.identified(event.identity)) {
        receiver_.forget();
        world_.modem.pause_reading(false);
        if (run_.state() ==
            RunState::resting) {  // the rest of a long message is for the SIM before
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
    }
    if (seat_.state() != SeatState::known) {
        apply(LineEvent::seat_unknown);
    }
    ask_about_seat();
}

/// Asks the store for what is missing about slot, SIM and quota; the line is ready when nothing is.
void ModemLine::ask_about_seat() {
    const SlotSeat::Occupant& is = seat_.occupant();
    switch (seat_.wants()) {
        case SlotSeat::Wants::nothing:
            if (seat_.state() == SeatState::known) {
                become_ready();
            }
            return;
        case SlotSeat::Wants::slot: {
            ports::SlotSeen seen = seat_.seen(world_.clock.wall());
            return world_.store.pair_slot(seen, [this, seen](Result<ports::SlotKnown> before) {
                mailbox_.push(SlotPaired{seen, std::move(before)});
            });
        }
        case SlotSeat::Wants::sim:
            return world_.store.sim_id(is.iccid, is.imsi,
                                       [this, iccid = is.iccid](Result<SimId> sim) {
                                           mailbox_.push(SimKnown{iccid, std::move(sim)});
                                       });
        case SlotSeat::Wants::usage:
            return world_.store.used_quota(is.sim, world_.quota->month(),
                                           [this, sim = is.sim](Result<ports::UsedQuota> used) {
                                               mailbox_.push(UsageKnown{sim, std::move(used)});
                                           });
    }
}

void ModemLine::on(const SlotPaired& mail) {
    if (!seat_.awaits_pair(mail.seen)) {
        return;
    }
    if (!mail.before) {
        return sim_not_kept(mail.before.error());
    }
    const SlotVerdict verdict = seat_.paired(mail.seen, *mail.before);
    if (verdict.modem_changed) {
        world_.log.warn("modem_changed", {{"modem", settings_.name},
                                          {"imei", mail.seen.imei},
                                          {"imei_before", mail.before->imei}});
        on(ports::ModemIncident{ports::Incident::modem_changed});
    }
    if (verdict.sim_changed) {
        const bool quiet = settings_.sim_policy == ports::SimPolicy::adopt;
        world_.log.write(quiet ? LogLevel::info : LogLevel::warn, "sim_changed",
                         {{"modem", settings_.name}, {"detail", verdict.detail}});
        world_.board.befell(settings_.id, ports::Incident::sim_changed);
        if (!quiet) {
            tell("sim_changed");
        }
    }
    if (verdict.refused) {
        return on(ports::ModemNotReady{"sim_refused", verdict.detail});
    }
    ask_about_seat();
}

void ModemLine::on(SimKnown& mail) {
    if (!seat_.awaits_name(mail.iccid)) {
        return;
    }
    if (!mail.sim) {
        return sim_not_kept(mail.sim.error());
    }
    seat_.named(*mail.sim);
    ask_about_seat();
    for (const Receiver::PlaceNews& news : receiver_.take_news()) {
        std::visit([this](const auto& event) { on(event); }, news);
    }
    pdus_wait(receiver_.sim_known(seat_.sim()));
}

void ModemLine::become_ready() {
    if (state_ == LineState::down) {
        return;
    }
    stop_at_ = never;
    world_.board.ready(settings_.id);
    if (const auto since = std::exchange(woken_at_, std::nullopt)) {
        world_.board.woke(settings_.id, now_ - *since);
    }
    rest_.ready(now_);
    if (!std::exchange(quiet_, false)) {
        tell("active");
        world_.log.info("line_ready", {{"modem", settings_.name}});
    }
    apply(LineEvent::seat_known);
    release_if_free();
}

/// Dispatch is notified whenever the line enters or leaves `ready`.
void ModemLine::apply(LineEvent event) {
    const auto to = next(line_rules, state_, event);
    if (!to) {
        return;
    }
    const LineState from = std::exchange(state_, *to);
    if (may_take(state_)) {
        world_.listener.line_ready(settings_.id, seat_.sim());
    } else if (may_take(from)) {
        world_.listener.line_lost(settings_.id);
    }
}

void ModemLine::release_if_free() {
    if (!held_back_ && !orders_.in_hand()) {
        apply(LineEvent::release);
    }
}

void ModemLine::sim_not_kept(const Error& error) {
    world_.log.error("sim_not_kept", {{"modem", settings_.name}, {"error", error.context}});
    world_.board.not_ready(settings_.id, ports::LinkState::pending, "storage",
                           "the disk is full or failing");
    seat_.failed(now_);
}

/// A SIM that may not be used is none.
ports::LineLife ModemLine::life() const {
    const ports::LineLife life = world_.modem.life();
    return life == ports::LineLife::ready && seat_.is_refused() ? ports::LineLife::sim_wait : life;
}

}  // namespace smsrack::line
