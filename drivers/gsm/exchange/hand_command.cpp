#include "drivers/gsm/exchange/hand_command.hpp"

#include "drivers/gsm/fields.hpp"

#include <utility>

namespace smsrack::gsm {

void HandCommand::begin(const ports::HandOrder& order, SteadyTime now) {
    kind_ = order.kind;
    auto plan = plan_for(order);
    if (!plan) {
        return end(std::unexpected(std::move(plan.error())));
    }
    plan_ = std::move(*plan);
    answer_ = {};
    lines_left_out_ = 0;
    give_up_at_ = now + start_limit;
    phase_ = Phase::waiting;
}

Result<HandPlan> HandCommand::plan_for(const ports::HandOrder& order) const {
    const at::Command& attempts = profile_.init.row(InitStep::pin_attempts).command;
    switch (order.kind) {
        case ports::HandOrderKind::restart:
            return HandPlan{.text = std::string(profile_.restart.text),
                            .prefix = std::string(profile_.restart.prefix),
                            .sets_up_anew = true};
        case ports::HandOrderKind::pin_attempts:
            if (attempts.text.empty()) {
                return fail(Errc::bad_request,
                            "this modem does not say how many PIN attempts are left");
            }
            return HandPlan{.text = std::string(attempts.text),
                            .prefix = std::string(attempts.prefix)};
        default:
            return plan_of(order.text, profile_.refusals, order.force);
    }
}

std::optional<ports::PinAttempts> HandCommand::attempts_told() const {
    const PinFields& fields = profile_.pin_fields;
    for (const std::string& line : answer_.lines) {
        if (!line.starts_with(plan_.prefix)) {
            continue;
        }
        const auto pin = number_field(line, fields.pin);
        const auto pin2 = number_field(line, fields.pin2);
        const auto puk = number_field(line, fields.puk);
        const auto puk2 = number_field(line, fields.puk2);
        if (pin && pin2 && puk && puk2) {
            return ports::PinAttempts{.pin = *pin, .pin2 = *pin2, .puk = *puk, .puk2 = *puk2};
        }
    }
    return std::nullopt;
}

void HandCommand::cut_off(bool restarted) {
    if (!is_idle() && restarted && kind_ == ports::HandOrderKind::restart) {
        return end(ports::HandAnswer{.final_result = "OK"});
    }
    OrderSpeaker::cut_off();
}

at::Command HandCommand::command_now() {
    return {.text = plan_.text,
            .prefix = plan_.prefix,
            .timeout = plan_.timeout,
            .takes = at::Takes::text};
}

void HandCommand::on_line(at::LineKind, std::string_view line, SteadyTime) {
    if (answer_.lines.size() < lines_max) {
        answer_.lines.emplace_back(line);
    } else {
        ++lines_left_out_;
    }
}

std::optional<Trigger> HandCommand::on_final(at::FinalResult result, SteadyTime) {
    if (result.kind == at::FinalKind::timed_out) {
        end(fail(Errc::timeout, "the modem did not answer " +
                                    plan_.text.substr(0, plan_.text.find('=')) +
                                    " in time; it gets back into step by itself"));
        return Trigger::no_answer;
    }
    if (lines_left_out_ > 0) {
        answer_.lines.push_back("(" + std::to_string(lines_left_out_) + " lines more)");
    }
    if (kind_ == ports::HandOrderKind::restart && result.kind == at::FinalKind::ok) {
        rate_.to_base();  // at which it says that it has restarted
    }
    answer_.final_result = at::to_text(result);
    if (kind_ == ports::HandOrderKind::pin_attempts) {
        answer_.pin_attempts = attempts_told();
    }
    end(std::move(answer_));
    return plan_.sets_up_anew ? std::optional(Trigger::set_by_hand) : std::nullopt;
}

}  // namespace smsrack::gsm
