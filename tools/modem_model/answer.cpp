#include "tools/modem_model/answer.hpp"

#include "tools/modem_model/faults/line_noise.hpp"

#include <fmt/format.h>

namespace smsrack::modem_sim {

namespace {

/// With its final result code, where it has one.
std::string whole(Core& core, const Answer& answer) {
    if (answer.final == Final::silent) {
        return answer.lines;
    }
    if (answer.final == Final::torn_ok) {
        return answer.lines + torn_ok(core);
    }
    return answer.lines + "\r\n" + final_text(core, answer.final, answer.code) + "\r\n";
}

}  // namespace

std::string final_text(const Core& core, Final final, int code) {
    switch (final) {
        case Final::cme:
        case Final::cms:
            if (core.prefs.general.extended_errors) {
                return fmt::format("+CM{} ERROR: {}", final == Final::cme ? 'E' : 'S', code);
            }
            return "ERROR";
        case Final::error:
            return "ERROR";
        default:
            return "OK";
    }
}

void say(Core& core, SteadyTime at, const Answer& answer) {
    if (answer.final == Final::later) {
        return;
    }
    if (core.faults.take(FaultKind::interleave)) {
        core.output.line("+CREG: 1");  // the URC most like an answer
    }
    if (answer.final == Final::prompt) {
        core.output.write(answer.lines);
        if (!core.faults.take(FaultKind::drop_prompt)) {
            core.output.write("\r\n> ");
        }
        return;
    }
    say_answer(core, at, whole(core, answer), answer.final == Final::ok);
}

void say_answer(Core& core, SteadyTime at, std::string text, bool is_ok) {
    const std::string said = through_noise(core, text);
    core.output.write(said);
    if (std::exchange(core.confirms, false) && is_ok && said == text && !core.output.muted()) {
        core.journal.confirmed(at, core.settings.index);
    }
}

int sms_trouble(const Core& core) {
    if (!core.card.present) {
        return cms_sim_absent;
    }
    if (!core.card.unlocked) {
        return core.card.pin_attempts > 0 ? 311 : 316;
    }
    return core.life == Life::limited ? 515 : 0;
}

}  // namespace smsrack::modem_sim
