// From one owner of the port to the next: the modem is left as it is.
#include "drivers/gsm/gsm_modem.hpp"

#include <utility>

namespace smsrack::gsm {

void GsmModem::hold(bool held) {
    now_ = clock_.steady();
    held_ = held;
    inbox_.hold(held);
    give_turn();
}

bool GsmModem::is_settled() const {
    switch (state_) {
        case ModemState::closed:
        case ModemState::opening:
        case ModemState::absent:
        case ModemState::failed:
            return true;  // there is nothing to leave to anybody
        case ModemState::evidence:
        case ModemState::probing:
        case ModemState::identifying:
        case ModemState::draining:
        case ModemState::dozing:
            return false;  // soon over; left alone half way, it would be done again
        case ModemState::sim_wait:
        case ModemState::asleep:  // whoever comes next switches it on
            return !channel_.is_busy();
        case ModemState::registering:
        case ModemState::ready:
            break;
    }
    if (has_order() || !triggers_.empty() || step_check_.is_due()) {
        return false;
    }
    switch (submit_.state()) {
        case SubmitState::idle:
            return !channel_.is_busy() && !inbox_.owes_storing();
        case SubmitState::sent:
        case SubmitState::answered:
            return true;
        case SubmitState::waiting:
        case SubmitState::prompting:
        case SubmitState::prompted:
        case SubmitState::escaping:
            break;
    }
    return false;
}

std::optional<ModemCarried> GsmModem::carried() {
    const bool set_up = state_ == ModemState::ready || state_ == ModemState::registering;
    const bool usable = set_up && pipe_ != nullptr && !closing_ && is_settled();
    frozen_ = true;
    if (!usable) {
        return std::nullopt;
    }
    return ModemCarried{.ready = state_ == ModemState::ready,
                        .facts = facts_,
                        .channel = channel_.carried(),
                        .submit = submit_.carried(),
                        .watch = watch_.carried(),
                        .link = link_.carried(),
                        .inbox = inbox_.carried()};
}

int GsmModem::duplicate_port() const {
    return pipe_ == nullptr ? -1 : pipe_->duplicate();
}

Result<> GsmModem::adopt(const ModemCarried& carried, int port) {
    auto pipe = opener_.adopt(port);
    if (!pipe) {
        return std::unexpected(std::move(pipe.error()));
    }
    now_ = clock_.steady();
    pipe_ = *std::move(pipe);
    facts_ = carried.facts;
    imei_ = facts_.identity.imei;
    iccid_ = facts_.identity.iccid;
    channel_.adopt(pipe_.get(), carried.channel, SubmitExchange::command());
    submit_.adopt(carried.submit);
    current_ = carried.channel.busy ? &submit_ : nullptr;
    watch_.adopt(carried.watch);
    link_.adopt(carried.link);
    inbox_.adopt(carried.inbox);
    diagnosis_.begin();
    state_ = carried.ready ? ModemState::ready : ModemState::registering;
    return {};
}

}  // namespace smsrack::gsm
