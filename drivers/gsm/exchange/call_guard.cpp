#include "drivers/gsm/exchange/call_guard.hpp"

#include "drivers/gsm/fields.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::gsm {
namespace {

constexpr std::size_t digits_shown = 2;

}  // namespace

CallGuard::CallGuard(at::AtChannel& channel, Reporter& reporter)
    : channel_(channel), reporter_(reporter) {}

void CallGuard::on_caller(std::string_view clip_line) {
    const auto number = field(clip_line, 0);
    caller_ = number.size() > 2 * digits_shown
                  ? "..." + std::string(number.substr(number.size() - digits_shown))
                  : std::string();
}

bool CallGuard::speak(SteadyTime now) {
    if (!ringing_) {
        return false;
    }
    channel_.start({.text = knows_chup_ ? "AT+CHUP" : "ATH"}, now);
    return true;
}

std::optional<Trigger> CallGuard::on_final(at::FinalResult result, SteadyTime) {
    if (result.kind == at::FinalKind::timed_out) {
        ringing_ = false;  // it rings again when it is back
        return Trigger::no_answer;
    }
    if (result.kind != at::FinalKind::ok && std::exchange(knows_chup_, false)) {
        return std::nullopt;  // with ATH now
    }
    ringing_ = false;
    const auto caller = std::exchange(caller_, {});
    if (result.kind == at::FinalKind::ok) {
        reporter_.note(LogLevel::info, "call_refused", caller.empty() ? "caller not told" : caller);
        reporter_.befell(ports::Incident::call_refused);
    } else {
        reporter_.note(LogLevel::warn, "call_not_refused", at::to_text(result));
    }
    return std::nullopt;
}

}  // namespace smsrack::gsm
