// Every file of the corpora is given to its target, as libFuzzer would: what once was a crash stays one that is mended.
#include "tests/fuzz/input.hpp"
#include "tests/support/read_file.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <set>
#include <string>
#include <unistd.h>
#include <vector>

using namespace smsrack;

namespace {

const std::filesystem::path fuzz_folder = SMSRACK_SOURCE_DIR "/tests/fuzz";

// A target that finds something wrong aborts: then this is what it was given. Only pointers, so that the handler of a signal may look.
const char* given_to = "";
std::string_view given;
constexpr const char* kept = "fuzz-input";  // in the folder where the test runs

void say(std::string_view text) {
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

void keep_input(int signal) {
    const int fd = ::open(kept, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd >= 0) {
        [[maybe_unused]] const auto written = ::write(fd, given.data(), given.size());
        ::close(fd);
    }
    say("fuzzing: the target ");
    say(given_to);
    say(" aborted; what it was given is kept in the file fuzz-input here\n");
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

void give(const fuzz::Target& target, std::string_view text) {
    given_to = target.name.data();
    given = text;
    const auto before = std::signal(SIGABRT, keep_input);
    CHECK(target.run(std::as_bytes(std::span(text))) == 0);
    std::signal(SIGABRT, before);
}

std::vector<std::filesystem::path> files_of(std::string_view target) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(fuzz_folder / "corpus" / target)) {
        files.push_back(entry.path());
    }
    std::ranges::sort(files);
    return files;
}

}  // namespace

TEST_CASE("fuzzing: each target has a file of its name, a corpus, and is in the table") {
    std::set<std::string> names;
    for (const fuzz::Target& target : fuzz::targets) {
        CAPTURE(target.name);
        CHECK(names.emplace(target.name).second);
        CHECK(std::filesystem::is_directory(fuzz_folder / "corpus" / target.name));
    }
    std::set<std::string> sources{"entry"};
    std::ranges::copy(names, std::inserter(sources, sources.end()));
    for (const auto& entry : std::filesystem::directory_iterator(fuzz_folder)) {
        const std::string stem = entry.path().stem().string();
        if (entry.path().extension() == ".cpp" && !stem.ends_with("_test")) {
            CHECK_MESSAGE(sources.erase(stem) == 1, stem, ": not in the table of targets.hpp");
        }
    }
    CHECK_MESSAGE(sources.empty(), *sources.begin(), ": has no source of its name");
    for (const auto& entry : std::filesystem::directory_iterator(fuzz_folder / "corpus")) {
        const bool known = !entry.is_directory() || names.contains(entry.path().filename());
        CHECK_MESSAGE(known, entry.path(), ": a corpus of no target");
    }
}

TEST_CASE("fuzzing: every file of a corpus is taken by its target") {
    for (const fuzz::Target& target : fuzz::targets) {
        CAPTURE(target.name);
        const auto files = files_of(target.name);
        CHECK_FALSE(files.empty());
        for (const std::filesystem::path& file : files) {
            CAPTURE(file);
            REQUIRE(std::filesystem::is_regular_file(file));
            give(target, test::read_file(file));
        }
    }
}

TEST_CASE("fuzzing: so is nothing, what is cut off anywhere, and what has one octet wrong") {
    constexpr std::size_t tries = 40;
    for (const fuzz::Target& target : fuzz::targets) {
        CAPTURE(target.name);
        give(target, "");
        for (const std::filesystem::path& file : files_of(target.name)) {
            CAPTURE(file);
            const std::string whole = test::read_file(file);
            if (whole.empty()) {
                continue;
            }
            test::SeededRandom chance = fuzz::chance_of(whole);
            for (std::size_t i = 0; i < tries; ++i) {
                std::string text = whole;
                const std::size_t at = chance.below(text.size());
                CAPTURE(i);
                if (i % 2 == 0) {
                    text.resize(at);
                } else {
                    text[at] = static_cast<char>(chance.below(256));
                }
                give(target, text);
            }
        }
    }
}
