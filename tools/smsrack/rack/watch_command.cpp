// `smsrack watch`: shows a live screen of the rack. If standard output is not a terminal, it prints
// the same as plain text, and with --json an object each time.
//
// While the service does not answer the last picture stays, and is marked. Only a failure of the
// first questions ends it; without a terminal each one does.
#include "src/base/time_text.hpp"
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/rack/service.hpp"
#include "tools/smsrack/rack/watch_view.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/full_screen.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/screen/screen_painter.hpp"
#include "tools/smsrack/stop_signal.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <optional>
#include <string>

namespace smsrack::cli {
namespace {

using std::chrono::milliseconds;
using SteadyClock = std::chrono::steady_clock;

constexpr milliseconds patience{2'000};    // a local service that is silent for longer is not well
constexpr std::size_t messages_max = 100;  // newest ones; more can't be followed by eye
constexpr ScreenSize page{.rows = 1'000, .columns = 120};  // without a terminal

struct WatchOptions {
    double every_s = 1;
    std::uint64_t count = 0;  ///< ends after this many updates; 0: never by itself
};

std::string now_text() {
    return time_text(std::chrono::floor<milliseconds>(std::chrono::system_clock::now()));
}

Outcome<RackPicture> picture_of(Service& service) {
    auto status = service.get("/v1/status");
    if (!status) {
        return std::unexpected(status.error());
    }
    auto modems = service.get("/v1/modems");
    if (!modems) {
        return std::unexpected(modems.error());
    }
    auto messages = service.get(fmt::format("/v1/messages?limit={}", messages_max));
    if (!messages) {
        return std::unexpected(messages.error());
    }
    return RackPicture{.at = now_text(),
                       .status = std::move(*status),
                       .modems = array_of(*modems, "modems"),
                       .messages = array_of(*messages, "messages")};
}

milliseconds period_of(const WatchOptions& options) {
    return std::chrono::round<milliseconds>(std::chrono::duration<double>(options.every_s));
}

std::string plain_text(const RackPicture& picture, const TimeStyle& times) {
    WatchChoice choice;
    std::vector<ScreenLine> lines = watch_screen(picture, "", page, times, choice);
    lines.pop_back();  // of the keys
    while (!lines.empty() && lines.back().text.empty()) {
        lines.pop_back();
    }
    std::string text;
    for (const ScreenLine& line : lines) {
        text += line.text + "\n";
    }
    return text + "\n";
}

Outcome<> print(const WatchOptions& options, Context& context) {
    const StopSignal stop;
    Service service(context.socket, stop.fd(), patience);
    for (std::uint64_t count = 1;; ++count) {
        const auto picture = picture_of(service);
        if (!picture) {
            return service.interrupted() ? Outcome<>(ExitCode::done)
                                         : std::unexpected(picture.error());
        }
        (void)report({{"at", picture->at},
                      {"status", picture->status},
                      {"modems", picture->modems},
                      {"messages", picture->messages}},
                     plain_text(*picture, context.times), context);
        if (!context.console.flush()) {
            return ExitCode::failed;  // the end of the program says why
        }
        if (count == options.count || stop.wait_for(period_of(options))) {
            return ExitCode::done;
        }
    }
}

/// The live screen.
class Watch {
public:
    Watch(const WatchOptions& options, Context& context, RackPicture first)
        : options_(options),
          times_(context.times),
          picture_(std::move(first)),
          painter_(context.console.traits().colour),
          service_(context.socket, screen_.signal_fd(), patience) {}

    void run() {
        show();
        for (std::uint64_t count = 1; count != options_.count;) {
            if (!listen()) {
                return;
            }
            if (SteadyClock::now() >= next_ && !choice_.held) {
                ask();
                ++count;
            }
            show();
        }
    }

private:
    void show() {
        screen_.write(painter_.next(
            watch_screen(picture_, trouble_, screen_.size(), times_, choice_), screen_.size()));
    }

    /// Until a key, a resize, or the next question; false: leave.
    bool listen() {
        const auto left = std::chrono::ceil<milliseconds>(next_ - SteadyClock::now());
        const milliseconds wait = choice_.held ? period_of(options_) : left;
        const FullScreen::Input input = screen_.wait_for(std::max(wait, milliseconds(0)));
        if (input.redraw) {
            painter_.forget();
        }
        for (const Key& key : input.keys) {
            switch (apply(key, screen_.size().rows, choice_)) {
                case WatchOrder::leave:
                    return false;
                case WatchOrder::refresh:
                    next_ = SteadyClock::now();
                    break;
                case WatchOrder::none:
                    break;
            }
        }
        return !input.stop;
    }

    void ask() {
        next_ = SteadyClock::now() + period_of(options_);
        auto picture = picture_of(service_);
        if (picture) {
            picture_ = std::move(*picture);
            trouble_.clear();
        } else if (!service_.interrupted()) {
            trouble_ = fmt::format("No answer; this is the state of {}. {}",
                                   times_.of_day(picture_.at), picture.error().message);
        }
    }

    const WatchOptions& options_;
    const TimeStyle times_;
    RackPicture picture_;
    std::string trouble_;
    WatchChoice choice_;
    ScreenPainter painter_;
    FullScreen screen_;
    Service service_;
    SteadyClock::time_point next_ = SteadyClock::now() + period_of(options_);
};

Outcome<> watch(const WatchOptions& options, Context& context) {
    if (context.json || !context.console.traits().full_screen) {
        return print(options, context);
    }
    std::optional<Service> service(std::in_place, context.socket, -1, patience);
    auto first = picture_of(*service);
    if (!first) {
        return std::unexpected(first.error());
    }
    service.reset();
    Watch(options, context, std::move(*first)).run();
    return ExitCode::done;
}

}  // namespace

void declare_watch(const CommandGroup& program) {
    const auto command =
        program.command({"watch",
                         "a live screen of the rack; q leaves it, ? shows its keys",
                         {"watch", "watch --every 5", "watch --count 1 | mail -s rack operator"}},
                        watch);
    command.app
        .add_option("--every", command.options.every_s,
                    "seconds between two requests to the service")
        ->check(CLI::Range(0.2, 3'600.0))
        ->capture_default_str();
    command.app
        .add_option("--count", command.options.count, "end after this many updates; 0: never")
        ->capture_default_str();
}

}  // namespace smsrack::cli
