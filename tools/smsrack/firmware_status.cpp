// `smsrack firmware status`.
#include "tools/smsrack/firmware_command.hpp"
#include "tools/smsrack/firmware_slots.hpp"
#include "tools/smsrack/json_fields.hpp"
#include "tools/smsrack/table.hpp"
#include "tools/smsrack/whole_file.hpp"

#include <fmt/format.h>

namespace smsrack::cli {
namespace {

wire::Json json_or_null(const std::string& text) {
    return text.empty() ? wire::Json() : wire::Json(text);
}

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
                         {"version", json_or_null(slot.version)},
                         {"booted", slot.booted},
                         {"next", slot.bootname == state.next},
                         {"confirmed", slot.confirmed},
                         {"tries_left", slot.tries ? wire::Json(*slot.tries) : wire::Json()},
                         {"schema", slot.note ? wire::Json(slot.note->schema) : wire::Json()}});
    }
    const FirmwareSlot* const booted = state.booted();
    return {{"compatible", state.compatible},
            {"booted", booted != nullptr ? wire::Json(booted->bootname) : wire::Json()},
            {"next", json_or_null(state.next)},
            {"floor", json_or_null(notes.floor)},
            {"configuration", json_or_null(notes.told)},
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

}  // namespace

Outcome<> firmware_status(const FirmwareBox& box, Context& context) {
    const auto state = read_firmware_state(box);
    if (!state) {
        return std::unexpected(state.error());
    }
    const BoxNotes notes = notes_of(box);
    if (context.json) {
        context.console.write(json_line(json_of(*state, notes)) + "\n");
        return ExitCode::done;
    }
    Table table(
        {{"SLOT"}, {"VERSION"}, {"RUNS"}, {"NEXT"}, {"CONFIRMED"}, {"TRIES", Align::right}});
    for (const FirmwareSlot& slot : state->slots) {
        table.add({slot.bootname, slot.version, slot.booted ? "yes" : "",
                   slot.bootname == state->next ? "yes" : "", slot.confirmed ? "yes" : "no",
                   slot.tries ? fmt::to_string(*slot.tries) : ""});
    }
    context.console.write(table.text(context.console, ""));
    context.console.write(advice(*state));
    if (!notes.floor.empty() && notes.floor != "0") {
        context.console.write(
            fmt::format("No version below {} can be installed.\n", printable(notes.floor)));
    }
    if (!notes.told.empty()) {
        context.console.write(printable(notes.told) + "\n");
    }
    return ExitCode::done;
}

}  // namespace smsrack::cli
