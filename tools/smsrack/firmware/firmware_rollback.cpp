// `smsrack firmware rollback`: the other release starts next time.
#include "tools/smsrack/firmware/firmware_command.hpp"
#include "tools/smsrack/firmware/firmware_slots.hpp"
#include "tools/smsrack/rack/going_back.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/whole_file.hpp"

#include <array>
#include <fmt/format.h>
#include <optional>

namespace smsrack::cli {
namespace {

constexpr std::array<std::string_view, 4> kind_words{"free", "with_copy", "stuck", "unknown"};

wire::Json json_of(const GoingBack& judged, const FirmwareSlot& other, bool rolled_back) {
    wire::Json loss;
    if (judged.kind == GoingBackKind::with_copy && judged.why.empty()) {
        loss = {{"waiting", judged.loss.waiting},  {"sent", judged.loss.sent},
                {"ended", judged.loss.ended},      {"received", judged.loss.received},
                {"sent_again", judged.loss.again}, {"opt_outs", judged.loss.opt_outs},
                {"pauses", judged.loss.pauses}};
    }
    return {{"rolled_back", rolled_back},
            {"slot", other.bootname},
            {"version", or_null(other.version)},
            {"database", kind_words[static_cast<std::size_t>(judged.kind)]},
            {"copy", or_null(judged.copy.string())},
            {"why", or_null(judged.why)},
            {"loss", std::move(loss)}};
}

/// Where the database is unknown: a box whose configuration is bad must still find its way back.
GoingBack judge(const FirmwareRollbackOptions& options, const FirmwareSlot& booted,
                const FirmwareSlot& other, Context& context) {
    const auto database = database_file(options.where, context);
    if (!database) {
        return {.why = database.error().message};
    }
    return judge_going_back(*database, booted, other);
}

/// Such as the other slot of a box that was never updated. What was put there otherwise is not known to RAUC.
bool was_never_filled(const FirmwareSlot& slot) {
    return slot.version.empty() && slot.sha256.empty();
}

std::vector<std::string> words_of(const GoingBack& judged, const FirmwareSlot& other,
                                  const std::optional<std::string>& below) {
    std::vector<std::string> words = going_back_words(judged, other);
    if (below) {
        words.push_back(fmt::format("Slot {}: {}.", other.bootname, *below));
    }
    if (was_never_filled(other)) {
        words.push_back(fmt::format("Nothing was ever installed to slot {}, as far as RAUC knows.",
                                    other.bootname));
    } else if (!other.confirmed) {
        words.push_back(
            fmt::format("Slot {} is not confirmed: the boot loader may come back to this release.",
                        other.bootname));
    }
    return words;
}

void say(const std::vector<std::string>& words, Context& context) {
    for (const std::string& line : words) {
        if (context.json) {
            context.console.note(line);
        } else {
            context.console.write(line + "\n");
        }
    }
}

}  // namespace

Outcome<> firmware_rollback(const FirmwareRollbackOptions& options, const FirmwareBox& box,
                            Context& context) {
    const auto state = read_firmware_state(box);
    if (!state) {
        return std::unexpected(state.error());
    }
    const FirmwareSlot* const booted = state->booted();
    const FirmwareSlot* const other = state->other();
    if (booted == nullptr || other == nullptr) {
        return failure(ExitCode::failed, "the other slot is unknown; see `rauc status`");
    }
    const GoingBack judged = judge(options, *booted, *other, context);
    const auto below = other->version.empty() ? std::nullopt : below_floor(box, other->version);
    say(words_of(judged, *other, below), context);
    const bool asks = !judged.loses_nothing() || was_never_filled(*other) || below;
    if (asks && !options.yes) {
        if (context.json) {
            context.console.write(json_line(json_of(judged, *other, false)) + "\n");
        }
        return failure(ExitCode::failed,
                       "not rolled back; `smsrack db backup FILE` keeps a copy of the current "
                       "messages, `smsrack firmware rollback --yes` goes back anyway");
    }
    // Before: the start that follows may come at any moment from then on.
    if (judged.kind == GoingBackKind::with_copy) {
        if (const auto noted = write_whole_file(
                box.loss_agreed(), loss_agreement(other->bootname, judged.copy), Existing::replace);
            !noted) {
            return failure(ExitCode::failed,
                           "not rolled back, since it can't be recorded: " + noted.error().context);
        }
    }
    // So that this slot has its newest configuration as its own, when the box comes back to it.
    if (const auto kept = output_of(box, {configuration_script, "keep"}); !kept) {
        context.console.complain("the current configuration could not be saved for this slot: " +
                                 kept.error().message);
    }
    if (const auto marked = output_of(box, {"rauc", "status", "mark-active", "other"}); !marked) {
        return std::unexpected(marked.error());
    }
    return report(
        json_of(judged, *other, true),
        fmt::format("slot {}{} starts with the next restart: `systemctl reboot`\n", other->bootname,
                    other->version.empty() ? "" : ", version " + printable(other->version) + ","),
        context);
}

}  // namespace smsrack::cli
