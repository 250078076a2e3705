// `smsrack slots`: identifies the modem at every serial port, and prints ready-made [[modem]]
// entries, or writes a whole configuration with them. Needs no service; ports that are in use are
// shown with the program that holds them.
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/rack/board_file.hpp"
#include "tools/smsrack/rack/config_command.hpp"
#include "tools/smsrack/rack/slots_config.hpp"
#include "tools/smsrack/real_clock.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/counted.hpp"
#include "tools/smsrack/screen/table.hpp"
#include "tools/smsrack/stop_signal.hpp"
#include "tools/smsrack/whole_file.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <set>
#include <span>
#include <string_view>
#include <utility>

namespace smsrack::cli {
namespace {

namespace fs = std::filesystem;

struct SlotsOptions {
    std::string dir = {};    ///< empty: /dev/serial/by-path, /dev/ttyUSB*, ttyACM*, ttyS*
    std::string board = {};  ///< file that names its slots; empty: none
    std::string write = {};  ///< configuration to be made; empty: none
};

constexpr std::array<std::string_view, 3> tty_names{"ttyUSB", "ttyACM", "ttyS"};

/// A number within a name counts as a number: modem2 before modem10.
bool by_number(const std::string& left, const std::string& right) {
    return std::pair(left.size(), left) < std::pair(right.size(), right);
}

/// Character devices of a folder whose name begins with `prefix`, in order.
std::vector<std::string> ports_in(const fs::path& folder, std::string_view prefix) {
    std::vector<std::string> ports;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        std::error_code unreadable;
        if (entry.path().filename().string().starts_with(prefix) &&
            entry.is_character_file(unreadable)) {
            ports.push_back(entry.path().string());
        }
    }
    std::ranges::sort(ports, by_number);
    return ports;
}

/// Each device once, under the first of its names.
std::vector<Slot> all_slots(const SlotsOptions& options) {
    std::vector<std::string> names;
    if (!options.dir.empty()) {
        names = ports_in(fs::absolute(options.dir), "");
    } else {
        names = ports_in("/dev/serial/by-path", "");
        for (const std::string_view prefix : tty_names) {
            std::ranges::copy(ports_in("/dev", prefix), std::back_inserter(names));
        }
    }
    std::set<std::string> seen;
    std::vector<Slot> slots;
    for (const std::string& name : names) {
        std::error_code ignored;
        const std::string device = fs::canonical(name, ignored).string();
        if (seen.insert(device).second) {
            slots.push_back({.port = name, .tty = device});
        }
    }
    return slots;
}

std::string state_of(const PortLook& look) {
    if (look.closed) {
        return look.closed->code == Errc::busy && !look.holder.empty() ? "busy: " + look.holder
               : look.closed->code == Errc::not_allowed                ? "no permission"
                                                        : std::string(errc_name(look.closed->code));
    }
    if (!look.answers) {
        return "no answer";
    }
    return look.sim.empty() ? "no answer of the SIM" : "SIM: " + look.sim;
}

wire::Json json_of(const Slot& slot) {
    const PortLook& look = slot.look;
    return {{"port", slot.port},   {"tty", slot.tty},       {"state", state_of(look)},
            {"baud", look.baud},   {"imei", look.imei},     {"iccid", look.iccid},
            {"model", look.model}, {"number", look.number}, {"sim", look.sim}};
}

void print(const std::vector<Slot>& slots, std::span<const PlacedSlot> entries, bool written,
           Context& context) {
    Table table({{"PORT"}, {"TTY"}, {"BAUD", Align::right}, {"IMEI"}, {"ICCID"}, {"STATE"}});
    wire::Json list = wire::Json::array();
    for (const Slot& slot : slots) {
        table.add({slot.port, slot.tty, slot.look.answers ? fmt::to_string(slot.look.baud) : "",
                   slot.look.imei, slot.look.iccid, state_of(slot.look)});
        list.push_back(json_of(slot));
    }
    (void)report({{"slots", std::move(list)}},
                 table.text(context.console, "There are no serial ports.") +
                     (written ? "" : entries_text(entries)),
                 context);
}

std::string tty_of(const std::string& port) {
    std::error_code missing;
    const fs::path device = fs::canonical(port, missing);
    return missing ? "" : device.string();
}

std::unexpected<Failure> is_there(const std::string& file) {
    return failure(
        ExitCode::failed,
        file + ": already exists and is not changed; choose another file, or move it away first");
}

/// What the service would refuse is never put in its place.
Outcome<> write_config(const std::string& file, std::span<const PlacedSlot> entries,
                       const config::Board& board, Context& context) {
    const std::string text = whole_config(entries, board);
    if (const auto good = check_config(text, file, context); !good) {
        return std::unexpected(good.error());
    }
    if (const auto written = write_whole_file(file, text, Existing::keep); !written) {
        return written.error().code == Errc::conflict
                   ? is_there(file)
                   : failure(ExitCode::failed, printable(written.error().context));
    }
    if (!context.json) {
        context.console.write(
            fmt::format("{}: written, {}\n", file, counted(entries.size(), "modem")));
    }
    return ExitCode::done;
}

/// Most ttyS of a board are only names.
bool is_nothing(const Slot& slot) {
    return slot.look.closed && slot.look.closed->code != Errc::busy &&
           slot.look.closed->code != Errc::not_allowed;
}

Outcome<> look_at_slots(const SlotsOptions& options, Context& context) {
    std::error_code missing;
    if (!options.dir.empty() && !fs::is_directory(options.dir, missing)) {
        return failure(ExitCode::usage, "--dir " + options.dir + " is not a folder");
    }
    if (!options.write.empty() && fs::exists(fs::symlink_status(options.write, missing))) {
        return is_there(options.write);  // before each port is asked
    }
    config::Board board{.name = "generic"};
    if (!options.board.empty()) {
        auto loaded = load_board_file(options.board, context);
        if (!loaded) {
            return std::unexpected(loaded.error());
        }
        board = *std::move(loaded);
    }
    const StopSignal stop;
    const RealClock clock;
    const auto stopped = [&stop] { return stop.wait_for(std::chrono::milliseconds(0)); };
    std::vector<Slot> slots = all_slots(options);
    std::size_t asked = 0;
    for (Slot& slot : slots) {
        if (stopped()) {
            break;
        }
        context.console.progress(
            fmt::format("{} of {}: asking {}", ++asked, slots.size(), printable(slot.port)));
        slot.look = look_at(slot.port, usual_bauds, clock, stopped);
    }
    context.console.end_progress();
    const bool interrupted = asked < slots.size();
    slots.resize(asked);
    std::erase_if(slots, is_nothing);
    const std::vector<PlacedSlot> entries = placed(slots, board, tty_of);
    print(slots, entries, !options.write.empty(), context);
    if (interrupted) {
        return failure(ExitCode::failed, "interrupted; the remaining ports were not asked");
    }
    return options.write.empty() ? Outcome<>(ExitCode::done)
                                 : write_config(options.write, entries, board, context);
}

}  // namespace

void declare_slots(const CommandGroup& program) {
    const auto [app, options, check] =
        program.command({"slots",
                         "identify the modem at every serial port; needs no service",
                         {"slots", "slots --write /etc/smsrack/smsrack.toml"}},
                        look_at_slots);
    app.add_option("--dir", options.dir,
                   "ports in this folder instead of /dev, such as a test rig's");
    app.add_option("--board", options.board,
                   "description of the board: names of its slots, power lines");
    app.add_option("--write", options.write,
                   "write a whole configuration with the modems found to this file");
}

}  // namespace smsrack::cli
