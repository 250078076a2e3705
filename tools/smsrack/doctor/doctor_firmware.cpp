#include "tools/smsrack/doctor/doctor_firmware.hpp"

#include "src/base/time_text.hpp"
#include "tools/smsrack/whole_file.hpp"

#include <chrono>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace smsrack::cli {
namespace {

/// A release with the next root must be built, and must reach the box, before the last root ends.
constexpr std::chrono::days keyring_warning{365};
constexpr std::size_t date_size = std::string_view("2026-01-01").size();

Finding judge_keyring(const FirmwareBox& box) {
    const auto text = read_small_file(box.keyring());
    if (!text) {
        return bad("updates", "keyring_missing",
                   fmt::format("{}, so no update is accepted", text.error().context),
                   "`systemctl status smsrack-release` says why");
    }
    const std::string line = text->substr(0, text->find('\n'));  // as tools/firmware-keys writes it
    const std::string ends = word_behind(line, "ends ");
    if (line.contains("DEVELOPMENT")) {
        return bad("updates", "development_key",
                   "this box accepts updates that are signed with a DEVELOPMENT key, which lies "
                   "unprotected on the computer that built the image",
                   "for use, write an image that was built with keys of your own (tools/firmware "
                   "--keys; docs/security.md)");
    }
    if (ends.empty()) {
        return well("updates", "accepted where they are signed for this box's keyring");
    }
    const std::string accepted = "accepted where they are signed until " + ends;
    return time_text(box.clock.wall() + keyring_warning).substr(0, date_size) > ends
               ? bad("updates", "keyring_ends", accepted,
                     "install a release with the next root before that (docs/security.md)")
               : well("updates", accepted);
}

/// An image for tests, which must not be used.
std::optional<Finding> judge_debug(const FirmwareBox& box) {
    const auto release = read_small_file(box.release());
    if (!release || !("\n" + *release).contains("\nDEBUG=1\n")) {
        return std::nullopt;
    }
    return bad("image", "debug_image", "an image for tests: anyone at the serial port is root",
               "write one that was built without --debug");
}

std::optional<Finding> judge_set_aside(const FirmwareBox& box) {
    const std::filesystem::path folder = box.configuration_set_aside();
    std::error_code ignored;
    if (!std::filesystem::exists(folder, ignored)) {
        return std::nullopt;
    }
    const auto about = read_small_file(folder / "about");
    return bad(
        "settings", "configuration_set_aside",
        about ? last_line(*about) : "a configuration was set aside",
        fmt::format("compare {0} with /etc/smsrack, bring over what this release knows, then "
                    "`rm -r {0}`",
                    folder.string()));
}

}  // namespace

Findings look_at_firmware(const FirmwareBox& box) {
    if (!require_box(box)) {
        return {};
    }
    Findings findings{judge_keyring(box)};
    for (auto& finding : {judge_debug(box), judge_set_aside(box)}) {
        if (finding) {
            findings.push_back(*finding);
        }
    }
    return findings;
}

}  // namespace smsrack::cli
