// `smsrack cluster rebuild`: all boxes put back what they have into an engine that has forgotten something.
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/rack/service.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/stop_signal.hpp"

#include <chrono>
#include <cstdint>
#include <fmt/format.h>
#include <iostream>
#include <string>
#include <unistd.h>

namespace smsrack::cli {
namespace {

// Those that do not come are named meanwhile.
constexpr std::chrono::minutes waits_for_boxes{10};

struct RebuildOptions {
    bool sure = false;
    bool no_wait = false;
};

/// Names of boxes that have to put back what they have; all: also of those that have.
std::string names_of(const wire::Json& boxes, bool all) {
    std::string names;
    for (const wire::Json& box : array_of(boxes, "boxes")) {
        const std::string state = text_of(box, "state");
        const bool is_gone = state == "dead" || state == "left";
        if (!is_gone && (all || !truth_of(box, "put_back"))) {
            names += (names.empty() ? "" : ", ") + printable(text_of(box, "name"));
        }
    }
    return names;
}

/// False: the person did not say yes.
bool is_whole_fleet(const wire::Json& boxes) {
    std::cerr << fmt::format(
        "Boxes of the fleet, as the engine knows them: {}.\n"
        "A box that is not among them, and has begun messages, has them sent twice: let it join "
        "first.\n"
        "Is that the whole fleet? Type yes: ",
        names_of(boxes, true));
    std::string typed;
    std::getline(std::cin, typed);
    return typed == "yes";
}

/// Until this box has a seat behind that epoch, which is when all boxes have put back what they have.
/// try_later: it has none after waits_for_boxes, or Ctrl-C came; the boxes continue.
Outcome<> wait_until_rebuilt(std::uint64_t epoch, Service& service, const StopSignal& stop,
                             Context& context) {
    constexpr std::chrono::milliseconds pause{500};
    const auto deadline = std::chrono::steady_clock::now() + waits_for_boxes;
    for (;;) {
        const auto fleet = service.get("/v1/cluster");
        const auto boxes = service.get("/v1/cluster/boxes");
        const bool answers = fleet && boxes;
        if (answers && text_of(*fleet, "seat") == "seated" && count_of(*fleet, "epoch") > epoch) {
            context.console.end_progress();
            return report(*fleet, "the engine has what all boxes have; they take work again\n",
                          context);
        }
        if (answers) {
            const std::string names = names_of(*boxes, false);
            context.console.progress(names.empty() ? "waits for the engine ..."
                                                   : "waits for " + names + " ...");
        }
        if (service.interrupted() || stop.wait_for(pause) ||
            std::chrono::steady_clock::now() >= deadline) {
            context.console.end_progress();
            return failure(ExitCode::try_later,
                           "the boxes continue to put back what they have; `smsrack cluster show` "
                           "shows when they take work again");
        }
    }
}

Outcome<> rebuild(const RebuildOptions& options, Context& context) {
    const StopSignal stop;
    Service service(context.socket, stop.fd());
    const auto before = service.get("/v1/cluster");
    const auto boxes = service.get("/v1/cluster/boxes");
    if (!before || !boxes) {
        return std::unexpected(before ? boxes.error() : before.error());
    }
    if (!options.sure && ::isatty(STDIN_FILENO) == 0) {
        return failure(ExitCode::usage,
                       "cluster rebuild: needs --sure where no person can be asked");
    }
    if (!options.sure && !is_whole_fleet(*boxes)) {
        return failure(ExitCode::failed, "nothing was done");
    }
    auto answer = service.call({.method = "POST", .target = "/v1/cluster/rebuild"});
    if (!answer || options.no_wait) {
        return report(answer, context, [](const wire::Json&) {
            return std::string("all boxes put back what they have\n");
        });
    }
    return wait_until_rebuilt(count_of(*before, "epoch"), service, stop, context);
}

}  // namespace

void declare_cluster_rebuild(const CommandGroup& cluster) {
    const auto rebuilt = cluster.command(
        {"rebuild",
         "let all boxes put back what they have into an engine that was restored, or is new",
         {"cluster rebuild"}},
        rebuild);
    rebuilt.app.add_flag("--sure", rebuilt.options.sure, "do not ask whether all boxes are there");
    rebuilt.app.add_flag("--no-wait", rebuilt.options.no_wait, "do not wait until they have");
}

}  // namespace smsrack::cli
