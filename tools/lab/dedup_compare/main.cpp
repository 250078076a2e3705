/// smsrack-dedup-compare: options, then one table (tools/compare-dedup builds and runs it).
#include "tools/bench/report.hpp"
#include "tools/lab/dedup_compare/compare.hpp"
#include "tools/rig/interrupt.hpp"
#include "tools/rig/scratch.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fmt/format.h>

namespace smsrack::lab {
namespace {

constexpr int exit_usage = 64;

int run(const bench::DedupWork& work, bool keep) {
    const rig::Interrupt interrupt;
    auto scratch = rig::Scratch::make(std::filesystem::temp_directory_path());
    if (!scratch) {
        fmt::print(stderr, "smsrack-dedup-compare: {}\n", scratch.error().context);
        return 1;
    }
    if (keep) {
        scratch->keep();
    }
    const auto report = compare(work, scratch->path(), interrupt);
    if (!report) {
        fmt::print(stderr, "smsrack-dedup-compare: {}\n", report.error().context);
        return 1;
    }
    fmt::print("{}", bench::table_of(*report));
    return 0;
}

}  // namespace
}  // namespace smsrack::lab

int main(int argc, char** argv) {
    try {
        smsrack::bench::DedupWork work;
        bool quick = false;
        bool keep = false;
        CLI::App app("Compares the filters of smsrack with hash sets and Redis.",
                     "smsrack-dedup-compare");
        app.add_flag("--quick", quick,
                     "4 topics and 1,000,000 events instead of 40 and 10,000,000");
        app.add_flag("--keep", keep, "keeps the folder with the log of Redis");
        try {
            app.parse(argc, argv);
        } catch (const CLI::ParseError& error) {
            return app.exit(error) == 0 ? 0 : smsrack::lab::exit_usage;
        }
        return smsrack::lab::run(quick ? smsrack::bench::quick_work() : work, keep);
    } catch (const std::exception& error) {
        (void)std::fprintf(stderr, "smsrack-dedup-compare: %s\n", error.what());
        return 1;
    }
}
