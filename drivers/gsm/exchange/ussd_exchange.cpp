#include "drivers/gsm/exchange/ussd_exchange.hpp"

#include "drivers/at/pdu_line.hpp"
#include "drivers/gsm/exchange/sim_danger.hpp"
#include "drivers/gsm/fields.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::gsm {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t code_max = 160;  // TS 23.038 5: 160 octets of 7-bit characters at most
constexpr int waits_for_answer = 1;    // TS 27.007 7.15 <m>
constexpr int dcs_default = 15;        // GSM 7-bit, no language named

bool is_code(std::string_view code) {
    return !code.empty() && code.size() <= code_max && std::ranges::all_of(code, [](char c) {
        return (c >= '0' && c <= '9') || c == '*' || c == '#';
    });
}

/// +CUSD: <m>[,<str>[,<dcs>]]
ports::UssdReply reply_of(std::string_view line, bool hex) {
    return {.mode = number_field(line, 0).value_or(0),
            .text = std::string(field(line, 1)),
            .dcs = number_field(line, 2).value_or(dcs_default),
            .hex = hex};
}

}  // namespace

void UssdExchange::begin(const std::string& code, bool force, SteadyTime now) {
    if (!is_code(code)) {
        return end(fail(Errc::bad_request, "code: up to 160 digits, * and #, such as *100#"));
    }
    if (!force) {
        if (auto safe = refuse_danger(danger_of_code(code)); !safe) {
            return end(std::unexpected(std::move(safe.error())));
        }
    }
    code_ = code;
    alphabet_.clear();
    hex_ = false;
    answer_ = ports::HandAnswer{.final_result = "OK"};
    give_up_at_ = now + start_limit;
    go_to(Step::read_alphabet);
}

void UssdExchange::go_to(Step step) {
    step_ = step;
    phase_ = Phase::waiting;
}

at::Command UssdExchange::command_now() {
    switch (step_) {
        case Step::read_alphabet:
            return {.text = "AT+CSCS?", .prefix = "+CSCS:"};
        case Step::set_hex:
            return {.text = "AT+CSCS=\"HEX\""};
        case Step::ask:
            text_ = code_;
            if (hex_) {
                text_.clear();
                at::append_hex(text_, code_);
            }
            text_ = "AT+CUSD=1,\"" + text_ + "\"," + std::to_string(dcs_default);
            return {.text = text_, .timeout = 15s};
        case Step::end_session:
            return {.text = "AT+CUSD=2", .timeout = 10s};
        case Step::restore_alphabet:
            text_ = "AT+CSCS=\"" + alphabet_ + '"';
            return {.text = text_};
    }
    return {};
}

std::optional<Trigger> UssdExchange::tick(SteadyTime now) {
    if (phase_ != Phase::listening || now < give_up_at_) {
        return OrderSpeaker::tick(now);
    }
    give_up_at_ = never;
    answer_ = fail(Errc::timeout, "the network gave no answer to the code within 30 s");
    go_to(Step::end_session);
    return std::nullopt;
}

void UssdExchange::on_line(at::LineKind, std::string_view line, SteadyTime) {
    if (step_ == Step::read_alphabet) {
        alphabet_ = field(line, 0);
    }
}

void UssdExchange::on_reply(std::string_view line) {
    const bool asked = phase_ == Phase::asked && step_ == Step::ask;
    if ((asked || phase_ == Phase::listening) && answer_) {
        answer_->ussd = reply_of(line, hex_);
    }
    if (phase_ == Phase::listening) {
        after_reply();
    }
}

void UssdExchange::listen(SteadyTime now) {
    if (answer_->ussd) {
        return after_reply();  // it came before the OK
    }
    phase_ = Phase::listening;
    give_up_at_ = now + reply_limit;
}

void UssdExchange::after_reply() {
    give_up_at_ = never;
    if (answer_->ussd->mode == waits_for_answer) {
        return go_to(Step::end_session);
    }
    finish();
}

/// The alphabet is put back first.
void UssdExchange::finish() {
    if (std::exchange(hex_, false)) {
        return go_to(Step::restore_alphabet);
    }
    end(std::move(answer_));
}

std::optional<Trigger> UssdExchange::on_final(at::FinalResult result, SteadyTime now) {
    if (result.kind == at::FinalKind::timed_out) {
        end(fail(Errc::timeout,
                 "the modem did not answer in time; it gets back into step by itself"));
        return Trigger::no_answer;
    }
    const bool done = result.kind == at::FinalKind::ok;
    switch (step_) {
        case Step::read_alphabet:
            go_to(done && !alphabet_.empty() ? Step::set_hex : Step::ask);
            break;
        case Step::set_hex:
            hex_ = done;
            go_to(Step::ask);
            break;
        case Step::ask:
            if (done) {
                listen(now);
            } else {
                answer_->final_result = at::to_text(result);
                finish();
            }
            break;
        case Step::end_session:
            finish();
            break;
        case Step::restore_alphabet:
            end(std::move(answer_));
            break;
    }
    return std::nullopt;
}

}  // namespace smsrack::gsm
