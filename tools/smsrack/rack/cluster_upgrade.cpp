// `smsrack cluster upgrade BINARY`: one box of the fleet after the other hands over to another program, which each has on
// its own disk. The next one begins when the one before is well.
#include "src/base/hash.hpp"
#include "tools/client/http_client.hpp"
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/rack/service.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/stop_signal.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

namespace smsrack::cli {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::chrono::minutes well_within{5};
constexpr milliseconds look_every{500};
// Looks one after the other that find a box well: its program may end again at once.
constexpr int well_looks = 4;
/// A line that goes first ends its submit, which may take two minutes; a migration is tried on a copy.
constexpr std::chrono::minutes hand_over_limit{30};

struct RollingOptions {
    std::string binary = {};
    bool yes = false;
};

struct File {
    std::string path = {};
    std::string hash = {};
};

Outcome<File> read_binary(const std::string& name) {
    std::error_code error;
    const auto path = std::filesystem::absolute(name, error).lexically_normal();
    std::ifstream file(path, std::ios::binary);
    const std::string octets{std::istreambuf_iterator<char>(file), {}};
    if (error || octets.empty()) {
        return failure(ExitCode::usage, printable(name) + ": there is no such file to read");
    }
    if (!octets.starts_with("\x7F"
                            "ELF")) {
        return failure(ExitCode::usage,
                       printable(name) +
                           ": it is no program; a bundle of the firmware is installed on each box "
                           "by itself: `smsrack firmware install`");
    }
    return File{.path = path.string(), .hash = hash128_text(octets)};
}

/// A box that has its turn, as it was before.
struct Turn {
    std::string name = {};
    bool is_self = false;
    bool is_engine_node = false;
    std::string state = {};
    std::string version = {};
    std::uint64_t epoch = 0;
    std::uint64_t modems = 0;
};

Turn turn_of(const wire::Json& box) {
    return {.name = text_of(box, "name"),
            .is_self = truth_of(box, "self"),
            .is_engine_node = truth_of(box, "engine_node"),
            .state = text_of(box, "state"),
            .version = text_of(box, "version"),
            .epoch = count_of(box, "epoch"),
            .modems = count_of(box, "modems")};
}

/// What is wrong with a box that has its turn; empty: it is well, under another program.
std::string not_well(const wire::Json* box, const Turn& before) {
    if (box == nullptr) {
        return "it is not seen";
    }
    if (count_of(*box, "epoch") <= before.epoch) {
        return "it has not handed over";
    }
    if (text_of(*box, "state") != before.state) {
        return "it is " + printable(text_of(*box, "state"));
    }
    if (count_of(*box, "modems") < before.modems) {
        return fmt::format("{} of its {} modems can send", count_of(*box, "modems"), before.modems);
    }
    return {};
}

class Rolling {
public:
    Rolling(File file, bool agreed, Context& context)
        : file_(std::move(file)),
          agreed_(agreed),
          context_(context),
          service_(context.socket, stop_.fd(), hand_over_limit) {}

    Outcome<> run() {
        if (const auto planned = plan(); !planned) {
            return planned;
        }
        for (const Turn& turn : turns_) {
            const auto begun = Clock::now();
            if (const auto ordered = order(turn); !ordered) {
                return stopped(ordered.error().code, turn, ordered.error().message);
            }
            auto box = wait_until_well(turn);
            context_.console.end_progress();
            if (!box) {
                return stopped(box.error().code, turn, box.error().message);
            }
            note(turn, *box, Clock::now() - begun);
        }
        return report(wire::Json{{"boxes", done_}}, text_, context_);
    }

private:
    /// Machines of the engine last, and this box behind those of its kind: it gives the orders.
    Outcome<> plan() {
        const auto boxes = service_.get("/v1/cluster/boxes");
        if (!boxes) {
            return std::unexpected(boxes.error());
        }
        for (const wire::Json& box : array_of(*boxes, "boxes")) {
            const std::string state = text_of(box, "state");
            if (state == "silent") {
                return failure(ExitCode::failed,
                               fmt::format("box {}: it is silent, so nothing was done; bring it "
                                           "back first, or say that it is dead",
                                           printable(text_of(box, "name"))));
            }
            if (state == "running" || state == "draining") {
                turns_.push_back(turn_of(box));
            } else if (state == "parked") {
                text_ += printable(text_of(box, "name")) + ": parked; it keeps its program\n";
            }
        }
        if (turns_.empty()) {
            return failure(ExitCode::try_later,
                           "the engine has not answered this box yet; `smsrack cluster show` says "
                           "why");
        }
        std::ranges::stable_sort(turns_, {}, [](const Turn& turn) {
            return std::tuple(turn.is_engine_node, turn.is_self);
        });
        return ExitCode::done;
    }

