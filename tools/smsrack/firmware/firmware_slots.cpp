#include "tools/smsrack/firmware/firmware_slots.hpp"

#include "db/engine/migrate.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/whole_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace smsrack::cli {
namespace {

// Below the esp; the first that is there.
constexpr std::array<std::string_view, 2> grubenv_places{"EFI/smsrack/grubenv", "grub/grubenv"};

std::optional<int> whole_number_of(const wire::Json& object, const char* member) {
    const auto found = object.find(member);
    return found != object.end() && found->is_number_integer() ? std::optional(found->get<int>())
                                                               : std::nullopt;
}

std::string read_grubenv(const FirmwareBox& box) {
    for (const std::string_view place : grubenv_places) {
        if (auto block = read_small_file(box.efi() / place)) {
            return *std::move(block);
        }
    }
    return {};
}

/// The boot loader takes for good what may be started, so RAUC's word is not enough: a new release may, while it has tries.
void read_count(const std::string& grubenv, FirmwareSlot& slot) {
    if (const auto ok = grubenv_number(grubenv, slot.bootname + "_OK")) {
        slot.confirmed = *ok == 1;
        if (!slot.confirmed) {
            slot.tries = grubenv_number(grubenv, slot.bootname + "_TRIES");
        }
    }
}

/// What was noted of another image says nothing of this one.
void read_note(const FirmwareBox& box, FirmwareSlot& slot) {
    const auto text = read_small_file(box.note_of(slot.bootname));
    auto note = text ? slot_note_of(*text) : std::nullopt;
    if (!note) {
        return;
    }
    // The sum of the image decides. A bundle may be called otherwise than the program in it.
    const bool sums = !note->sha256.empty() && !slot.sha256.empty();
    if (sums ? note->sha256 == slot.sha256
             : slot.version.empty() || slot.version == note->version) {
        slot.version = note->version;
        slot.note = std::move(note);
    }
}

FirmwareSlot slot_of(const std::string& name, const wire::Json& said) {
    const wire::Json& status = object_of(said, "slot_status");
    return {.name = name,
            .bootname = text_of(said, "bootname"),
            .version = text_of(object_of(status, "bundle"), "version"),
            .sha256 = text_of(object_of(status, "checksum"), "sha256"),
            .booted = text_of(said, "state") == "booted",
            .confirmed = text_of(said, "boot_status") == "good"};
}

FirmwareState state_of(const wire::Json& said) {
    FirmwareState state{.compatible = text_of(said, "compatible")};
    const std::string primary = text_of(said, "boot_primary");
    for (const wire::Json& item : array_of(said, "slots")) {
        if (!item.is_object()) {
            continue;
        }
        for (const auto& [name, slot] : item.items()) {
            if (slot.is_object() && !text_of(slot, "bootname").empty()) {
                state.slots.push_back(slot_of(name, slot));
                state.next = name == primary ? state.slots.back().bootname : state.next;
            }
        }
    }
    std::ranges::sort(state.slots, {}, &FirmwareSlot::name);
    return state;
}

}  // namespace

std::string booted_slot(const FirmwareBox& box) {
    return word_behind(read_small_file(box.cmdline()).value_or(""), "rauc.slot=");
}

const FirmwareSlot* FirmwareState::booted() const {
    const auto found = std::ranges::find_if(slots, &FirmwareSlot::booted);
    return found == slots.end() ? nullptr : &*found;
}

const FirmwareSlot* FirmwareState::other() const {
    if (booted() == nullptr || slots.size() != 2) {
        return nullptr;
    }
    return slots.front().booted ? &slots.back() : &slots.front();
}

Outcome<FirmwareState> read_firmware_state(const FirmwareBox& box) {
    const auto text = output_of(box, {"rauc", "status", "--detailed", "--output-format=json"});
    if (!text) {
        return std::unexpected(text.error());
    }
    const auto said = wire::parse_json(*text);
    if (!said || !said->is_object()) {
        return failure(ExitCode::failed,
                       "`rauc status` did not answer with JSON; run it to see what it says");
    }
    FirmwareState state = state_of(*said);
    if (state.slots.empty()) {
        return failure(ExitCode::failed,
                       "RAUC knows no slot that can be started; see " + box.system_conf().string());
    }
    const std::string started = booted_slot(box);
    const std::string grubenv = read_grubenv(box);
    const bool told = state.booted() != nullptr;
    for (FirmwareSlot& slot : state.slots) {
        slot.booted = told ? slot.booted : !started.empty() && slot.bootname == started;
        read_count(grubenv, slot);
        read_note(box, slot);
    }
    return state;
}

std::optional<SlotNote> slot_note_of(std::string_view text) {
    const auto json = wire::parse_json(text);
    if (!json || !json->is_object()) {
        return std::nullopt;
    }
    const auto schema = whole_number_of(*json, "schema");
    SlotNote note{.version = text_of(*json, "version"),
                  .schema = schema.value_or(0),
                  .readable_from = whole_number_of(*json, "readable_from"),
                  .sha256 = text_of(*json, "sha256")};
    return note.version.empty() || !schema ? std::nullopt : std::optional(std::move(note));
}

SlotNote about_this_release(const FirmwareBox& box) {
    const auto said = output_of(box, {"smsrackd", "--about"});
    auto note = said ? slot_note_of(*said) : std::nullopt;
    if (note) {
        return *std::move(note);
    }
    return {.version = SMSRACK_VERSION, .schema = static_cast<int>(db::migrations().size())};
}

std::string text_of_note(const SlotNote& note) {
    wire::Json json{{"version", note.version}, {"schema", note.schema}};
    if (note.readable_from) {
        json["readable_from"] = *note.readable_from;
    }
    if (!note.sha256.empty()) {
        json["sha256"] = note.sha256;
    }
    return json_line(json) + "\n";
}

std::optional<int> grubenv_number(std::string_view block, std::string_view name) {
    while (!block.empty()) {
        const std::string_view line = block.substr(0, block.find('\n'));
        block.remove_prefix(std::min(line.size() + 1, block.size()));
        if (line.size() <= name.size() || !line.starts_with(name) || line[name.size()] != '=') {
            continue;
        }
        const std::string_view text = line.substr(name.size() + 1);
        int number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error == std::errc() && end == text.data() + text.size()) {
            return number;
        }
        return std::nullopt;
    }
    return std::nullopt;
}

}  // namespace smsrack::cli
