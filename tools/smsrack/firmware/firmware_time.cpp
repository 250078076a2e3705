// `smsrack firmware time`: a box without a battery clock, and without a network that would give it
// the time, asks its modems.
#include "src/base/time_text.hpp"
#include "tools/client/http_client.hpp"
#include "tools/smsrack/firmware/box_time.hpp"
#include "tools/smsrack/firmware/firmware_command.hpp"
#include "tools/smsrack/rack/service.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/json_fields.hpp"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>

namespace smsrack::cli {
namespace {

constexpr std::chrono::seconds answer_limit{120};  // a modem may have a message in flight
constexpr std::chrono::minutes looked_back{15};    // of what came in: the unit asks more often
constexpr std::size_t asked_max = 8;               // modems: that many agree, or none does

bool network_keeps_it(const FirmwareBox& box) {
    std::error_code ignored;
    return std::filesystem::exists(box.root / "run/systemd/timesync/synchronized", ignored);
}

/// Nullopt if the modem is not ready, refuses, or has no clock.
std::optional<WallTime> clock_of(Service& service, const std::string& modem) {
    const auto answer = service.post(
        fmt::format("/v1/modems/{}/at", client::percent_encoded(modem)), {{"command", "AT+CCLK?"}});
    if (answer) {
        for (const wire::Json& line : array_of(*answer, "lines")) {
            if (const auto time = modem_clock(text_of(line))) {
                return time;
            }
        }
    }
    return std::nullopt;
}

std::vector<WallTime> ask_modems(Service& service, const wire::Json& modems) {
    std::vector<WallTime> clocks;
    for (const wire::Json& modem : array_of(modems, "modems")) {
        if (text_of(modem, "link") == "active" && clocks.size() < asked_max) {
            if (const auto time = clock_of(service, text_of(modem, "name"))) {
                clocks.push_back(*time);
            }
        }
    }
    return clocks;
}

/// The centres' time stamps of what came in recently.
std::vector<WallTime> message_times(Service& service, WallTime now) {
    const auto page =
        service.get("/v1/inbox?since=" + client::percent_encoded(time_text(now - looked_back)));
    std::vector<WallTime> times;
    if (page) {
        for (const wire::Json& row : array_of(*page, "messages")) {
            if (const auto at = time_of(text_of(row, "scts"))) {
                times.push_back(*at);
            }
        }
    }
    return times;
}

Outcome<> set_clock(const FirmwareBox& box, WallTime time) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(time.time_since_epoch()).count();
    const auto set = output_of(box, {"date", "--utc", fmt::format("--set=@{}", seconds)});
    return set ? Outcome<>(ExitCode::done) : std::unexpected(set.error());
}

Outcome<> tell_time(const TimeSources& sources, std::optional<WallTime> better, bool set,
                    Context& context) {
    const std::string box = time_text(sources.box);
    const std::string known = better ? time_text(*better) : "";
    return report(
        {{"box", box}, {"modems", sources.modems.size()}, {"better", or_null(known)}, {"set", set}},
        fmt::format("the box has {}; {} modems report a time; {}\n", context.times.to_seconds(box),
                    sources.modems.size(),
                    known.empty() ? "nothing better is known"
                                  : fmt::format("{} {}", set ? "set to" : "it is",
                                                context.times.to_seconds(known))),
        context);
}

}  // namespace

Outcome<> firmware_time(const FirmwareTimeOptions& options, const FirmwareBox& box,
                        Context& context) {
    if (network_keeps_it(box)) {
        return report({{"network", true}}, "the network keeps the box's clock\n", context);
    }
    Service service(context.socket, -1, answer_limit);
    const auto modems = service.get("/v1/modems");
    if (!modems) {
        return std::unexpected(modems.error());
    }
    TimeSources sources{.modems = ask_modems(service, *modems),
                        .messages = message_times(service, box.clock.wall())};
    sources.box = box.clock.wall();  // asking takes its time
    const auto better = better_time(sources);
    if (better && options.set) {
        if (const auto set = set_clock(box, *better); !set) {
            return set;
        }
    }
    return tell_time(sources, better, better && options.set, context);
}

}  // namespace smsrack::cli
