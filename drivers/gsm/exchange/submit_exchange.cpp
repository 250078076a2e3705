#include "drivers/gsm/exchange/submit_exchange.hpp"

#include "drivers/at/pdu_line.hpp"
#include "drivers/gsm/fields.hpp"
#include "src/base/check.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace smsrack::gsm {
namespace {

constexpr char ctrl_z = '\x1a';
constexpr std::string_view esc = "\x1b";

/// Digits of the largest PDU: 164 octets, and 12 of the service centre field.
constexpr std::size_t hex_reserve = 352;

/// "CMGS: 12", "+CMS ERR: 38" and the like; the shortest that is enough is three characters of either.
bool is_piece_of_answer(std::string_view line) {
    constexpr std::array<std::string_view, 6> parts{"+CM", "MGS", "GS:", "MS ", "ERR", "ROR"};
    return std::ranges::any_of(parts, [&](std::string_view part) { return line.contains(part); });
}

}  // namespace

SubmitOutcome accepted_outcome(std::string_view cmgs_line) {
    const auto reference = number_field(cmgs_line, 0);
    const bool usable = reference && *reference >= 0 && *reference <= 255;
    return {.kind = OutcomeKind::accepted,
            .tp_mr = usable ? static_cast<std::uint8_t>(*reference) : std::uint8_t{0},
            .has_tp_mr = usable};
}

Cause cause_of(at::FinalResult result) {
    switch (result.kind) {
        case at::FinalKind::cms_error:
            return {.kind = CodeKind::cms, .code = result.code};
        case at::FinalKind::cme_error:
            return {.kind = CodeKind::cme, .code = result.code};
        case at::FinalKind::error:
            return {.kind = CodeKind::plain_error, .code = 0};
        case at::FinalKind::ok:
        case at::FinalKind::timed_out:
            break;
    }
    return {};
}

SubmitExchange::SubmitExchange(const Shared& modem) : Speaker(modem) {
    hex_.reserve(hex_reserve);
}

void SubmitExchange::begin(std::string_view pdu) {
    SMSRACK_CHECK(state_ == SubmitState::idle);
    const auto length = at::tpdu_length(pdu);
    SMSRACK_CHECK(length.has_value());
    length_ = *length;
    hex_.clear();
    at::append_hex(hex_, pdu);
    verdict_ = Verdict::open;
    state_ = SubmitState::waiting;
}

void SubmitExchange::release(SteadyTime now) {
    verdict_ = Verdict::released;
    if (state_ == SubmitState::prompted) {
        send(now);
    }
}

void SubmitExchange::withhold(SteadyTime now) {
    verdict_ = Verdict::withheld;
    if (state_ == SubmitState::waiting) {
        give_back();
    } else if (state_ == SubmitState::prompted) {
        escape(now);
    }
}

void SubmitExchange::cut_off() {
    switch (state_) {
        case SubmitState::idle:
            return;
        case SubmitState::waiting:
        case SubmitState::prompting:
        case SubmitState::prompted:
        case SubmitState::escaping:
            return end({.kind = OutcomeKind::not_sent}, false);
        case SubmitState::sent:
            late_expected_ = true;
            late_refusal_expected_ = true;
            return end({.kind = OutcomeKind::unknown}, true);
        case SubmitState::answered:
            return end(accepted_, true);
    }
}

void SubmitExchange::give_back() {
    if (state_ == SubmitState::waiting) {
        end({.kind = OutcomeKind::not_sent}, false);
    }
}

void SubmitExchange::on_late(SubmitOutcome outcome) {
    const bool of_submit = outcome.kind == OutcomeKind::accepted || late_refusal_expected_;
    if (late_expected_ && of_submit) {
        late_expected_ = false;
        reporter_.note(LogLevel::warn, "late_answer", "a submit given up as unknown was answered");
        reporter_.tell(ports::LateAnswer{outcome});
    }
}

void SubmitExchange::adopt(const SubmitCarried& carried) {
    state_ = carried.state;
    accepted_ = carried.accepted;
    slow_at_ = carried.slow_at;
    late_expected_ = carried.late_expected;
}

at::Command SubmitExchange::command() {
    return {.prefix = "+CMGS:", .timeout = prompt_limit, .prompt = true};
}

