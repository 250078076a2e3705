// `smsrack cluster upgrade BINARY`: one box of the fleet after the other hands over to another program, which each has on
// its own disk. The next one begins when the one before is well.
#include "src/base/hash.hpp"
#include "tools/client/http_client.hpp"
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/rack/service.hpp"
#include "tools/smsrack/rack/upgrade_turn.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/stop_signal.hpp"

#include <algorithm>
#include <chrono>
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

using SteadyClock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::chrono::minutes well_within{5};
constexpr milliseconds look_every{500};
/// A box that waits for its answer repeats an order: its letter may get lost.
constexpr std::chrono::seconds order_every{5};
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

/// Moments later it may succeed: the link to the engine changes, or the box has just begun.
bool may_pass(const Failure& failed) {
    return failed.problem == "cluster_away" || failed.problem == "conflict" ||
           failed.problem == "outcome_unknown" || failed.problem == "overloaded" ||
           failed.code == ExitCode::unreachable;
}

class Rolling {
public:
    Rolling(File file, bool agreed, Context& context)
        : file_(std::move(file)),
          agreed_(agreed),
          context_(context),
          service_(context.socket, stop_.fd()) {}

    Outcome<> run() {
        if (const auto planned = plan(); !planned) {
            return planned;
        }
        for (const Turn& planned : turns_) {
            const auto begun = SteadyClock::now();
            context_.console.progress(printable(planned.name) + ": hands over ...");
            const auto done = take_turn(planned);
            context_.console.end_progress();
            if (!done) {
                return stopped(planned, done.error());
            }
            note(*done, SteadyClock::now() - begun);
        }
        return report(wire::Json{{"boxes", done_}}, text_, context_);
    }

private:
    /// Machines of the engine last, and this box behind those of its kind: it gives the orders. One that is parked may run
    /// when its turn comes.
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
            if (state == "running" || state == "draining" || state == "parked") {
                turns_.push_back(turn_of(box));
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

    [[nodiscard]] wire::Json order() const {
        return {{"binary", file_.path}, {"hash", file_.hash}, {"yes", agreed_}};
    }

    /// As it was as its turn began, and as it is then.
    struct Done {
        Turn before = {};
        wire::Json box = {};
    };

    Outcome<Done> take_turn(const Turn& planned) {
        const auto boxes = service_.get("/v1/cluster/boxes");
        if (!boxes) {
            return std::unexpected(boxes.error());
        }
        const wire::Json* const row = find(*boxes, planned.name);
        if (row == nullptr) {
            return failure(ExitCode::failed, "no box of the fleet has this name any more");
        }
        const Turn turn = turn_of(*row);
        if (turn.state == "parked") {
            return Done{.before = turn, .box = *row};
        }
        auto box = turn.is_self ? upgrade_self(turn, *row) : upgrade_other(turn);
        if (!box) {
            return std::unexpected(std::move(box.error()));
        }
        return Done{.before = turn, .box = *std::move(box)};
    }

    Outcome<wire::Json> upgrade_self(const Turn& turn, const wire::Json& row) {
        if (text_of(row, "program") != file_.hash) {
            Service patient(context_.socket, stop_.fd(), hand_over_limit);
            const auto answer = patient.post("/v1/upgrade", order());
            if (patient.interrupted()) {
                return interrupted();
            }
            if (!answer) {
                return answer;
            }
        }
        WellBeats well(turn);
        bool has_run = false;
        return wait_for(turn, [&](const wire::Json& box) -> Outcome<std::string> {
            const std::string program = text_of(box, "program");
            if (program == file_.hash) {
                has_run = true;
                return well.look(box);
            }
            if (has_run && !program.empty()) {
                return failure(ExitCode::failed, "it runs another program again: see its log");
            }
            return "it has not said which program it runs";
        });
    }

    Outcome<wire::Json> upgrade_other(const Turn& turn) {
        const std::string target =
            fmt::format("/v1/cluster/boxes/{}/upgrade", client::percent_encoded(turn.name));
        auto next = SteadyClock::now();
        bool is_ordered = false;
        std::string why = "it has not said that it has handed over";
        WellBeats well(turn);
        return wait_for(turn, [&](const wire::Json& box) -> Outcome<std::string> {
            if (is_ordered && text_of(box, "program") == file_.hash) {
                return well.look(box);
            }
            if (const std::string refused = text_of(box, "not_upgraded");
                is_ordered && !refused.empty()) {
                return failure(ExitCode::failed, printable(refused));
            }
            if (SteadyClock::now() >= next) {
                next = SteadyClock::now() + order_every;
                const auto ordered =
                    service_.post(target + (is_ordered ? "?again=true" : ""), order());
                if (!ordered && !may_pass(ordered.error())) {
                    return std::unexpected(ordered.error());
                }
                is_ordered = is_ordered || ordered || ordered.error().problem == "outcome_unknown";
                why = ordered ? "it has not said that it has handed over" : ordered.error().message;
            }
            return why;
        });
    }

    /// Until `look` finds nothing wrong with the box; gives it as it is then.
    template <typename Look>
    Outcome<wire::Json> wait_for(const Turn& turn, Look look) {
        const auto deadline = SteadyClock::now() + well_within;
        for (;;) {
            const auto boxes = service_.get("/v1/cluster/boxes");
            const wire::Json* const box = boxes ? find(*boxes, turn.name) : nullptr;
            const auto why = box != nullptr ? look(*box) : Outcome<std::string>("it is not seen");
            if (service_.interrupted()) {
                return interrupted();
            }
            if (!why) {
                return std::unexpected(why.error());
            }
            if (why->empty()) {
                return *box;
            }
            context_.console.progress(printable(turn.name) + ": " + *why + " ...");
            if (stop_.wait_for(look_every)) {
                return interrupted();
            }
            if (SteadyClock::now() >= deadline) {
                return failure(ExitCode::failed, fmt::format("it is not well after {} minutes: {}",
                                                             well_within.count(), *why));
            }
        }
    }

    static std::unexpected<Failure> interrupted() {
        return failure(ExitCode::try_later, "interrupted; it may still hand over");
    }

    static const wire::Json* find(const wire::Json& boxes, const std::string& name) {
        const wire::Json& all = array_of(boxes, "boxes");
        const auto found = std::ranges::find_if(
            all, [&](const wire::Json& box) { return text_of(box, "name") == name; });
        return found == all.end() ? nullptr : &*found;
    }

    void note(const Done& turn, SteadyClock::duration took) {
        const std::string& name = turn.before.name;
        if (turn.before.state == "parked") {
            text_ += printable(name) + ": parked; it keeps its program\n";
            return;
        }
        const std::string version = text_of(turn.box, "version");
        const auto seconds = std::chrono::ceil<std::chrono::seconds>(took).count();
        text_ += fmt::format("{}: {} -> {}, {} modems, within {} s\n", printable(name),
                             printable(turn.before.version), printable(version),
                             count_of(turn.box, "modems"), seconds);
        done_.push_back({{"name", name},
                         {"from", turn.before.version},
                         {"to", version},
                         {"modems", count_of(turn.box, "modems")},
                         {"seconds", seconds}});
    }

    /// What came before it is done, what comes behind is not.
    Outcome<> stopped(const Turn& at, Failure why) {
        why.message = fmt::format("box {}: {}", printable(at.name), why.message);
        for (const wire::Json& box : done_) {
            why.details.push_back(printable(text_of(box, "name")) + ": upgraded");
        }
        const auto place = std::ranges::find(turns_, at.name, &Turn::name);
        for (auto left = std::next(place); left != turns_.end(); ++left) {
            why.details.push_back(printable(left->name) + ": has not had its turn");
        }
        return std::unexpected(std::move(why));
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
