// `smsrack firmware confirm`: this release stays.
#include "tools/smsrack/doctor/radio_test.hpp"
#include "tools/smsrack/firmware/firmware_command.hpp"
#include "tools/smsrack/firmware/firmware_slots.hpp"
#include "tools/smsrack/rack/service.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/whole_file.hpp"

#include <fmt/format.h>

namespace smsrack::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto answer_limit = 10s;
constexpr auto look_again = 1s;
constexpr auto mark_limit = 1min;  // RAUC answered before

/// Until /healthz answers with 200; modems need not be there for that.
Outcome<> wait_until_ready(SteadyTime last, std::chrono::seconds limit, const FirmwareBox& box,
                           Context& context) {
    for (;;) {
        const auto answer = Service(context.socket, -1, answer_limit).get("/healthz");
        if (answer) {
            context.console.end_progress();
            return ExitCode::done;
        }
        if (box.clock.steady() >= last) {
            context.console.end_progress();
            const bool reached = answer.error().code != ExitCode::unreachable;
            return failure(reached ? ExitCode::try_later : ExitCode::unreachable,
                           fmt::format("not confirmed: the service was not ready within {} s: {}",
                                       limit.count(), answer.error().message));
        }
        context.console.progress("waiting for the service: " + answer.error().message);
        if (box.wait(look_again)) {
            context.console.end_progress();
            return failure(ExitCode::failed, "interrupted; not confirmed");
        }
    }
}

/// What RAUC is asked is asked again until `last`: its own service may come late.
template <typename Ask>
auto patiently(SteadyTime last, const FirmwareBox& box, Context& context, const Ask& ask) {
    auto answer = ask();
    while (!answer && box.clock.steady() < last) {
        context.console.progress("waiting for RAUC: " + answer.error().message);
        if (box.wait(look_again)) {
            break;
        }
        answer = ask();
    }
    context.console.end_progress();
    return answer;
}

/// A new box sends nothing, also in the moment before its pause begins.
RadioTest test_radio(const FirmwareConfirmOptions& options, const FirmwareBox& box,
                     Context& context) {
    std::error_code ignored;
    if (std::filesystem::exists(box.pause_wanted(), ignored)) {
        return {.verdict = RadioVerdict::not_possible,
                .words = "the rack is paused until an operator has reviewed its configuration"};
    }
    return radio_test({.lines = options.lines_wait, .message = options.radio_wait}, box, context);
}

std::string_view word_of(const std::optional<RadioTest>& radio) {
    if (!radio) {
        return "left_out";
    }
    return radio->verdict == RadioVerdict::passed ? "passed" : "not_possible";
}

Outcome<> tell_confirmed(const FirmwareSlot& slot, const SlotNote& note, bool already,
                         const std::optional<RadioTest>& radio, Context& context) {
    std::string text = fmt::format("slot {}, version {}: {}\n", slot.bootname, note.version,
                                   already ? "was confirmed already" : "confirmed");
    if (radio) {
        text += radio->verdict == RadioVerdict::passed
                    ? "radio: " + radio->words + "\n"
                    : "radio: the test was not possible, so the service's health alone decided: " +
                          radio->words + "\n";
    }
    return report({{"confirmed", true},
                   {"already", already},
                   {"slot", slot.bootname},
                   {"version", note.version},
                   {"radio", already ? wire::Json() : wire::Json(word_of(radio))},
                   {"radio_words", radio ? wire::Json(radio->words) : wire::Json()}},
                  text, context);
}

/// What other releases go by; without it, `rollback` asks before it goes back to this one.
void keep_note(const FirmwareSlot& slot, const SlotNote& note, const FirmwareBox& box,
               Context& context) {
    if (const auto kept =
            write_whole_file(box.note_of(slot.bootname), text_of_note(note), Existing::replace);
        !kept) {
        context.console.complain("confirmed, but this could not be recorded: " +
                                 kept.error().context);
    }
}

/// The floor of the box, its keyring and the slot's own configuration. Each start does it again, so a failure is no reason not to confirm.
void settle(const FirmwareBox& box, Context& context) {
    if (const auto settled = output_of(box, {settle_script}); !settled) {
        context.console.complain(
            "confirmed, but not all that a confirmed release keeps could be saved: " +
            settled.error().message);
    }
}

}  // namespace

Outcome<> firmware_confirm(const FirmwareConfirmOptions& options, const FirmwareBox& box,
                           Context& context) {
    const SteadyTime last = box.clock.steady() + options.wait;
    const auto state = patiently(last, box, context, [&box] { return read_firmware_state(box); });
    if (!state) {
        return std::unexpected(state.error());
    }
    const FirmwareSlot* const slot = state->booted();
    if (slot == nullptr) {
        return failure(ExitCode::failed,
                       "not confirmed: RAUC does not know which slot was started (rauc.slot= in "
                       "/proc/cmdline)");
    }
    SlotNote note = about_this_release(box);
    note.sha256 = slot->sha256;
    if (slot->confirmed && slot->note && slot->note->version == note.version) {
        settle(box, context);
        return tell_confirmed(*slot, note, true, std::nullopt, context);
    }
    if (auto ready = wait_until_ready(last, options.wait, box, context); !ready) {
        return ready;
    }
    std::optional<RadioTest> radio;
    if (!options.no_radio) {
        radio = test_radio(options, box, context);
        if (radio->verdict == RadioVerdict::failed || radio->verdict == RadioVerdict::interrupted) {
            return failure(ExitCode::failed, "not confirmed: " + radio->words);
        }
    }
    const auto marked = patiently(box.clock.steady() + mark_limit, box, context, [&box] {
        return output_of(box, {"rauc", "status", "mark-good"});
    });
    if (!marked) {
        return failure(ExitCode::failed, "not confirmed: " + marked.error().message);
    }
    keep_note(*slot, note, box, context);
    settle(box, context);
    return tell_confirmed(*slot, note, false, radio, context);
}

}  // namespace smsrack::cli
