#include "src/smpp/session.hpp"

#include "src/base/check.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::smpp {
namespace {

constexpr std::uint32_t sequence_max = 0x7FFF'FFFF;
constexpr std::uint8_t our_version = 0x34;
constexpr int silent_max = 2;

bool is_bind(Command command) {
    return command == Command::bind_transmitter || command == Command::bind_receiver ||
           command == Command::bind_transceiver;
}

SessionEvent event_of(Command bind) {
    return bind == Command::bind_transmitter ? SessionEvent::bound_as_transmitter
           : bind == Command::bind_receiver  ? SessionEvent::bound_as_receiver
                                             : SessionEvent::bound_as_transceiver;
}

}  // namespace

Session::Session(SessionOwner& owner, const SessionTimes& times, SteadyTime now)
    : owner_(owner), times_(times), bind_by_(now + times.bind) {}

bool Session::apply(SessionEvent event) {
    const auto to = next(session_rules, state_, event);
    state_ = to.value_or(state_);
    return to.has_value();
}

void Session::receive(std::string_view octets, SteadyTime now) {
    if (is_over()) {
        return;
    }
    frames_.add(octets);
    while (!is_over()) {
        const auto frame = frames_.next();
        if (!frame) {
            put(Command::generic_nack, Status::invalid_command_length, frame.error().sequence);
            owner_.told(frame.error().command, Status::invalid_command_length);
            end();
            return;
        }
        if (!*frame && state_ == SessionState::open && frames_.waiting() > stranger_octets_max) {
            return end();  // no bind is so long
        }
        if (!*frame) {
            break;
        }
        pdu_by_ = never;
        take(**frame, now);
    }
    if (frames_.waiting() == 0) {
        pdu_by_ = never;
    } else if (pdu_by_ == never) {
        pdu_by_ = now + times_.pdu;
    }
}

void Session::take(std::string_view frame, SteadyTime now) {
    silent_ = 0;
    if (enquire_at_ != never) {
        enquire_at_ = now + times_.enquire;
    }
    const Header header = header_of(frame);
    auto pdu = decode(frame);
    if (is_answer(header.command)) {
        return take_answer(pdu ? *pdu : Pdu{.header = header});
    }
    if (!pdu) {
        const Status right = refusal_of(header.command, state_);
        return refuse(header, right == Status::ok ? pdu.error().status : right);
    }
    take_request(*std::move(pdu));
}

/// To one of our requests; what answers none says nothing.
void Session::take_answer(const Pdu& pdu) {
    if (pdu.header.command == Command::unbind_resp && said_goodbye_) {
        return end();
    }
    if (delivering_.erase(pdu.header.sequence) > 0) {
        // A nack without a status would be an acknowledgement.
        const bool refused_silently =
            pdu.header.command == Command::generic_nack && pdu.header.status == Status::ok;
        owner_.delivered(pdu.header.sequence,
                         refused_silently ? Status::system_error : pdu.header.status);
    }
}

void Session::take_request(Pdu pdu) {
    const Header header = pdu.header;
    if (const Status status = refusal_of(header.command, state_); status != Status::ok) {
        return refuse(header, status);
    }
    if (is_bind(header.command)) {
        return take_bind(std::move(pdu));
    }
    if (header.command == Command::unbind) {
        return take_unbind(header);
    }
    if (header.command == Command::enquire_link) {
        put(Command::enquire_link_resp, Status::ok, header.sequence);
        return owner_.told(header.command, Status::ok);
    }
    if (owed_ >= window_) {
        return refuse(header, Status::throttled);
    }
    ++owed_;
    owner_.asked(std::move(pdu));
}

void Session::take_bind(Pdu pdu) {
    if (bind_) {
        return refuse(pdu.header, Status::already_bound);
    }
    bind_ = pdu.header;
    owner_.bind_asked(pdu.header.command, std::get<Bind>(std::move(pdu.body)));
}

void Session::take_unbind(const Header& header) {
    if (unbind_) {
        return;
    }
    unbind_ = header;
    apply(SessionEvent::unbind_asked);
    drained_if_done();
}

