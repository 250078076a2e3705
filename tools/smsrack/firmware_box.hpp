/// The box as the firmware commands see it: its files below a root, its programs, its time. A test gives others.
#pragma once

#include "src/base/clock.hpp"
#include "tools/smsrack/outcome.hpp"
#include "tools/smsrack/program_runner.hpp"

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

namespace smsrack::cli {

struct FirmwareBox {
    std::filesystem::path root = "/";
    ProgramRunner& programs;
    const Clock& clock;
    /// Waits so long; true: a signal says to stop.
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
    /// There as long as a new box is to be paused, so that nothing costs money before a person has looked at it.
    [[nodiscard]] std::filesystem::path pause_wanted() const { return notes() / "pause-wanted"; }
    /// What a person has agreed to lose, by `rollback --yes`: see loss_agreement().
    [[nodiscard]] std::filesystem::path loss_agreed() const { return notes() / "loss-agreed"; }
    [[nodiscard]] std::filesystem::path cmdline() const { return root / "proc/cmdline"; }
    /// Where the boot loader keeps what it counts.
    [[nodiscard]] std::filesystem::path efi() const { return root / "boot/efi"; }
    /// One word: which board this is.
    [[nodiscard]] std::filesystem::path board_name() const { return root / "etc/smsrack/board"; }
    [[nodiscard]] std::filesystem::path boards() const { return root / "usr/share/smsrack/boards"; }
    [[nodiscard]] std::filesystem::path leds() const { return root / "sys/class/leds"; }
};

/// failed: this is no box with two slots.
[[nodiscard]] Outcome<> require_box(const FirmwareBox& box);

/// Runs a program that must succeed; its standard output.
/// failed: with the last line that it complained with.
[[nodiscard]] Outcome<std::string> output_of(const FirmwareBox& box,
                                             const std::vector<std::string>& words);

/// The last line that says something; empty: none does.
[[nodiscard]] std::string last_line(std::string_view text);

}  // namespace smsrack::cli
