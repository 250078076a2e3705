#include "drivers/gsm/conversation.hpp"

#include "drivers/gsm/fields.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace smsrack::gsm {

namespace {

/// An answer that comes in spite of the noise may take so long: a listing may have 60 s otherwise.
constexpr std::chrono::seconds answer_in_noise{5};

}  // namespace

Conversation::Conversation(const Profile& profile, const ModemSettings& settings,
                           const ModemStatus& status, Reporter& reporter, FlightRecorder& recorder)
    : profile_(profile),
      status_(status),
      recorder_(recorder),
      channel_(profile.urcs.rules(), *this, settings.command_gap),
      speakers_(channel_, profile, settings, reporter) {}

// -- the port

void Conversation::attach(serial::BytePipe* pipe) {
    channel_.attach(pipe);
    current_ = nullptr;
}

void Conversation::adopt(serial::BytePipe* pipe, const at::ChannelCarried& carried) {
    channel_.adopt(pipe, carried, SubmitExchange::command());
    current_ = carried.busy ? &speakers_.submit : nullptr;
}

// -- turns

void Conversation::hear(SteadyTime now) {
    now_ = now;
    if (!channel_.step(now)) {
        raise(Trigger::port_lost);
    }
}

void Conversation::tick(SteadyTime now) {
    now_ = now;
    raise(speakers_.submit.tick(now));
    raise(speakers_.step_check.tick(now));
    raise(speakers_.hand.tick(now));
    raise(speakers_.ussd.tick(now));
    raise(sim_trigger());
    heed_noise();
    if (status_.state == ModemState::evidence) {
        raise(speakers_.evidence.tick(now));
    }
    if (!has_triggers() && may_doze()) {
        raise(Trigger::sleep_wanted);
    }
    // Something may have come in while AT+CFUN=0 was in flight.
    if (!has_triggers() && status_.state == ModemState::asleep &&
        (!status_.radio_off || !speakers_.inbox.is_empty())) {
        raise(Trigger::woken);
    }
}

/// A modem that restarts says so at its first rate, and has forgotten what it was asked.
void Conversation::heed_noise() {
    if (!status_.is_in_service() || !speakers_.rate.is_fast() || !channel_.hears_noise()) {
        return;
    }
    speakers_.watch.poke(now_);
    if (channel_.is_busy()) {
        channel_.hurry(now_ + answer_in_noise);
    }
}

/// The command in flight comes to its end first: it may be a submit.
std::optional<Trigger> Conversation::sim_trigger() const {
    if (!sim_news_ || channel_.is_busy()) {
        return std::nullopt;
    }
    if (status_.is_in_service()) {
        return *sim_news_ == Event::sim_removed ? Trigger::sim_missing : Trigger::sim_changed;
    }
    const bool is_read = status_.state == ModemState::identifying ||  // what was read of it
                         status_.state == ModemState::sim_wait;
    return is_read ? std::optional(Trigger::sim_changed) : std::nullopt;
}

/// Everything that came in is with us, and nothing is on its way.
bool Conversation::may_doze() const {
    return status_.radio_off && !status_.held && status_.state == ModemState::ready &&
           speakers_.submit.state() == SubmitState::idle && !speakers_.has_order() &&
           !channel_.is_busy() && speakers_.inbox.is_empty();
}

void Conversation::give_turn(SteadyTime now) {
    now_ = now;
    if (!channel_.is_free(now)) {
        return;
    }
    for (auto* speaker : speakers_.turns(status_)) {
        if (speaker != nullptr && speaker->speak(now)) {
            current_ = speaker;
            return;
        }
    }
}

SteadyTime Conversation::deadline() {
    SteadyTime next = std::min({channel_.deadline(), speakers_.submit.next_turn(),
                                speakers_.hand.give_up_at(), speakers_.ussd.give_up_at()});
    if (status_.state == ModemState::evidence) {
        next = std::min(next, speakers_.evidence.next_turn());
    }
    if (speakers_.inbox.goes_first(now_)) {
        next = std::min(next, now_ + InboxReader::store_wait);  // then the next submit may begin
    }
    if (channel_.is_busy()) {
        return next;
    }
    if (channel_.free_at() > now_) {
        return std::min(next, channel_.free_at());
    }
    for (auto* speaker : speakers_.turns(status_)) {
        next = speaker != nullptr ? std::min(next, speaker->next_turn()) : next;
    }
    return next;
}

void Conversation::abandon() {
    channel_.abandon();
    current_ = nullptr;
}

// -- what follows

void Conversation::raise(std::optional<Trigger> trigger) {
    if (trigger) {
        triggers_.push_back(*trigger);
    }
}

std::vector<Trigger> Conversation::take_triggers() {
    return std::exchange(triggers_, {});
}

