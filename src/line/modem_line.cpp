#include "src/line/modem_line.hpp"

#include "src/base/check.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>
#include <utility>

namespace smsrack::line {

ModemLine::ModemLine(LineSettings settings, LineWorld world)
    : settings_(std::move(settings)),
      world_(std::move(world)),
      mailbox_(world_.address.mailbox_),
      run_({.pause = settings_.pace, .jitter = settings_.pace_jitter}, world_.slots, world_.random),
      seat_({.slot = settings_.name,
             .policy = settings_.sim_policy,
             .number = settings_.number,
             .plan = settings_.plan,
             .has_quota = world_.quota != nullptr}),
      receiver_(world_.address.received_),
      rest_(settings_.rest),
      link_(settings_.disconnect),
      report_(settings_.id, settings_.name, world_.board, world_.store, world_.clock, world_.log) {
    world_.board.listen_to(settings_.id, world_.modem.dialogue());
    if (!settings_.adopted) {
        world_.modem.open({.attempt_open = settings_.left_open.has_value()});
    }
}

SteadyTime ModemLine::step(SteadyTime now) {
    now_ = now;
    if (seat_.retries(now)) {
        ask_about_seat();
    }
    pdus_wait(receiver_.offer_again(seat_.sim(), now));
    if (link_.stops(now)) {
        report_.stopped();
    }
    go_on_if_rested();
    SteadyTime deadline = never;
    bool again = true;
    while (again) {
        again = take_mail();
        again = take_order() || again;
        again = take_work() || again;
        again = begin_when_read() || again;
        again = take_rest() || again;
        deadline = world_.modem.step(now);
        again = take_events() || again;
        again = begins_to_want_attempt() || again;
    }
    world_.board.life(settings_.id, life());
    world_.address.settled_.store(settled_now(), std::memory_order_release);
    return std::min({deadline, seat_.retry_at(), receiver_.offer_at(), link_.stop_at(),
                     orders_.give_up_at(), run_.deadline(), held_back_ ? never : rest_.deadline()});
}

/// The answer may have come without waking this thread: the mailbox is looked at once more.
bool ModemLine::begins_to_want_attempt() {
    const bool wants =
        run_.lacks_attempt() && (run_.is_answered() || world_.modem.waits_for_release());
    return !wants_attempt_.exchange(wants) && wants;
}

bool ModemLine::take_mail() {
    mailbox_.take_all(mail_);
    for (LineMail& mail : mail_) {
        std::visit([this](auto& content) { on(content); }, mail);
    }
    return !mail_.empty();
}

bool ModemLine::take_events() {
    bool any = false;
    while (const auto event = world_.modem.next_event()) {
        any = true;
        std::visit([this](const auto& content) { on(content); }, *event);
    }
    return any;
}

bool ModemLine::take_work() {
    if (!run_.is_empty()) {
        return false;
    }
    const auto slot = world_.address.given_.pop();
    if (!slot) {
        return false;
    }
    run_.take(*slot);
    world_.board.busy(settings_.id, true, now_);
    begin_when_read();
    return true;
}

/// The line is lost to dispatch meanwhile, so that a message never waits behind a person.
bool ModemLine::take_order() {
    orders_.give_up_late(now_);
    if (!run_.is_empty() || !orders_.waiting() || orders_.in_hand()) {
        return false;
    }
    ports::HandOrder order = orders_.take();
    apply(LineEvent::claim);
    report_.command_begins(order);
    world_.modem.begin_order(std::move(order));
    return true;
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

namespace {

/// The card, or the modem with it, may be in another box next.
bool is_parted(std::string_view reason) {
    constexpr std::array parted{"no_port",     "out_of_service", "sim_absent",
                                "sim_failure", "sim_pin",        "sim_puk"};
    return std::ranges::find(parted, reason) != parted.end();
}

}  // namespace

/// A SIM that may not be used is none.
ports::LineLife ModemLine::life() const {
    const ports::LineLife life = world_.modem.life();
    return life == ports::LineLife::ready && seat_.is_refused() ? ports::LineLife::sim_wait : life;
}

void ModemLine::on(const ports::ModemNotReady& event) {
    rest_.lost(now_);
    report_.lost(event, link_.is_waking());
    link_.lost(now_);
    apply(LineEvent::modem_lost);
    if (is_parted(event.reason)) {
        leave_sim();
    }
}

void ModemLine::on(const ports::ReceivedPdu& event) {
    rest_.heard(now_);
    pdus_wait(receiver_.take(event, seat_.sim(), world_.clock.wall(), now_));
    world_.modem.pause_reading(receiver_.is_full());
}

/// The codec hears of each PDU that was passed on to it.
void ModemLine::pdus_wait(std::size_t passed_on) {
    for (; passed_on > 0; --passed_on) {
        world_.pdu_waits();
    }
}

void ModemLine::on(const ports::PduErased& event) {
    if (seat_.sim().value != 0) {
        world_.store.post(ports::ForgetHeld{.sim = seat_.sim(), .place = event.place});
    } else {
        receiver_.remember(event);
    }
}

void ModemLine::on(const ports::PlacesListed& event) {
    if (seat_.sim().value != 0) {
        world_.store.post(ports::ForgetHeldElsewhere{
            .sim = seat_.sim(), .memory = event.memory, .indexes = event.indexes});
    } else {
        receiver_.remember(event);
    }
}

void ModemLine::on(const Kept& mail) {
    receiver_.kept(mail.token);
    world_.board.count_received(settings_.id);
    world_.modem.acknowledge(mail.token);
    world_.modem.pause_reading(receiver_.is_full());
}

void ModemLine::on(const NotKept& mail) {
    receiver_.not_kept(mail.token, now_);
}

void ModemLine::on(const ports::PinWanted& event) {
    world_.store.post(ports::BeginPinTry{.pin = event.pin, .at = world_.clock.wall()},
                      [this, pin = event.pin](Result<bool> may_try) {
                          mailbox_.push(PinJudged{pin, !may_try   ? ports::PinVerdict::later
                                                       : *may_try ? ports::PinVerdict::enter
                                                                  : ports::PinVerdict::refused});
                      });
}

void ModemLine::on(const ports::PinTried& event) {
    world_.store.post(ports::EndPinTry{.pin = event.pin, .taken = event.taken});
    if (!event.taken) {
        report_.pin_refused();
    }
}

void ModemLine::on(const ports::HandEnded& event) {
    orders_.end(event.answer);
    release_if_free();
}

// -- the radio of a parked line: RadioRest says it, the line does it

/// False: nothing changed. While another process is about to resume the line, its radio stays as it is.
bool ModemLine::take_rest() {
    if (held_back_) {
        return false;
    }
    const bool in_hand =
        !run_.is_empty() || orders_.waiting() || orders_.in_hand() || !receiver_.is_empty();
    if (in_hand && rest_.is_about_to_rest(now_)) {
        rest_.heard(now_);
    }
    switch (rest_.step(now_)) {
        case RadioRest::Want::nothing:
            return false;
        case RadioRest::Want::ask:
            ask_whether_expecting();
            return true;
        case RadioRest::Want::sleep:
            fall_asleep();
            return true;
        case RadioRest::Want::wake:
            wake();
            return true;
    }
    return false;
}

/// A SIM that is not known yet may expect anything.
void ModemLine::ask_whether_expecting() {
    if (seat_.sim().value == 0) {
        rest_.answered(true, now_);
        return;
    }
    const auto question = expected_.ask(seat_.sim(), world_.clock.wall());
    world_.store.ask(
        [question](ports::StoreReader& reader) {
            return reader.expects(question.sim, question.asked, question.settled);
        },
        [this, question](Result<ports::Expected> expected) {
            mailbox_.push(Expecting{question, std::move(expected)});
        });
}

void ModemLine::on(const Expecting& mail) {
    if (const auto expected = expected_.answered(mail.question, mail.expected)) {
        rest_.answered(*expected, now_);
    }
}

/// Dispatch is notified first, so that it gives nothing to a modem that is about to go.
void ModemLine::fall_asleep() {
    apply(LineEvent::radio_off);
    world_.modem.keep_radio_off(true);
}

/// Where it has not gone yet, the line is ready again at once.
void ModemLine::wake() {
    world_.modem.keep_radio_off(false);
    if (state_ == LineState::down) {
        link_.wakes(now_);
        world_.board.waking(settings_.id, now_);
    } else if (world_.modem.life() == ports::LineLife::ready) {
        apply(LineEvent::radio_on);
        release_if_free();
    }
}

/// Meant so: neither a loss nor a link that stops.
void ModemLine::on(const ports::ModemAsleep&) {
    apply(LineEvent::modem_lost);
    link_.asleep();
    rest_.slept(now_);
    if (!rest_.listens_at()) {  // it was called back meanwhile
        link_.wakes(now_);
    }
    const WallTime wall = world_.clock.wall();
    const WallTime listens_at = wall + std::chrono::ceil<std::chrono::milliseconds>(
                                           rest_.listens_at().value_or(now_) - now_);
    report_.asleep(listens_at);
}

}  // namespace smsrack::line
