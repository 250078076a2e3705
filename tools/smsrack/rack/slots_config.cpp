#include "tools/smsrack/rack/slots_config.hpp"

#include "tools/smsrack/default_config.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

namespace smsrack::cli {
namespace {

constexpr std::uint32_t default_baud = 115'200;

/// A basic string of TOML; its content is from a board's file or a port's name.
std::string toml_text(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
        }
        const auto octet = static_cast<unsigned char>(c);
        out += octet < 0x20 || octet == 0x7F ? fmt::format("\\u{:04X}", octet) : std::string(1, c);
    }
    return out + "\"";
}

std::string or_unknown(const std::string& text) {
    return text.empty() ? "unknown" : text;
}

std::string power_text(const config::PowerSettings& power) {
    return fmt::format("power = {{ chip = {}, line = {}{}, off_ms = {} }}\n", toml_text(power.chip),
                       power.line, power.active_low ? ", active_low = true" : "",
                       power.off.count());
}

bool is_at(const Slot& slot, const config::BoardSlot& place, const std::string& tty) {
    return slot.look.answers &&
           (slot.port == place.port || slot.tty == place.port || (!tty.empty() && slot.tty == tty));
}

}  // namespace

std::vector<PlacedSlot> placed(std::span<const Slot> slots, const config::Board& board,
                               const std::function<std::string(const std::string&)>& tty_of) {
    std::vector<PlacedSlot> all;
    std::set<std::string> names;
    std::set<const Slot*> taken;
    for (const config::BoardSlot& place : board.slots) {
        names.insert(place.name);
        const std::string tty = tty_of(place.port);
        const auto found =
            std::ranges::find_if(slots, [&](const Slot& slot) { return is_at(slot, place, tty); });
        if (found != slots.end() && taken.insert(&*found).second) {
            all.push_back({.found = *found, .name = place.name, .power = place.power});
            all.back().found.port = place.port;
        }
    }
    std::size_t number = 0;
    for (const Slot& slot : slots) {
        if (!slot.look.answers || taken.contains(&slot)) {
            continue;
        }
        std::string name = fmt::format("m{}", number++);
        while (!names.insert(name).second) {
            name = fmt::format("m{}", number++);
        }
        all.push_back({.found = slot, .name = std::move(name)});
    }
    return all;
}

std::string entries_text(std::span<const PlacedSlot> slots) {
    std::string text;
    for (const PlacedSlot& slot : slots) {
        const PortLook& look = slot.found.look;
        text += fmt::format("\n[[modem]]  # IMEI {}, ICCID {}\nname = {}\nport = {}\n",
                            or_unknown(look.imei), or_unknown(look.iccid), toml_text(slot.name),
                            toml_text(slot.found.port));
        if (look.baud != default_baud) {
            text += fmt::format("baud = {}\n", look.baud);
        }
        if (slot.power) {
            text += power_text(*slot.power);
        }
    }
    return text;
}

std::string whole_config(std::span<const PlacedSlot> slots, const config::Board& board) {
    std::string text(default_config_text());
    text += fmt::format(
        "\n# What `smsrack slots` found on the board {}; names are those of its "
        "slots.\n",
        toml_text(board.name));
    for (const config::BoardSlot& place : board.slots) {
        if (std::ranges::find(slots, place.name, &PlacedSlot::name) == slots.end()) {
            text += fmt::format("# No modem answered in slot {}.\n", toml_text(place.name));
        }
    }
    if (slots.empty()) {
        text += "# No modem answered at all; `smsrack slots` asks again.\n";
    }
    return text + entries_text(slots);
}

}  // namespace smsrack::cli