    Outcome<> order(const Turn& turn) {
        context_.console.progress(printable(turn.name) + ": hands over ...");
        const std::string target = turn.is_self ? "/v1/upgrade"
                                                : fmt::format("/v1/cluster/boxes/{}/upgrade",
                                                              client::percent_encoded(turn.name));
        const auto answer =
            service_.post(target, {{"binary", file_.path}, {"hash", file_.hash}, {"yes", agreed_}});
        return answer ? Outcome<>(ExitCode::done) : std::unexpected(answer.error());
    }

    /// As it is then.
    Outcome<wire::Json> wait_until_well(const Turn& turn) {
        const auto deadline = Clock::now() + well_within;
        for (int looks = 0;;) {
            const auto boxes = service_.get("/v1/cluster/boxes");
            const wire::Json none = wire::Json::object();
            const wire::Json* const box = find(boxes ? *boxes : none, turn.name);
            const std::string refused = box == nullptr ? "" : text_of(*box, "not_upgraded");
            const std::string why = not_well(box, turn);
            looks = why.empty() ? looks + 1 : 0;
            if (looks == well_looks) {
                return *box;
            }
            if (!why.empty() && !refused.empty() && !turn.is_self) {
                return failure(ExitCode::failed, printable(refused));
            }
            if (!why.empty()) {
                context_.console.progress(printable(turn.name) + ": " + why + " ...");
            }
            if (service_.interrupted() || stop_.wait_for(look_every)) {
                return failure(ExitCode::try_later, "interrupted while it handed over");
            }
            if (Clock::now() >= deadline) {
                return failure(ExitCode::failed, fmt::format("it is not well after {} minutes: {}",
                                                             well_within.count(), why));
            }
        }
    }

    static const wire::Json* find(const wire::Json& boxes, const std::string& name) {
        const wire::Json& all = array_of(boxes, "boxes");
        const auto found = std::ranges::find_if(
            all, [&](const wire::Json& box) { return text_of(box, "name") == name; });
        return found == all.end() ? nullptr : &*found;
    }

    void note(const Turn& turn, const wire::Json& box, Clock::duration took) {
        const auto seconds = std::chrono::ceil<std::chrono::seconds>(took).count();
        text_ += fmt::format("{}: {} -> {}, {} modems, within {} s\n", printable(turn.name),
                             printable(turn.version), printable(text_of(box, "version")),
                             count_of(box, "modems"), seconds);
        done_.push_back({{"name", turn.name},
                         {"from", turn.version},
                         {"to", text_of(box, "version")},
                         {"modems", count_of(box, "modems")},
                         {"seconds", seconds}});
    }

    /// What came before it is done, what comes behind is not.
    Outcome<> stopped(ExitCode code, const Turn& at, const std::string& why) {
        context_.console.end_progress();
        std::vector<std::string> left;
        bool is_behind = false;
        for (const Turn& turn : turns_) {
            if (is_behind) {
                left.push_back(turn.name);
            }
            is_behind = is_behind || turn.name == at.name;
        }
        Failure stop{.code = code, .message = fmt::format("box {}: {}", printable(at.name), why)};
        for (const wire::Json& box : done_) {
            stop.details.push_back(printable(text_of(box, "name")) + ": upgraded");
        }
        for (const std::string& name : left) {
            stop.details.push_back(printable(name) + ": has not had its turn");
        }
        return std::unexpected(std::move(stop));
    }

    const StopSignal stop_ = {};
    const File file_;
    const bool agreed_;
    Context& context_;
    Service service_;
    std::vector<Turn> turns_ = {};  // in order
    wire::Json done_ = wire::Json::array();
    std::string text_ = {};
};

Outcome<> upgrade_fleet(const RollingOptions& options, Context& context) {
    auto file = read_binary(options.binary);
    if (!file) {
        return std::unexpected(std::move(file.error()));
    }
    return Rolling(*std::move(file), options.yes, context).run();
}

}  // namespace

void declare_cluster_upgrade(const CommandGroup& cluster) {
    const auto command = cluster.command(
        {"upgrade",
         "let one box after the other hand over to another version; stops at one that is not well",
         {"cluster upgrade /usr/local/bin/smsrackd"}},
        upgrade_fleet);
    command.app
        .add_option("binary", command.options.binary,
                    "the program of the other version, on each box at the same place")
        ->required();
    command.app.add_flag("--yes", command.options.yes,
                         "agree to a migration of the database, after which there is no way back");
}

}  // namespace smsrack::cli
