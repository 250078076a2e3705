/// The two slots of a box: what RAUC reports of them, what was recorded when they were confirmed,
/// and the counters of the boot loader.
///
/// Errors:  failed: RAUC can't be asked, or what it says is not understood.
/// Source:  RAUC 1.8, `rauc status --detailed --output-format=json`; A_OK and A_TRIES of the boot loader's grubenv, where there is one: what
///          RAUC calls good may only be started.
#pragma once

#include "src/wire/json.hpp"
#include "tools/smsrack/firmware/firmware_box.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::cli {

/// Of a release: what `smsrackd --about` says, and the image of the slot that it was confirmed in.
struct SlotNote {
    std::string version = {};
    int schema = 0;                         ///< of the database that it makes
    std::optional<int> readable_from = {};  ///< the earliest schema whose programs may use that
    std::string sha256 = {};                ///< of the slot, as RAUC has it; empty: not known
};

struct FirmwareSlot {
    std::string name = {};      ///< "rootfs.0"
    std::string bootname = {};  ///< "A"
    std::string version = {};   ///< empty: not known
    std::string sha256 = {};    ///< empty: never installed to by RAUC
    bool booted = false;
    bool confirmed = false;             ///< it is started as often as it takes
    std::optional<int> tries = {};      ///< not confirmed: starts left until it is given up
    std::optional<SlotNote> note = {};  ///< nullopt: there is none of what is in the slot now
};

struct FirmwareState {
    std::string compatible = {};
    std::string next = {};                 ///< bootname; empty: not known
    std::vector<FirmwareSlot> slots = {};  ///< by name

    /// Null: none is known to be it.
    [[nodiscard]] const FirmwareSlot* booted() const;
    /// The one that did not start; null: there is none, or more than one.
    [[nodiscard]] const FirmwareSlot* other() const;
};

[[nodiscard]] Outcome<FirmwareState> read_firmware_state(const FirmwareBox& box);

/// "A" of "... rauc.slot=A ..." in the kernel's command line; empty: it names none.
[[nodiscard]] std::string booted_slot(const FirmwareBox& box);

/// What the running release says of itself, by `smsrackd --about`; where that says nothing, what this
/// program knows, which is of the same release. Without `sha256`.
[[nodiscard]] SlotNote about_this_release(const FirmwareBox& box);

/// Nullopt if it is not JSON with a version and a schema.
[[nodiscard]] std::optional<SlotNote> slot_note_of(std::string_view text);
[[nodiscard]] std::string text_of_note(const SlotNote& note);

/// "A_TRIES" of what GRUB calls an environment block; nullopt if it is missing or not a number.
[[nodiscard]] std::optional<int> grubenv_number(std::string_view block, std::string_view name);

}  // namespace smsrack::cli