/// What is in flight is answered first, whichever side asked.
void Session::drained_if_done() {
    if (state_ != SessionState::unbinding || owed_ > 0) {
        return;
    }
    if (unbind_) {
        put(Command::unbind_resp, Status::ok, unbind_->sequence);
        owner_.told(Command::unbind, Status::ok);
        apply(SessionEvent::drained);
    } else if (!std::exchange(said_goodbye_, true)) {
        ask(Command::unbind);
    }
}

/// Of an id that is no command, and of one that has no answer, generic_nack is the answer.
void Session::refuse(const Header& header, Status status) {
    const bool has_answer =
        status != Status::invalid_command_id && header.command != Command::outbind;
    put(has_answer ? answer_to(header.command) : Command::generic_nack, status, header.sequence);
    owner_.told(header.command, status);
}

void Session::put(Command command, Status status, std::uint32_t sequence, Body body) {
    output_ += encode({.header = {.command = command, .status = status, .sequence = sequence},
                       .body = std::move(body)});
}

/// A request of ours.
void Session::ask(Command command) {
    sequence_ = sequence_ % sequence_max + 1;
    put(command, Status::ok, sequence_);
}

std::string Session::take_output() {
    return std::exchange(output_, {});
}

void Session::bound(std::uint32_t window, SteadyTime now) {
    if (!bind_ || !apply(event_of(bind_->command))) {
        return;  // it has ended meanwhile
    }
    window_ = window;
    enquire_at_ = now + times_.enquire;
    put(answer_to(bind_->command), Status::ok, bind_->sequence,
        BindAnswer{.system_id = "smsrack",
                   .tlvs = {integer_tlv(Tag::sc_interface_version, our_version)}});
    owner_.told(std::exchange(bind_, std::nullopt)->command, Status::ok);
}

void Session::refuse_bind(SteadyTime now) {
    refuse_at_ = now + times_.refusal;
}

void Session::answer(const Header& request, Status status, Body body) {
    if (is_over()) {
        return;
    }
    put(answer_to(request.command), status, request.sequence, std::move(body));
    owner_.told(request.command, status);
    SMSRACK_CHECK(owed_ > 0);
    --owed_;
    drained_if_done();
}

bool Session::can_deliver() const {
    return state_ == SessionState::bound_rx || state_ == SessionState::bound_trx;
}

std::uint32_t Session::deliver(Message message, SteadyTime now) {
    SMSRACK_CHECK(can_deliver());
    sequence_ = sequence_ % sequence_max + 1;
    delivering_.emplace(sequence_, now + times_.response);
    put(Command::deliver_sm, Status::ok, sequence_, std::move(message));
    return sequence_;
}

void Session::unbind(SteadyTime now) {
    if (state_ == SessionState::open) {
        return end();
    }
    if (apply(SessionEvent::unbind_asked)) {
        unbind_by_ = now + times_.unbind;
        drained_if_done();
    }
}

void Session::end() {
    apply(SessionEvent::ended);
}

SteadyTime Session::deadline() const {
    if (is_over()) {
        return never;
    }
    SteadyTime first = std::min({pdu_by_, enquire_at_, unbind_by_, refuse_at_});
    if (state_ == SessionState::open && !bind_) {
        first = std::min(first, bind_by_);
    }
    for (const auto& [sequence, by] : delivering_) {
        first = std::min(first, by);
    }
    return first;
}

void Session::step(SteadyTime now) {
    if (is_over()) {
        return;
    }
    if (now >= refuse_at_ && bind_) {
        refuse_at_ = never;
        refuse(*std::exchange(bind_, std::nullopt), Status::bind_failed);
    }
    const bool too_slow = now >= pdu_by_ || now >= unbind_by_ ||
                          (state_ == SessionState::open && !bind_ && now >= bind_by_);
    if (too_slow || (now >= enquire_at_ && silent_ == silent_max)) {
        return end();
    }
    if (now >= enquire_at_) {
        ++silent_;
        enquire_at_ = now + times_.enquire;
        ask(Command::enquire_link);
    }
    expire_deliveries(now);
}

void Session::expire_deliveries(SteadyTime now) {
    for (auto it = delivering_.begin(); it != delivering_.end();) {
        if (it->second > now) {
            ++it;
            continue;
        }
        const std::uint32_t sequence = it->first;
        it = delivering_.erase(it);
        owner_.delivered(sequence, std::nullopt);
    }
}

}  // namespace smsrack::smpp
