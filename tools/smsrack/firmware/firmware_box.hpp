/// The box as the firmware commands see it: its files below a root, its programs, its time. A test
/// substitutes others.
#pragma once

#include "src/base/clock.hpp"
#include "tools/smsrack/outcome.hpp"
#include "tools/smsrack/program_runner.hpp"

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace smsrack::cli {

struct FirmwareBox {
    std::filesystem::path root = "/";
    ProgramRunner& programs;
    const Clock& clock;
    /// Waits this long; true: a signal asks to stop.
    std::function<bool(std::chrono::milliseconds)> wait;

    [[nodiscard]] std::filesystem::path system_conf() const {
        return root / "etc/rauc/system.conf";
    }
    /// RAUC's status and the notes of slots.
    [[nodiscard]] std::filesystem::path notes() const { return root / "data/firmware"; }
    /// "A" -> data/firmware/slot-A.json.
    [[nodiscard]] std::filesystem::path note_of(const std::string& bootname) const {
        return notes() / ("slot-" + bootname + ".json");
    }
    /// Exists while a new box must stay paused, so that nothing costs money before an operator has
    /// reviewed it.
    [[nodiscard]] std::filesystem::path pause_wanted() const { return notes() / "pause-wanted"; }
    /// What the operator has agreed to lose, by `rollback --yes`: see loss_agreement().
    [[nodiscard]] std::filesystem::path loss_agreed() const { return notes() / "loss-agreed"; }
    /// What the last change between two slots did to the configuration, in one sentence; missing: nothing.
    [[nodiscard]] std::filesystem::path configuration_told() const {
        return notes() / "configuration/told";
    }
    /// A configuration that no slot has as its own; there until the operator removes it.
    [[nodiscard]] std::filesystem::path configuration_set_aside() const {
        return notes() / "configuration/set-aside";
    }
    /// NAME=VALUE lines about the running release, from tools/firmware.
    [[nodiscard]] std::filesystem::path release() const { return root / "usr/lib/smsrack/release"; }
    /// What RAUC checks updates with.
    [[nodiscard]] std::filesystem::path keyring() const { return root / "run/box/keyring.pem"; }
    [[nodiscard]] std::filesystem::path cmdline() const { return root / "proc/cmdline"; }
    /// Where the boot loader keeps what it counts.
    [[nodiscard]] std::filesystem::path efi() const { return root / "boot/efi"; }
    /// One word: which board this is.
    [[nodiscard]] std::filesystem::path board_name() const { return root / "etc/smsrack/board"; }
    [[nodiscard]] std::filesystem::path boards() const { return root / "usr/share/smsrack/boards"; }
    [[nodiscard]] std::filesystem::path leds() const { return root / "sys/class/leds"; }
};

/// The scripts of a box, which keep what must outlast a change of the slot.
inline constexpr const char* settle_script = "/usr/lib/smsrack/settle";
inline constexpr const char* floor_script = "/usr/lib/smsrack/floor";
inline constexpr const char* configuration_script = "/usr/lib/smsrack/configuration";

/// failed: this is no box with two slots.
[[nodiscard]] Outcome<> require_box(const FirmwareBox& box);

/// Runs a program that must succeed; its standard output.
/// failed: with the last line that it complained with.
[[nodiscard]] Outcome<std::string> output_of(const FirmwareBox& box,
                                             const std::vector<std::string>& words);

/// Why the floor of this box does not admit this version, in words; nullopt if it does, or if the floor can't be asked: RAUC asks it again before it writes.
[[nodiscard]] std::optional<std::string> below_floor(const FirmwareBox& box,
                                                     const std::string& version);

/// "A" of "... rauc.slot=A ..." behind "rauc.slot="; empty where that is not there.
[[nodiscard]] std::string word_behind(std::string_view text, std::string_view name);

}  // namespace smsrack::cli