bool SubmitExchange::speak(SteadyTime now) {
    if (state_ != SubmitState::waiting) {
        return false;
    }
    // from here on an answer could not be distinguished from that of this submit
    late_expected_ = false;
    std::array<char, 16> text{};
    const auto end = fmt::format_to_n(text.data(), text.size(), "AT+CMGS={}", length_).out;
    at::Command asked = command();
    asked.text = {text.data(), static_cast<std::size_t>(end - text.data())};
    channel_.start(asked, now);
    state_ = SubmitState::prompting;
    return true;
}

SteadyTime SubmitExchange::next_turn() const {
    return std::min(release_by_, slow_at_);
}

std::optional<Trigger> SubmitExchange::tick(SteadyTime now) {
    if (now >= release_by_) {
        reporter_.note(LogLevel::warn, "submit_withheld", "the attempt was not written in time");
        withhold(now);
    }
    if (now >= slow_at_) {
        slow_at_ = never;
        reporter_.note(LogLevel::warn, "submit_slow", "no answer from the network yet");
    }
    return std::nullopt;
}

void SubmitExchange::on_prompt(SteadyTime now) {
    state_ = SubmitState::prompted;
    switch (verdict_) {
        case Verdict::open:
            release_by_ = now + release_limit;
            return;
        case Verdict::released:
            return send(now);
        case Verdict::withheld:
            return escape(now);
    }
}

void SubmitExchange::send(SteadyTime now) {
    state_ = SubmitState::sent;
    release_by_ = never;
    slow_at_ = now + settings_.submit_slow;
    channel_.go_on(hex_, ctrl_z, now + settings_.submit_timeout);
}

void SubmitExchange::escape(SteadyTime now) {
    state_ = SubmitState::escaping;
    release_by_ = never;
    channel_.write_raw(esc);
    channel_.hurry(now + final_limit);
}

void SubmitExchange::on_line(at::LineKind, std::string_view line, SteadyTime now) {
    if (state_ == SubmitState::sent) {
        state_ = SubmitState::answered;
        accepted_ = accepted_outcome(line);
        channel_.hurry(now + final_limit);
    }
}

/// Octets lost from +CMGS or +CMS ERROR leave what is neither; then nothing more may come, and the network's
/// usual time would be waited for in vain.
void SubmitExchange::on_piece(std::string_view line, SteadyTime now) {
    if (state_ == SubmitState::answered) {
        accepted_.tp_mr = 0;
        accepted_.has_tp_mr = false;
    } else if (state_ == SubmitState::sent && is_piece_of_answer(line)) {
        channel_.hurry(now + final_limit);
    }
}

std::optional<Trigger> SubmitExchange::on_final(at::FinalResult result, SteadyTime) {
    const bool timed_out = result.kind == at::FinalKind::timed_out;
    switch (state_) {
        case SubmitState::idle:
        case SubmitState::waiting:
            return std::nullopt;
        case SubmitState::prompting:
        case SubmitState::prompted: {
            const bool out_of_step = timed_out || result.kind == at::FinalKind::ok;
            end({.kind = out_of_step ? OutcomeKind::not_sent : OutcomeKind::refused,
                 .cause = cause_of(result)},
                false);
            return out_of_step ? std::optional(Trigger::no_answer) : std::nullopt;
        }
        case SubmitState::escaping:
            end({.kind = OutcomeKind::not_sent}, false);
            return timed_out ? std::optional(Trigger::no_answer) : std::nullopt;
        case SubmitState::sent:
        case SubmitState::answered:
            return end_after_pdu(result);
    }
    return std::nullopt;
}

/// +CMGS is what says that the network took it; an OK alone may be another command's.
std::optional<Trigger> SubmitExchange::end_after_pdu(at::FinalResult result) {
    const bool timed_out = result.kind == at::FinalKind::timed_out;
    if (state_ == SubmitState::answered) {
        end(accepted_, true);
        return timed_out ? std::optional(Trigger::no_answer) : std::nullopt;
    }
    if (timed_out || result.kind == at::FinalKind::ok) {
        cut_off();
        return Trigger::no_answer;
    }
    end({.kind = OutcomeKind::refused, .cause = cause_of(result)}, true);
    return std::nullopt;
}

void SubmitExchange::end(SubmitOutcome outcome, bool pdu_sent) {
    state_ = SubmitState::idle;
    release_by_ = never;
    slow_at_ = never;
    ended_ = ports::SubmitDone{outcome, pdu_sent};
    reporter_.tell(*ended_);
}

}  // namespace smsrack::gsm
