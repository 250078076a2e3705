/// Draws the screen of `smsrack watch` from the service's answers. No I/O.
#pragma once

#include "src/wire/json.hpp"
#include "tools/smsrack/screen/key_reader.hpp"
#include "tools/smsrack/screen/screen_painter.hpp"
#include "tools/smsrack/screen/time_style.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::cli {

/// The answers of one moment.
struct RackPicture {
    std::string at = {};  ///< RFC 3339: when the service gave them
    wire::Json status = wire::Json::object();
    wire::Json modems = wire::Json::array();
    wire::Json messages = wire::Json::array();  ///< newest first
};

enum class WatchPane : std::uint8_t { modems, messages, groups };
inline constexpr std::size_t watch_pane_count = 3;

/// What the person has chosen with keys.
struct WatchChoice {
    WatchPane pane = WatchPane::modems;
    /// Row that is shown first, of each pane.
    std::array<std::size_t, watch_pane_count> first = {};
    bool only_trouble = false;
    bool held = false;  ///< the picture stays as it is
    bool help = false;
};

enum class WatchOrder : std::uint8_t { none, leave, refresh };

/// Follows one key. `rows`: of the terminal, for a page.
[[nodiscard]] WatchOrder apply(const Key& key, std::size_t rows, WatchChoice& choice);

/// The lines of the whole screen, at most `size.rows`. `trouble`: why the picture is old; empty: it is not. Corrects
/// `choice.first` to what there is.
[[nodiscard]] std::vector<ScreenLine> watch_screen(const RackPicture& picture,
                                                   std::string_view trouble, ScreenSize size,
                                                   const TimeStyle& times, WatchChoice& choice);

}  // namespace smsrack::cli
