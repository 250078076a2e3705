#include "src/config/board.hpp"

#include "src/config/table_reader.hpp"
#include "src/config/toml.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>

namespace smsrack::config {
namespace {

constexpr std::array<std::string_view, 4> board_keys{"name", "about", "leds", "slot"};
constexpr std::size_t led_name_max = 64;  // octets: the kernel's own limit

class BoardReader {
public:
    BoardReader(const TomlTable& document, ProblemList& problems)
        : document_(document), problems_(problems) {}

    Board read() {
        for (const TomlEntry& entry : document_.entries) {
            if (std::ranges::find(board_keys, entry.key) == board_keys.end()) {
                problems_.unknown(entry, entry.key, board_keys);
            }
        }
        Board board;
        TableReader(document_, 1, "", problems_).read(board);
        read_leds(board.leds);
        read_slots(board.slots);
        return board;
    }

private:
    void read_leds(BoardLeds& leds) {
        const TomlEntry* const entry = document_.find("leds");
        if (entry == nullptr) {
            return;
        }
        const auto* const table = std::get_if<TomlTable>(&entry->value.content);
        if (table == nullptr) {
            problems_.expected(entry->value, "leds", "a table [leds]");
            return;
        }
        TableReader reader(*table, entry->line, "leds", problems_);
        reader.read(leds);
        reader.refuse_others<BoardLeds>();
        for (const TomlEntry& led : table->entries) {
            const auto* const name = std::get_if<std::string>(&led.value.content);
            if (name != nullptr && !is_led_name(*name)) {
                problems_.add(led.value.line, path_of("leds", led.key),
                              "must be the name of a folder below /sys/class/leds");
            }
        }
        if (!leds.ready.empty() && leds.ready == leds.fault) {
            problems_.add(entry->line, "leds.fault", "must not be the same LED as \"ready\"");
        }
    }

    /// It becomes part of a path.
    static bool is_led_name(std::string_view name) {
        return !name.empty() && name.size() <= led_name_max && name != "." && name != ".." &&
               std::ranges::all_of(name, [](char c) { return c > ' ' && c <= '~' && c != '/'; });
    }

    void read_slots(std::vector<BoardSlot>& slots) {
        const TomlEntry* const entry = document_.find("slot");
        if (entry == nullptr) {
            return;
        }
        const auto* const items = std::get_if<TomlArray>(&entry->value.content);
        if (items == nullptr) {
            problems_.expected(entry->value, "slot", "tables [[slot]]");
            return;
        }
        if (items->size() > board_slots_max) {
            problems_.add(entry->line, "slot",
                          fmt::format("there may be {} of them at most", board_slots_max));
            return;
        }
        for (const TomlValue& item : *items) {
            const auto* const table = std::get_if<TomlTable>(&item.content);
            if (table == nullptr) {
                problems_.expected(item, "slot", "a table [[slot]]");
                continue;
            }
            BoardSlot slot{.source_line = item.line};
            TableReader reader(*table, item.line, "slot", problems_);
            reader.read(slot);
            reader.refuse_others<BoardSlot>();
            slots.push_back(std::move(slot));
        }
        refuse_doubles(slots, "slot.name", &BoardSlot::name);
        refuse_doubles(slots, "slot.port", &BoardSlot::port);
    }

    void refuse_doubles(const std::vector<BoardSlot>& slots, const char* key,
                        std::string BoardSlot::*member) {
        std::set<std::string> seen;
        for (const BoardSlot& slot : slots) {
            if (!(slot.*member).empty() && !seen.insert(slot.*member).second) {
                problems_.add(slot.source_line, key,
                              fmt::format("\"{}\" is there twice", slot.*member));
            }
        }
    }

    const TomlTable& document_;
    ProblemList& problems_;
};

}  // namespace

std::expected<Board, ConfigError> load_board(std::string_view text, const std::string& file) {
    const auto document = parse_toml(text);
    if (!document) {
        const TomlFault& fault = document.error();
        return std::unexpected(ConfigError{
            .file = file, .problems = {{.line = fault.line, .message = fault.message}}});
    }
    ProblemList problems;
    Board board = BoardReader(*document, problems).read();
    if (problems.size() > 0) {
        return std::unexpected(ConfigError{.file = file, .problems = problems.take()});
    }
    return board;
}

}  // namespace smsrack::config
