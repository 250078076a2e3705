// `smsrack firmware status`.
#include "tools/smsrack/firmware/firmware_command.hpp"
#include "tools/smsrack/firmware/firmware_slots.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/screen/table.hpp"
#include "tools/smsrack/whole_file.hpp"

#include <fmt/format.h>

namespace smsrack::cli {
namespace {

/// What holds for both slots.
struct BoxNotes {
    std::string floor = {};  ///< empty: not known
    std::string told = {};   ///< of the configuration; empty: nothing
};

BoxNotes notes_of(const FirmwareBox& box) {
    const auto floor = output_of(box, {floor_script, "show"});
    const auto told = read_small_file(box.configuration_told());
    return {.floor = floor ? last_line(*floor) : "", .told = told ? last_line(*told) : ""};
}

wire::Json json_of(const FirmwareState& state, const BoxNotes& notes) {
    wire::Json slots = wire::Json::array();
    for (const FirmwareSlot& slot : state.slots) {
        slots.push_back({{"slot", slot.bootname},
                         {"version", or_null(slot.version)},
                         {"booted", slot.booted},
                         {"next", slot.bootname == state.next},
                         {"confirmed", slot.confirmed},
                         {"tries_left", or_null(slot.tries)},
                         {"schema", slot.note ? wire::Json(slot.note->schema) : wire::Json()}});
    }
    const FirmwareSlot* const booted = state.booted();
    return {{"compatible", state.compatible},
            {"booted", booted != nullptr ? wire::Json(booted->bootname) : wire::Json()},
            {"next", or_null(state.next)},
            {"floor", or_null(notes.floor)},
            {"configuration", or_null(notes.told)},
            {"slots", std::move(slots)}};
}

/// What the operator should do, if anything.
std::string advice(const FirmwareState& state) {
    const FirmwareSlot* const booted = state.booted();
    if (booted == nullptr) {
        return "";
    }
    if (!booted->confirmed) {
        return "The release that runs is not confirmed: if the box starts again before it is, it "
               "may "
               "go back to the other slot (`smsrack firmware confirm`).\n";
    }
    if (!state.next.empty() && state.next != booted->bootname) {
        return fmt::format("Slot {} starts with the next restart (`systemctl reboot`).\n",
                           state.next);
    }
    return "";
}

std::string words_of_slots(const FirmwareState& state, const BoxNotes& notes,
                           const Console& console) {
    Table table(
        {{"SLOT"}, {"VERSION"}, {"RUNS"}, {"NEXT"}, {"CONFIRMED"}, {"TRIES", Align::right}});
    for (const FirmwareSlot& slot : state.slots) {
        table.add({slot.bootname, slot.version, slot.booted ? "yes" : "",
                   slot.bootname == state.next ? "yes" : "", slot.confirmed ? "yes" : "no",
                   slot.tries ? fmt::to_string(*slot.tries) : ""});
    }
    std::string text = table.text(console, "") + advice(state);
    if (!notes.floor.empty() && notes.floor != "0") {
        text += fmt::format("No version below {} can be installed.\n", printable(notes.floor));
    }
    return notes.told.empty() ? text : text + printable(notes.told) + "\n";
}

}  // namespace

Outcome<> firmware_status(const FirmwareBox& box, Context& context) {
    const auto state = read_firmware_state(box);
    if (!state) {
        return std::unexpected(state.error());
    }
    const BoxNotes notes = notes_of(box);
    return report(json_of(*state, notes), words_of_slots(*state, notes, context.console), context);
}

}  // namespace smsrack::cli
