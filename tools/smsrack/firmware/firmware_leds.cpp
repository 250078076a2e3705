// `smsrack firmware leds`: the service's state on the board's LEDs.
#include "tools/smsrack/firmware/firmware_command.hpp"
#include "tools/smsrack/firmware/led.hpp"
#include "tools/smsrack/rack/board_file.hpp"
#include "tools/smsrack/rack/service.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/whole_file.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace smsrack::cli {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

constexpr auto answer_limit = 5s;
constexpr auto look_again = 2s;  // a person waits no longer

/// "generic" where the box has no name of a board.
Outcome<fs::path> board_of(const FirmwareLedsOptions& options, const FirmwareBox& box) {
    if (!options.board.empty()) {
        return fs::path(options.board);
    }
    auto name = read_small_file(box.board_name()).value_or("generic");
    name.erase(name.find_last_not_of(" \t\r\n") + 1);
    const bool is_word =
        !name.empty() && name.front() != '.' && std::ranges::all_of(name, [](unsigned char c) {
            return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
        });
    if (!is_word) {
        return failure(ExitCode::bad_data,
                       box.board_name().string() + ": must be the name of a board, one word");
    }
    return box.boards() / (name + ".toml");
}

/// An LED of the board's description. Its driver may come later than the service.
class BoardLed {
public:
    BoardLed(const std::string& name, const FirmwareBox& box) {
        if (!name.empty()) {
            folder_ = box.leds() / name;
        }
    }

    [[nodiscard]] bool is_described() const { return !folder_.empty(); }

    Outcome<> show(LedState state, Context& context) {
        std::error_code ignored;
        if (!led_ && is_described() && fs::is_directory(folder_, ignored)) {
            led_.emplace(folder_);
        }
        if (!led_) {
            if (is_described() && !std::exchange(missed_, true)) {
                context.console.complain(
                    fmt::format("{}: this machine has no such LED yet; still looking for it",
                                folder_.string()));
            }
            return ExitCode::done;
        }
        if (const auto shown = led_->show(state); !shown) {
            return failure(ExitCode::failed, shown.error().context);
        }
        return ExitCode::done;
    }

private:
    fs::path folder_;  ///< empty: the board has none for this
    std::optional<Led> led_;
    bool missed_ = false;
};

/// A line that should work and does not. One that is pending for a while only is on its way.
bool in_trouble(const wire::Json& modem) {
    return text_of(modem, "link") == "stop" && text_of(modem, "manual") == "open" &&
           !truth_of(modem, "parked");
}

struct Shown {
    LedState ready = LedState::blinking;
    LedState fault = LedState::off;
};

Shown state_now(Context& context) {
    Service service(context.socket, -1, answer_limit);
    if (!service.get("/healthz")) {
        return {};
    }
    const auto modems = service.get("/v1/modems");
    const bool trouble = modems && std::ranges::any_of(array_of(*modems, "modems"), in_trouble);
    return {.ready = LedState::steady, .fault = trouble ? LedState::steady : LedState::off};
}

}  // namespace

Outcome<> firmware_leds(const FirmwareLedsOptions& options, const FirmwareBox& box,
                        Context& context) {
    const auto file = board_of(options, box);
    if (!file) {
        return std::unexpected(file.error());
    }
    const auto board = load_board_file(*file, context);
    if (!board) {
        return std::unexpected(board.error());
    }
    BoardLed ready(board->leds.ready, box);
    BoardLed fault(board->leds.fault, box);
    if (!ready.is_described() && !fault.is_described()) {
        context.console.note(
            fmt::format("the board {} has no LEDs for this; nothing to do", board->name));
        return ExitCode::done;
    }
    do {
        const Shown now = state_now(context);
        for (auto shown : {ready.show(now.ready, context), fault.show(now.fault, context)}) {
            if (!shown) {
                return shown;
            }
        }
    } while (!box.wait(look_again));
    auto dark = ready.show(LedState::off, context);
    return dark ? fault.show(LedState::off, context) : dark;
}

}  // namespace smsrack::cli
