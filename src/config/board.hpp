/// The description of a kind of box: its slots by port, power lines and status LEDs.
///
/// A file of hw/boards for each; `smsrack slots --board` names modems by it, `smsrack firmware leds` shows the service's state on it.
/// Errors:  every fault of the text, with file, line and key; nothing is taken from a file with a fault.
#pragma once

#include "src/config/modem_settings.hpp"
#include "src/config/problem.hpp"

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace smsrack::config {

/// A place for a modem.
struct BoardSlot {
    std::string name = {};
    std::string port = {};
    std::optional<PowerSettings> power = {};
    int source_line = 0;

    static constexpr auto fields = std::tuple{
        field("name", &BoardSlot::name, form(Form::name).needed(), "unique; the modem's name"),
        field("port", &BoardSlot::port, form(Form::absolute_path).needed(),
              "unique; its name below /dev/serial/by-path"),
        field("power", &BoardSlot::power, form(Form::any), "GPIO line of its modem's power"),
    };
};

/// Names below /sys/class/leds.
struct BoardLeds {
    std::string ready = {};
    std::string fault = {};

    static constexpr auto fields = std::tuple{
        field("ready", &BoardLeds::ready, form(Form::any), "steady while the service serves"),
        field("fault", &BoardLeds::fault, form(Form::any), "on while a modem is in trouble"),
    };
};

struct Board {
    std::string name = {};
    std::string about = {};
    BoardLeds leds = {};
    std::vector<BoardSlot> slots = {};

    static constexpr auto fields = std::tuple{
        field("name", &Board::name, form(Form::name).needed(), "the name of the file"),
        field("about", &Board::about, form(Form::any), "what box it is, in a sentence"),
    };
    static constexpr auto tables =
        std::tuple{table("leds", &Board::leds), table("slot", &Board::slots)};
};

inline constexpr std::size_t board_slots_max = 1'024;  ///< as many as the rack has modems

/// `file` is the name for messages; reading it is the caller's.
[[nodiscard]] std::expected<Board, ConfigError> load_board(std::string_view text,
                                                           const std::string& file);

}  // namespace smsrack::config
