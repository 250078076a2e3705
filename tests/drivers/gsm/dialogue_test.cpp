// Every dialogue of tests/golden/at, cut in every way: the driver must do the same.
// What a dialogue shows is its first line; a "Part:" is only included by others.
#include "tests/support/dialogue.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace smsrack {
namespace {

struct Script {
    std::string name;
    std::string shows;
};

std::vector<Script> scripts() {
    std::vector<Script> found;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(SMSRACK_GOLDEN_DIR) + "/at")) {
        std::ifstream file(entry.path());
        std::string first;
        std::getline(file, first);
        if (!first.starts_with("# Part:")) {
            found.push_back({entry.path().stem().string(), first});
        }
    }
    std::ranges::sort(found, {}, &Script::name);
    return found;
}

void play_all(test::Cut cut, std::uint64_t seeds) {
    const auto all = scripts();
    REQUIRE(all.size() >= 50);
    for (const auto& script : all) {
        for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
            INFO(script.shows, " seed ", seed);
            try {
                test::Dialogue(cut, seed).play(script.name);
            } catch (const test::DialogueBroken&) {
                // said already; the next one
            }
        }
    }
}

}  // namespace

TEST_CASE("GsmModem: the dialogues, each line read whole") {
    play_all(test::Cut::whole, 1);
}

TEST_CASE("GsmModem: the dialogues, read byte by byte") {
    play_all(test::Cut::bytes, 1);
}

TEST_CASE("GsmModem: the dialogues, cut at random") {
    play_all(test::Cut::random, 5);
}

}  // namespace smsrack
