#include "drivers/gsm/exchange/network_watch.hpp"

#include "drivers/gsm/fields.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace smsrack::gsm {
namespace {

using namespace std::chrono_literals;

/// A line that is never idle asks once in this many heartbeats, for the signal strength.
constexpr int heartbeats_busy = 10;

constexpr std::array<at::Command, 3> questions{
    at::Command{.text = "AT+CREG?", .prefix = "+CREG:", .timeout = 5s, .is_answer = is_creg_answer},
    at::Command{.text = "AT+CSQ", .prefix = "+CSQ:", .timeout = 5s},
    at::Command{.text = "AT+COPS?", .prefix = "+COPS:", .timeout = 10s},
};

}  // namespace

void NetworkWatch::begin(SteadyTime now) {
    registered_ = false;
    question_ = Question::registration;
    pause_.reset();
    poked_ = false;
    idle_by_ = never;
    due_ = now;
}

void NetworkWatch::adopt(const WatchCarried& carried) {
    registered_ = carried.registered;
    due_ = carried.due;
    vitals_by_ = carried.vitals_by;
}

bool NetworkWatch::is_welcome(ports::Registration registration) const {
    return registration == ports::Registration::home ||
           (registration == ports::Registration::roaming && settings_.roaming);
}

void NetworkWatch::put_off(SteadyTime now) {
    if (registered_ && question_ == Question::registration && !poked_) {
        due_ = std::min(now + settings_.heartbeat, vitals_by_);
    }
}

bool NetworkWatch::speak(SteadyTime now) {
    if (now < due_) {
        return false;
    }
    poked_ = false;
    if (question_ == Question::registration) {
        mark_kept_ = true;
        facts_.registration = ports::Registration::unknown;
    }
    channel_.start(questions.at(std::to_underlying(question_)), now);
    return true;
}

void NetworkWatch::on_line(at::LineKind, std::string_view line, SteadyTime) {
    switch (question_) {
        case Question::registration:
            mark_kept_ = number_field(line, 0) != 0;
            facts_.registration = registration_of(number_field(line, 1));
            return;
        case Question::signal:
            facts_.signal_dbm = signal_of(line);
            return;
        case Question::operator_name:
            facts_.identity.operator_name = field(line, 2);
            return;
    }
}

std::optional<Trigger> NetworkWatch::on_final(at::FinalResult result, SteadyTime now) {
    if (result.kind == at::FinalKind::timed_out) {
        due_ = never;
        return Trigger::no_answer;
    }
    switch (question_) {
        case Question::registration:
            return judge_registration(now);
        case Question::signal:
            if (!registered_) {
                question_ = Question::operator_name;
                return std::nullopt;
            }
            break;
        case Question::operator_name:
            break;
    }
    question_ = Question::registration;
    due_ = now + settings_.heartbeat;
    vitals_by_ = now + heartbeats_busy * settings_.heartbeat;
    tell_vitals();
    return std::exchange(registered_, true) ? std::nullopt : std::optional(Trigger::registered);
}

std::optional<Trigger> NetworkWatch::judge_registration(SteadyTime now) {
    if (!mark_kept_) {
        due_ = never;
        return Trigger::rebooted;
    }
    const bool is_idle = facts_.registration == ports::Registration::not_registered;
    idle_by_ = is_idle ? std::min(idle_by_, now + idle_max) : never;
    if (is_welcome(facts_.registration)) {
        pause_.reset();
        question_ = Question::signal;
        due_ = now;
        return std::nullopt;
    }
    tell_why_not();
    tell_vitals();
    if (!registered_ && now >= idle_by_) {
        due_ = never;
        return Trigger::not_searching;
    }
    due_ = now + pause_.take();
    return std::exchange(registered_, false) ? std::optional(Trigger::registration_lost)
                                             : std::nullopt;
}

void NetworkWatch::tell_why_not() {
    switch (facts_.registration) {
        case ports::Registration::denied:
            return reporter_.not_ready("denied", "the network refuses this SIM; ask its operator");
        case ports::Registration::roaming:
            return reporter_.not_ready(
                "roaming",
                "registered with a foreign network, which may cost more; `roaming = true` lets "
                "this modem send there");
        default:
            return reporter_.not_ready(
                "registering", "looking for a network; if this lasts, check antenna and SIM");
    }
}

void NetworkWatch::tell_vitals() {
    reporter_.tell(
        ports::ModemVitals{facts_.signal_dbm, facts_.registration, facts_.identity.operator_name});
}

}  // namespace smsrack::gsm