void Conversation::entered() {
    sim_news_ = status_.state == ModemState::registering ? sim_news_ : std::nullopt;
    speakers_.step_check.cut_off();
    if (status_.state != ModemState::draining) {
        speakers_.submit.forget_late_refusal();
    }
}

// -- what the modem says

void Conversation::on_prompt() {
    if (current_ != nullptr) {
        current_->on_prompt(now_);
    }
}

void Conversation::on_line(at::LineKind kind, std::string_view line) {
    if (current_ != nullptr) {
        current_->on_line(kind, line, now_);
    }
}

void Conversation::on_piece(std::string_view line) {
    if (status_.state == ModemState::evidence) {
        speakers_.evidence.on_piece(line, now_);
    } else if (current_ != nullptr) {
        current_->on_piece(line, now_);
    }
    if (status_.is_in_service()) {
        speakers_.inbox.look_soon(now_);
    }
}

void Conversation::on_final(at::FinalResult result) {
    if (auto* speaker = std::exchange(current_, nullptr)) {
        speakers_.watch.put_off(now_);
        raise(judge(*speaker, result, speaker->on_final(result, now_)));
        speakers_.count_turn(*speaker, now_);
    }
}

/// A submit without its answer, and what the operator ordered, are drained: the modem may still work on it.
std::optional<Trigger> Conversation::judge(const Speaker& speaker, at::FinalResult result,
                                           std::optional<Trigger> trigger) {
    if (trigger != Trigger::no_answer) {
        speakers_.step_check.answered_well();
        return trigger;
    }
    const bool was_heard =
        channel_.was_heard() || (&speaker != &speakers_.submit && result.kind == at::FinalKind::ok);
    if (speakers_.may_still_work(speaker, result) || !status_.is_in_service() || !was_heard ||
        !speakers_.step_check.begin(now_)) {
        return trigger;
    }
    if (speakers_.rate.count(RateFault::torn_answer, now_)) {
        return trigger;
    }
    if (&speaker == &speakers_.watch) {
        speakers_.watch.poke(now_);
    }
    return std::nullopt;
}

void Conversation::on_stray_final(at::FinalResult result) {
    if (status_.state == ModemState::evidence) {
        speakers_.evidence.on_stray_final(result, now_);
    } else if (status_.state == ModemState::draining) {
        speakers_.drain.on_stray_final(result);
    }
}

void Conversation::on_urc(std::string_view line, std::string_view pdu) {
    switch (profile_.urcs.of(line)) {
        case Urc::stored_message:
        case Urc::stored_report:
            return speakers_.inbox.on_stored(line, now_);
        case Urc::message:
        case Urc::report:
            return speakers_.inbox.on_direct(line, pdu, now_);
        case Urc::registration:
            if (status_.state == ModemState::registering ||
                (status_.state == ModemState::ready &&
                 !speakers_.watch.is_welcome(registration_of(number_field(line, 0))))) {
                speakers_.watch.poke(now_);
            }
            return;
        case Urc::event:
            return on_event(line);
        case Urc::late_answer:
            return on_late(line);
        case Urc::ring:
            return speakers_.calls.on_ring();
        case Urc::caller:
            return speakers_.calls.on_caller(line);
        case Urc::call_over:
            return speakers_.calls.on_over();
        case Urc::ussd:
            return speakers_.ussd.on_reply(line);
        case Urc::other:
            return;
    }
}

void Conversation::on_late(std::string_view line) {
    if (status_.state == ModemState::evidence) {
        speakers_.evidence.on_late(line, now_);
    } else if (status_.state == ModemState::draining) {
        speakers_.drain.on_late(line);
    } else {
        speakers_.submit.on_late(accepted_outcome(line));
    }
}

void Conversation::on_event(std::string_view line) {
    const auto number = number_field(line, 0);
    const auto row = std::ranges::find_if(
        profile_.events, [&](const EventRow& event) { return event.number == number; });
    if (row == profile_.events.end()) {
        return;
    }
    const bool in_service = status_.is_in_service();
    const auto& identity = speakers_.facts.identity;
    switch (row->means) {
        case Event::restarted:
            return raise(Trigger::rebooted);
        case Event::sim_removed:
        case Event::sim_inserted:
            // While the modem is set up: what was read of the card is that of another one.
            if (in_service || !identity.imsi.empty() || !identity.iccid.empty()) {
                sim_news_ = sim_news_ == Event::sim_removed ? sim_news_ : row->means;
            }
            return speakers_.start_up.poke(now_);
        case Event::changed:
            return in_service ? speakers_.watch.poke(now_) : speakers_.start_up.poke(now_);
    }
}

}  // namespace smsrack::gsm
