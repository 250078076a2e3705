// Who sits in the slot: the modem says it, the store remembers it, and the policy judges it.
#include "src/line/modem_line.hpp"
#include "src/line/slot_check.hpp"

#include <chrono>
#include <utility>

namespace smsrack::line {
namespace {

using namespace std::chrono_literals;

constexpr auto storage_pause = 2s;  // before a store that failed is asked again

/// Many SIMs do not know their number, or say it as it is dialled in their country.
std::string own_number(const LineSettings& settings, const std::string& said) {
    if (!settings.number.empty() || said.empty()) {
        return settings.number;
    }
    auto number = normalised_number(said, settings.plan);
    return number ? *std::move(number) : said;
}

}  // namespace

/// Another SIM: what is not kept yet stays on the one before, and is read again when that comes back.
void ModemLine::on(const ports::ModemIdentified& event) {
    const ports::ModemIdentity& is = event.identity;
    if (identified_ && (is.iccid != iccid_ || is.imsi != imsi_)) {
        identified_ = false;
        sim_ = {};
        held_.clear();
        refused_.clear();
        erased_.clear();
        world_.modem.pause_reading(false);
        if (std::exchange(goes_on_, false)) {  // the rest of a long message is for the SIM before
            return_unsent();
        }
    }
}

void ModemLine::on(const ports::ModemReady& event) {
    ports::ModemIdentity is = event.identity;
    is.number = own_number(settings_, is.number);
    world_.board.identified(settings_.id, is);
    const bool same = sim_.value != 0 && is.imei == imei_ && is.iccid == iccid_ && is.imsi == imsi_;
    imei_ = is.imei;
    iccid_ = is.iccid;
    imsi_ = is.imsi;
    identified_ = true;
    modem_up_ = true;
    if (!same) {
        sim_ = {};
        sim_refused_ = false;
        if (world_.quota != nullptr) {
            world_.quota->forget();
        }
        ask_for_slot();
    } else if (world_.quota != nullptr && !world_.quota->is_known()) {
        ask_for_usage();
    } else {
        become_ready();
    }
}

ports::SlotSeen ModemLine::slot_seen() const {
    return {.slot = settings_.name,
            .imei = imei_,
            .card = iccid_.empty() ? "imsi:" + imsi_ : iccid_,
            .keep_card = settings_.sim_policy == ports::SimPolicy::refuse,
            .at = world_.clock.wall()};
}

void ModemLine::ask_for_slot() {
    ports::SlotSeen seen = slot_seen();
    world_.store.pair_slot(seen, [this, seen](Result<ports::SlotKnown> before) {
        mailbox_.push(SlotPaired{seen, std::move(before)});
    });
}

void ModemLine::on(const SlotPaired& mail) {
    if (!identified_ || mail.seen.imei != imei_ || mail.seen.card != slot_seen().card) {
        return;  // changed meanwhile: another answer follows
    }
    if (!mail.before) {
        return sim_not_kept(mail.before.error());
    }
    const SlotVerdict verdict = judge_slot(settings_.sim_policy, mail.seen, *mail.before);
    if (verdict.modem_changed) {
        world_.log.warn(
            "modem_changed",
            {{"modem", settings_.name}, {"imei", imei_}, {"imei_before", mail.before->imei}});
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
        sim_refused_ = true;
        return on(ports::ModemNotReady{"sim_refused", verdict.detail});
    }
    ask_for_sim();
}

void ModemLine::ask_for_sim() {
    world_.store.sim_id(iccid_, imsi_, [this, iccid = iccid_](Result<SimId> sim) {
        mailbox_.push(SimKnown{iccid, std::move(sim)});
    });
}

void ModemLine::on(SimKnown& mail) {
    if (!identified_ || mail.iccid != iccid_ || sim_.value != 0) {
        return;  // the SIM was changed meanwhile, so another answer follows; or it was asked twice
    }
    if (!mail.sim) {
        return sim_not_kept(mail.sim.error());
    }
    sim_ = *mail.sim;
    if (world_.quota != nullptr) {
        ask_for_usage();
    } else {
        become_ready();
    }
    for (const auto& told : std::exchange(erased_, {})) {
        std::visit([this](const auto& event) { on(event); }, told);
    }
    for (const queue::ReceivedOctets& pdu : held_) {  // what was read before the SIM was known
        pass_on(pdu);
    }
}

void ModemLine::become_ready() {
    if (!modem_up_) {
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
    offer_line();
}

void ModemLine::offer_line() {
    if (orders_.in_hand()) {
        ready_after_order_ = true;
        return;
    }
    if (held_back_) {
        ready_when_let_go_ = true;
        return;
    }
    ready_ = true;
    world_.listener.line_ready(settings_.id, sim_);
}

void ModemLine::sim_not_kept(const Error& error) {
    world_.log.error("sim_not_kept", {{"modem", settings_.name}, {"error", error.context}});
    world_.board.not_ready(settings_.id, ports::LinkState::pending, "storage",
                           "the disk is full or failing");
    offer_at_ = now_ + storage_pause;
}

/// A SIM that may not be used is none.
ports::LineLife ModemLine::life() const {
    const ports::LineLife life = world_.modem.life();
    return life == ports::LineLife::ready && sim_refused_ ? ports::LineLife::sim_wait : life;
}

}  // namespace smsrack::line
