// `smsrack firmware install BUNDLE`.
#include "tools/smsrack/firmware/firmware_command.hpp"
#include "tools/smsrack/firmware/firmware_slots.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/screen/progress_bar.hpp"

#include <charconv>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

namespace smsrack::cli {
namespace {

namespace fs = std::filesystem;

Outcome<fs::path> bundle_of(const std::string& named) {
    std::error_code error;
    fs::path file = fs::absolute(named, error).lexically_normal();  // RAUC runs elsewhere
    if (error || !fs::exists(file, error)) {
        return failure(ExitCode::usage, fmt::format("{}: no such file", printable(named)));
    }
    if (!fs::is_regular_file(file, error)) {
        return failure(ExitCode::usage, fmt::format("{}: not a file", printable(named)));
    }
    if (::access(file.c_str(), R_OK) != 0) {
        return failure(ExitCode::not_allowed,
                       fmt::format("{}: it can't be read; do this as root", printable(named)));
    }
    return file;
}

/// " 40% Verifying signature done." -> 40 and the words; nullopt if it is another kind of line.
struct Step {
    std::uint64_t percent = 0;
    std::string_view words = {};
};
std::optional<Step> step_of(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(' ');
    const std::size_t sign = line.find("% ");
    if (begin == std::string_view::npos || sign == std::string_view::npos || sign < begin) {
        return std::nullopt;
    }
    Step step{.words = line.substr(sign + 2)};
    const auto [end, error] =
        std::from_chars(line.data() + begin, line.data() + sign, step.percent);
    return error == std::errc() && end == line.data() + sign ? std::optional(step) : std::nullopt;
}

/// "LastError: ..." of what RAUC printed.
std::string last_error(std::string_view out) {
    constexpr std::string_view mark = "LastError: ";
    const std::size_t begin = out.rfind(mark);
    return begin == std::string_view::npos
               ? ""
               : std::string(
                     out.substr(begin + mark.size(), out.find('\n', begin) - begin - mark.size()));
}

Failure refusal_of(const std::string& file, const ProgramAnswer& answer) {
    std::string why = last_error(answer.out);
    if (why.empty()) {
        why = last_line(answer.err);
    }
    const auto says = [&](std::string_view word) { return why.contains(word); };
    if (says("ignature")) {
        return {.code = ExitCode::bad_data,
                .message = fmt::format("{}: its signature is refused: it is damaged, or not from "
                                       "the maker of this box's firmware; nothing was changed ({})",
                                       file, printable(why))};
    }
    if (says("ompatible")) {
        return {.code = ExitCode::bad_data,
                .message = fmt::format("{}: it is for another kind of machine; nothing was changed "
                                       "({})",
                                       file, printable(why))};
    }
    if (says("bundle format") || says("Invalid bundle") || says("not a bundle")) {
        return {.code = ExitCode::bad_data,
                .message = fmt::format("{}: it is not a whole update bundle; nothing was changed "
                                       "({})",
                                       file, printable(why))};
    }
    return {.code = ExitCode::failed,
            .message = fmt::format(
                "{}: not installed; the running release stays, also after a restart: {}", file,
                why.empty() ? "RAUC does not say why" : printable(why))};
}

/// While this release is not confirmed, the other slot may have the only one that is known to work.
/// If RAUC does not know, it decides itself.
Outcome<> may_overwrite_other(const FirmwareBox& box) {
    const auto state = read_firmware_state(box);
    const FirmwareSlot* const here = state ? state->booted() : nullptr;
    const FirmwareSlot* const other = state ? state->other() : nullptr;
    if (here == nullptr || other == nullptr || here->confirmed || !other->confirmed) {
        return ExitCode::done;
    }
    return failure(
        ExitCode::try_later,
        fmt::format(
            "not installed: the running release, in slot {}, is not confirmed yet, and the new one "
            "would overwrite that of slot {}, to which the box falls back. A release that works is "
            "confirmed by itself; `smsrack firmware confirm` says why this one is not",
            here->bootname, other->bootname));
}

/// RAUC's handler refuses a version below the floor as well (before-install), but can't report the
/// reason to its caller. What RAUC can't read or does not trust is left to `rauc install`, which
/// says why.
Outcome<> not_below_floor(const std::string& file, const std::string& named,
                          const FirmwareBox& box) {
    const auto about = output_of(box, {"rauc", "info", "--output-format=json", file});
    const auto said = wire::parse_json(about.value_or(""));
    if (!said || !said->is_object()) {
        return ExitCode::done;
    }
    if (const auto why = below_floor(box, text_of(*said, "version"))) {
        return failure(ExitCode::bad_data,
                       fmt::format("{}: {}; nothing was changed", printable(named), *why));
    }
    return ExitCode::done;
}

}  // namespace

Outcome<> firmware_install(const FirmwareInstallOptions& options, const FirmwareBox& box,
                           Context& context) {
    const auto file = bundle_of(options.bundle);
    if (!file) {
        return std::unexpected(file.error());
    }
    if (const auto may = may_overwrite_other(box); !may) {
        return may;
    }
    if (const auto may = not_below_floor(file->string(), options.bundle, box); !may) {
        return may;
    }
    ProgressBar bar(context.console, 100);
    const auto answer =
        box.programs.run({"rauc", "install", file->string()}, [&bar](std::string_view line) {
            if (const auto step = step_of(line)) {
                bar.show(step->percent, printable(step->words));
            }
        });
    context.console.end_progress();
    if (!answer) {
        return failure(ExitCode::failed, answer.error().context);
    }
    if (answer->code != 0) {
        return std::unexpected(refusal_of(options.bundle, *answer));
    }
    const auto state = read_firmware_state(box);
    const FirmwareSlot* const slot = state ? state->other() : nullptr;
    const std::string version = slot != nullptr ? slot->version : "";
    const std::string name = slot != nullptr ? slot->bootname : "";
    const auto told =
        report({{"installed", true}, {"slot", name}, {"version", version}},
               fmt::format("{}{} is installed{}. {}\n", version.empty() ? "" : "Version ",
                           version.empty() ? options.bundle : version,
                           name.empty() ? "" : " to slot " + name,
                           options.reboot ? "The box starts it now."
                                          : "The box runs it after a restart: `systemctl reboot`."),
               context);
    if (!options.reboot) {
        return told;
    }
    const auto restarted = output_of(box, {"systemctl", "reboot"});
    return restarted ? Outcome<>(ExitCode::done) : std::unexpected(restarted.error());
}

}  // namespace smsrack::cli
