#include "src/config/board.hpp"

#include "src/config/document_reader.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <set>

namespace smsrack::config {
namespace {

constexpr std::size_t led_name_max = 64;  // octets: the kernel's own limit

/// It becomes part of a path.
bool is_led_name(std::string_view name) {
    return !name.empty() && name.size() <= led_name_max && name != "." && name != ".." &&
           std::ranges::all_of(name, [](char c) { return c > ' ' && c <= '~' && c != '/'; });
}

void check_leds(const TomlEntry& entry, const BoardLeds& leds, ProblemList& problems) {
    const auto* const table = std::get_if<TomlTable>(&entry.value.content);
    if (table == nullptr) {
        return;  // reported where it was read
    }
    for (const TomlEntry& led : table->entries) {
        const auto* const name = std::get_if<std::string>(&led.value.content);
        if (name != nullptr && !is_led_name(*name)) {
            problems.add(led.value.line, path_of("leds", led.key),
                         "must be the name of a folder below /sys/class/leds");
        }
    }
    if (!leds.ready.empty() && leds.ready == leds.fault) {
        problems.add(entry.line, "leds.fault", "must not be the same LED as \"ready\"");
    }
}

void refuse_doubles(const std::vector<BoardSlot>& slots, const char* key,
                    std::string BoardSlot::*member, ProblemList& problems) {
    std::set<std::string_view> seen;
    for (const BoardSlot& slot : slots) {
        if (!(slot.*member).empty() && !seen.insert(slot.*member).second) {
            problems.add(slot.source_line, key, fmt::format("\"{}\" is there twice", slot.*member));
        }
    }
}

Board read_board(const TomlTable& document, ProblemList& problems) {
    auto known = keys_of<Board>();
    std::ranges::copy(table_names<Board>(), std::back_inserter(known));
    for (const TomlEntry& entry : document.entries) {
        if (std::ranges::find(known, entry.key) == known.end()) {
            problems.unknown(entry, entry.key, known);
        }
    }
    Board board;
    TableReader(document, 1, "", problems).read(board);
    DocumentReader(document, problems).read(board);
    if (const TomlEntry* const leds = document.find("leds")) {
        check_leds(*leds, board.leds, problems);
    }
    if (board.slots.size() > board_slots_max) {
        problems.add(document.find("slot")->line, "slot",
                     fmt::format("there may be {} of them at most", board_slots_max));
    }
    refuse_doubles(board.slots, "slot.name", &BoardSlot::name, problems);
    refuse_doubles(board.slots, "slot.port", &BoardSlot::port, problems);
    return board;
}

}  // namespace

std::expected<Board, ConfigError> load_board(std::string_view text, const std::string& file) {
    return load_document(text, file, read_board);
}

}  // namespace smsrack::config
