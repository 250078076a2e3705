#include "tools/smsrack/rack/watch_view.hpp"

#include "tools/smsrack/messages/messages_command.hpp"
#include "tools/smsrack/rack/modems_command.hpp"
#include "tools/smsrack/rack/status_view.hpp"
#include "tools/smsrack/screen/console.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/screen/wrap.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace smsrack::cli {
namespace {

constexpr std::size_t troubles_max = 3;      // lines; the rest is counted
constexpr std::size_t rows_for_levels = 18;  // a lower screen has no room for the levels
constexpr std::size_t least_columns = 40;
constexpr std::size_t least_rows = 8;
constexpr std::array<std::string_view, watch_pane_count> pane_names{"modems", "messages", "groups"};

struct KeyRow {
    std::string_view shown;
    std::string_view what;
};

constexpr std::array keys{
    KeyRow{"q, Ctrl-C", "leave"},
    KeyRow{"1, 2, 3", "modems, messages, groups"},
    KeyRow{"Tab", "the next view"},
    KeyRow{"arrows, j, k", "scroll a row; PgUp, PgDn a page; Home, End"},
    KeyRow{"t", "show only what is in trouble, or all"},
    KeyRow{"Space", "freeze the screen, or continue"},
    KeyRow{"r", "ask the service now"},
    KeyRow{"?, h", "show or hide this help"},
};

/// A row of a pane, and whether it is in trouble.
struct Pane {
    Table table;
    std::vector<Ink> inks = {};
    std::string summary = {};  ///< "7 of 8 active"
};

Ink ink_of_modem(const wire::Json& modem) {
    const std::string link = text_of(modem, "link");
    if (link == "stop") {
        return Ink::bad;
    }
    const bool works = link == "active" && text_of(object_of(modem, "paused"), "reason").empty() &&
                       text_of(modem, "manual") != "blocked";
    return works ? Ink::plain : Ink::warning;
}

Ink ink_of_message(const wire::Json& message) {
    const std::string state = text_of(message, "state");
    if (state == "failed" || state == "undelivered" || state == "expired") {
        return Ink::bad;
    }
    return state == "uncertain" || truth_of(message, "partial") ? Ink::warning : Ink::plain;
}

/// The rows of `all` to show, and their inks.
wire::Json chosen(const wire::Json& all, Ink (*ink_of)(const wire::Json&),
                  const WatchChoice& choice, std::vector<Ink>& inks) {
    wire::Json rows = wire::Json::array();
    for (const wire::Json& row : all) {
        const Ink ink = ink_of(row);
        if (!choice.only_trouble || ink != Ink::plain) {
            rows.push_back(row);
            inks.push_back(ink);
        }
    }
    return rows;
}

Pane modems_pane(const RackPicture& picture, const TimeStyle& times, const WatchChoice& choice) {
    std::vector<Ink> inks;
    const wire::Json rows = chosen(picture.modems, ink_of_modem, choice, inks);
    const auto active = std::ranges::count_if(
        picture.modems, [](const wire::Json& modem) { return text_of(modem, "link") == "active"; });
    return {.table = table_of_modems(rows, times),
            .inks = std::move(inks),
            .summary = fmt::format("{} of {} active", active, picture.modems.size())};
}

Pane messages_pane(const RackPicture& picture, const TimeStyle& times, const WatchChoice& choice) {
    Pane pane{.table = table_of_messages(times), .summary = "the newest first"};
    for (const wire::Json& row : chosen(picture.messages, ink_of_message, choice, pane.inks)) {
        pane.table.add(cells_of_message(row, times));
    }
    return pane;
}

Pane groups_pane(const RackPicture& picture, const WatchChoice& choice) {
    Pane pane{.table = Table({{"GROUP"},
                              {"CAN SEND"},
                              {"SEGMENTS/S", Align::right},
                              {"LEVEL", Align::right},
                              {"AHEAD", Align::right},
                              {"EXPECTED", Align::right},
                              {"RECENT TIME", Align::right, 1},
                              {"ACCEPTS"}}),
              .summary = "what is ahead of a new message"};
    for (const wire::Json& group : array_of(picture.status, "groups")) {
        const auto rate = number_of(group, "rate");
        for (const wire::Json& level : array_of(group, "levels")) {
            const bool refuses = truth_of(level, "refuses");
            if (choice.only_trouble && !refuses) {
                continue;
            }
            pane.inks.push_back(refuses ? Ink::bad : Ink::plain);
            pane.table.add(
                {text_of(group, "name"),
                 fmt::format("{} of {}", text_of(group, "able"), text_of(group, "lines")),
                 rate ? fmt::format("{:.2f}", *rate) : "", text_of(level, "level"),
                 text_of(level, "ahead"), seconds_text(level, "expected_ms"),
                 seconds_text(level, "t_recent_ms"), refuses ? "no: overloaded" : "yes"});
        }
    }
    return pane;
}

Pane pane_of(const RackPicture& picture, const TimeStyle& times, const WatchChoice& choice) {
    switch (choice.pane) {
        case WatchPane::messages:
            return messages_pane(picture, times, choice);
        case WatchPane::groups:
            return groups_pane(picture, choice);
        case WatchPane::modems:
            break;
    }
    return modems_pane(picture, times, choice);
}

/// `left`, then blanks, then `right` up to the last column but one.
std::string both_ends(std::string_view left, std::string_view right, std::size_t columns) {
    const std::size_t used = columns_of(left) + columns_of(right) + 1;
    return used >= columns ? std::string(left)
                           : fmt::format("{}{}{}", left, std::string(columns - used, ' '), right);
}

void add_head(const RackPicture& picture, ScreenSize size, const TimeStyle& times, bool held,
              std::vector<ScreenLine>& lines) {
    const auto uptime = number_of(picture.status, "uptime_s");
    lines.push_back(
        {both_ends(fmt::format(" smsrack {}  {}  up {}", text_of(picture.status, "version"),
                               truth_of(picture.status, "ready") ? "ready" : "NOT READY",
                               uptime ? duration_text(*uptime) : "-"),
                   fmt::format("{}{} {} ", held ? "held at " : "", times.of_day(picture.at),
                               times.name()),
                   size.columns),
         Ink::title});
    std::string counts = fmt::format("in {}  out {}", rate_text(picture.status, "rate_in"),
                                     rate_text(picture.status, "rate_out"));
    const wire::Json& messages = object_of(picture.status, "messages");
    for (const char* state : {"queued", "sending", "uncertain", "failed", "delivered"}) {
        counts += fmt::format("  {} {}", state, text_of(messages, state));
    }
    lines.push_back({counts});
}

void add_troubles(const RackPicture& picture, std::string_view trouble, const TimeStyle& times,
                  std::vector<ScreenLine>& lines) {
    std::vector<ScreenLine> troubles;
    if (!trouble.empty()) {
        troubles.push_back({std::string(trouble), Ink::bad});
    }
    for (const Pair& one : troubles_of(picture.status, times)) {
        troubles.push_back({one.name + ": " + one.value, Ink::warning});
    }
    if (troubles.size() > troubles_max) {
        const std::size_t more = troubles.size() - troubles_max + 1;
        troubles.resize(troubles_max - 1);
        troubles.push_back(
            {fmt::format("and {} more; smsrack status shows all", more), Ink::warning});
    }
    lines.insert(lines.end(), troubles.begin(), troubles.end());
}

void add_levels(const RackPicture& picture, ScreenSize size, std::vector<ScreenLine>& lines) {
    if (size.rows < rows_for_levels) {
        return;
    }
    const Table levels = table_of_levels(array_of(picture.status, "levels"));
    Ink ink = Ink::heading;
    for (std::string& line : levels.cut_lines(size.columns)) {
        lines.push_back({std::move(line), ink});
        ink = Ink::plain;
    }
}

std::string tabs_text(const WatchChoice& choice) {
    std::string text;
    for (std::size_t pane = 0; pane < watch_pane_count; ++pane) {
        const bool open = static_cast<std::size_t>(choice.pane) == pane;
        text += fmt::format("{}{} {}{}", open ? "[" : " ", pane + 1, pane_names.at(pane),
                            open ? "]" : " ");
    }
    return text + (choice.only_trouble ? "  only trouble" : "");
}

void add_pane(const Pane& pane, ScreenSize size, WatchChoice& choice,
              std::vector<ScreenLine>& lines) {
    const std::vector<std::string> rows = pane.table.cut_lines(size.columns);
    const std::size_t count = rows.size() - 1;
    const std::size_t room = size.rows > lines.size() + 3 ? size.rows - lines.size() - 3 : 0;
    std::size_t& first = choice.first.at(static_cast<std::size_t>(choice.pane));
    first = std::min(first, count > room ? count - room : 0);
    const std::size_t last = std::min(first + room, count);
    const std::string tabs = tabs_text(choice);
    const std::string rows_shown = fmt::format("rows {} to {} of {} ", first + 1, last, count);
    std::string place = count > room ? pane.summary + "; " + rows_shown : pane.summary + " ";
    if (count > room && tabs.size() + place.size() >= size.columns) {
        place = rows_shown;
    }
    lines.push_back({both_ends(tabs, place, size.columns)});
    if (count == 0) {
        lines.push_back({choice.only_trouble ? "Nothing is in trouble. (t: show all)"
                                             : "There is nothing to show yet."});
        return;
    }
    lines.push_back({rows.front(), Ink::heading});
    for (std::size_t row = first; row < last; ++row) {
        lines.push_back({rows[row + 1], pane.inks[row]});
    }
}

void add_help(std::vector<ScreenLine>& lines) {
    lines.push_back({"Keys", Ink::heading});
    for (const KeyRow& key : keys) {
        lines.push_back({fmt::format("  {:<14}{}", key.shown, key.what)});
    }
}

}  // namespace

