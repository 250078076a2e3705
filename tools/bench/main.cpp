/// smsrack-bench: options, then one question after the other.
#include "src/base/time_text.hpp"
#include "tools/bench/attackers.hpp"
#include "tools/bench/questions.hpp"
#include "tools/bench/report.hpp"
#include "tools/rig/disk_probe.hpp"
#include "tools/rig/interrupt.hpp"
#include "tools/rig/scratch.hpp"

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace smsrack::bench {
namespace {

constexpr int exit_usage = 64;

struct Wish {
    Options options = {};
    std::string json = {};
    bool keep = false;
    std::vector<const Question*> questions = {};
};

void declare(CLI::App& app, Wish& wish) {
    app.require_subcommand(1);
    app.fallthrough();
    app.add_option("--seconds", wish.options.seconds, "length of each measurement")
        ->check(CLI::Range(1, 3'600));
    app.add_option("--messages", wish.options.messages,
                   "how many items (scaling: days; dedup: events)")
        ->check(CLI::Range(1, 10'000'000));
    app.add_option("--rate", wish.options.rate, "intake: this many a second alone")
        ->check(CLI::Range(1.0, 1'000'000.0));
    app.add_option("--service-ms", wish.options.service_ms, "priority: what a submit takes")
        ->check(CLI::Range(10, 60'000));
    app.add_option("--times", wish.options.times,
                   "upgrade: number of hand-overs to another version")
        ->check(CLI::Range(1, 1'000));
    app.add_option("--minutes", wish.options.minutes, "soak: how long faults are injected")
        ->check(CLI::Range(1, 10'080));
    app.add_option("--seed", wish.options.seed, "soak: of faults and kills; scaling: of the days");
    app.add_flag("--quick", wish.options.quick, "mmc, overload, dedup: a look, in a minute");
    app.add_option("--part", wish.options.part, "dedup: this part alone")
        ->check(CLI::IsMember({"memory", "rebuild", "socket"}));
    app.add_option("--json", wish.json, "keeps the figures in this file");
    app.add_flag("--keep", wish.keep, "keeps the folder with database, configuration and logs");
    for (const Question& question : questions) {
        app.add_subcommand(question.name, question.asks)->callback([&wish, &question] {
            wish.questions.push_back(&question);
        });
    }
    app.add_subcommand("all", "all of them but priority, attack and soak")->callback([&wish] {
        for (const Question& question : questions) {
            if (question.in_all) {
                wish.questions.push_back(&question);
            }
        }
    });
}

void complain(const Error& error) {
    const std::string reason =
        error.detail == 0 ? std::string(errc_name(error.code))
                          : std::error_code(error.detail, std::generic_category()).message();
    fmt::print(stderr, "smsrack-bench: {}: {}\n", error.context, reason);
}

/// TMPDIR, or where we are: /tmp is in memory on many systems.
std::filesystem::path parent_folder() {
    const char* const wished = std::getenv("TMPDIR");
    return wished != nullptr ? wished : ".";
}

Result<Report> ask(const Question& question, const Wish& wish, const rig::Scratch& scratch,
                   const rig::Interrupt& interrupt) {
    const auto folder = scratch.path() / question.name;
    std::error_code error;
    std::filesystem::create_directory(folder, error);
    auto report =
        question.answer({.options = wish.options, .interrupt = interrupt, .folder = folder});
    if (!wish.keep) {
        std::filesystem::remove_all(folder, error);
    }
    return report;
}

bool write_json(const std::string& file, const rig::Scratch& scratch, const rig::Spread& disk,
                wire::Json reports) {
    const auto now =
        std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    const wire::Json whole{{"version", SMSRACK_VERSION},
                           {"at", time_text(now)},
                           {"file_system", scratch.file_system()},
                           {"fdatasync_ms", {{"p50", disk.p50}, {"p99", disk.p99}}},
                           {"questions", std::move(reports)}};
    std::ofstream out(file);
    out << whole.dump(2) << "\n";
    return out.good();
}

int run(const Wish& wish) {
    const rig::Interrupt interrupt;
    auto scratch = rig::Scratch::make(parent_folder());
    if (!scratch) {
        complain(scratch.error());
        return 1;
    }
    if (wish.keep) {
        scratch->keep();
    }
    const auto disk = rig::probe_disk(scratch->path());
    if (!disk) {
        complain(disk.error());
        return 1;
    }
    fmt::print(
        "database in {} ({}); fdatasync of 4 KiB: median {:.2f}, p99 {:.2f}, max {:.2f} ms\n\n",
        scratch->path().string(), scratch->file_system(), disk->p50, disk->p99, disk->max);
    int exit_code = 0;
    wire::Json reports = wire::Json::array();
    for (const Question* question : wish.questions) {
        (void)std::fflush(stdout);
        const auto report = ask(*question, wish, *scratch, interrupt);
        if (!report) {
            complain(report.error());
            exit_code = 1;
            if (interrupt.came()) {
                break;
            }
            continue;
        }
        fmt::print("{}\n", table_of(*report));
        exit_code = report->broken ? 1 : exit_code;
        reports.push_back(json_of(*report));
    }
    if (!wish.json.empty() && !write_json(wish.json, *scratch, *disk, std::move(reports))) {
        complain({.code = Errc::storage, .context = wish.json});
        return 1;
    }
    return exit_code;
}

/// A program of its own that `attack` starts as another user: WHAT SOCKET STATE_DIR SECONDS.
bool runs_as_client(int argc, char** argv) {
    const std::string_view what = argc == 5 ? argv[1] : "";
    if (what != "attack-clients" && what != "attack-victim") {
        return false;
    }
    const std::chrono::seconds lasting(std::stoul(argv[4]));
    if (what == "attack-victim") {
        run_victim(argv[2], lasting);
    } else {
        run_attackers({.socket = argv[2], .state_dir = argv[3], .lasting = lasting});
    }
    return true;
}

}  // namespace
}  // namespace smsrack::bench

int main(int argc, char** argv) {
    try {
        if (smsrack::bench::runs_as_client(argc, argv)) {
            return 0;
        }
        smsrack::bench::Wish wish;
        CLI::App app("Measures smsrack on this machine, and compares it with its targets.",
                     "smsrack-bench");
        smsrack::bench::declare(app, wish);
        try {
            app.parse(argc, argv);
        } catch (const CLI::ParseError& error) {
            return app.exit(error) == 0 ? 0 : smsrack::bench::exit_usage;
        }
        return smsrack::bench::run(wish);
    } catch (const std::exception& error) {
        (void)std::fprintf(stderr, "smsrack-bench: %s\n", error.what());
        return 1;
    }
}