WatchOrder apply(const Key& key, std::size_t rows, WatchChoice& choice) {
    const auto pane = static_cast<std::size_t>(choice.pane);
    std::size_t& first = choice.first.at(pane);
    const std::size_t page = std::max<std::size_t>(rows, least_rows) / 2;
    if (key.kind == KeyKind::up || key.letter == 'k') {
        first -= std::min<std::size_t>(first, 1);
    } else if (key.kind == KeyKind::down || key.letter == 'j') {
        ++first;
    } else if (key.kind == KeyKind::page_up) {
        first -= std::min(first, page);
    } else if (key.kind == KeyKind::page_down) {
        first += page;
    } else if (key.kind == KeyKind::home) {
        first = 0;
    } else if (key.kind == KeyKind::end) {
        first = SIZE_MAX / 2;  // the screen puts it to the last page
    } else if (key.kind == KeyKind::tab) {
        choice.pane = static_cast<WatchPane>((pane + 1) % watch_pane_count);
    } else if (key.letter >= '1' && key.letter <= '3') {
        choice.pane = static_cast<WatchPane>(key.letter - '1');
    } else if (key.letter == 't') {
        choice.only_trouble = !choice.only_trouble;
    } else if (key.letter == '?' || key.letter == 'h') {
        choice.help = !choice.help;
    } else if (key.letter == ' ') {
        choice.held = !choice.held;
        return choice.held ? WatchOrder::none : WatchOrder::refresh;
    } else if (key.letter == 'r') {
        return WatchOrder::refresh;
    } else if (key.letter == 'q') {
        return WatchOrder::leave;
    }
    return WatchOrder::none;
}

std::vector<ScreenLine> watch_screen(const RackPicture& picture, std::string_view trouble,
                                     ScreenSize size, const TimeStyle& times, WatchChoice& choice) {
    if (size.rows < least_rows || size.columns < least_columns) {
        return {{fmt::format("A terminal of {} x {} is needed.", least_columns, least_rows)}};
    }
    std::vector<ScreenLine> lines;
    add_head(picture, size, times, choice.held, lines);
    add_troubles(picture, trouble, times, lines);
    if (choice.help) {
        add_help(lines);
    } else {
        add_levels(picture, size, lines);
        add_pane(pane_of(picture, times, choice), size, choice, lines);
    }
    lines.resize(std::min(lines.size(), size.rows - 1));
    lines.resize(size.rows - 1);
    lines.push_back(
        {"q leave  1 2 3 view  arrows scroll  t trouble  Space hold  ? help", Ink::faint});
    return lines;
}

}  // namespace smsrack::cli
