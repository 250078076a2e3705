// `smsrack cluster upgrade`, with a service that answers for its fleet.
#include "src/base/hash.hpp"
#include "src/wire/json.hpp"
#include "tests/support/wait_for.hpp"
#include "tests/tools/smsrack/fake_service.hpp"
#include "tests/tools/smsrack/program_run.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

using namespace smsrack;
using namespace smsrack::test;

namespace {

struct Box {
    std::string name = {};
    bool is_engine_node = false;
    std::string state = "running";
    int version = 1;
    int modems = 4;
    std::string not_upgraded = {};
    std::string runs = {};
    int looks = 0;
    int beats = 1;
};

/// A fleet as its box b1 shows it. Each order is carried out at once, as the test says.
class Fleet {
public:
    explicit Fleet(std::vector<Box> boxes) : boxes_(std::move(boxes)) {
        std::ofstream(program_) << octets;
    }

    ProgramRun upgrade(const std::string& more = "") {
        return run_smsrack(words() + more, service_.path());
    }
    [[nodiscard]] std::string words() const {
        return "--socket '" + service_.path() + "' cluster upgrade '" + program_ + "'";
    }
    /// Of whom an order came, in order.
    std::string turns() {
        const std::lock_guard lock(mutex_);
        return turns_;
    }

    std::string refuses = {};     ///< the box that does
    std::string hangs = {};       ///< the box that does nothing
    std::string away = {};        ///< the box whose first order does not get through
    std::string falls_back = {};  ///< the box that runs the old program again once it was upgraded
    int repeats = 0;
    wire::Json asked = {};  ///< the body of the last order
    static constexpr const char* octets =
        "\x7F"
        "ELF, and more";

private:
    std::string answer(const FakeRequest& request) {
        const std::lock_guard lock(mutex_);
        if (request.line == "GET /v1/cluster/boxes") {
            return answer_json("200 OK", boxes().dump());
        }
        for (Box& box : boxes_) {
            const std::string at = box.name == "b1"
                                       ? "POST /v1/upgrade"
                                       : "POST /v1/cluster/boxes/" + box.name + "/upgrade";
            if (request.line == at || request.line == at + "?again=true") {
                repeats += request.line == at ? 0 : 1;
                turns_ += box.name + " ";
                asked = wire::Json::parse(request.body);
                if (box.name == away && std::exchange(is_away_, false)) {
                    return answer_json("503 Service Unavailable",
                                       R"({"detail":"away","code":"cluster_away"})");
                }
                if (box.name == falls_back && box.version > 1) {
                    box.not_upgraded = "it was to hand over, and runs another program all the same";
                } else if (box.name == refuses) {
                    box.not_upgraded = "another file";
                } else if (box.name != hangs) {
                    ++box.version;
                    box.runs = asked["hash"];
                }
                return answer_json("200 OK", R"({"ordered":true})");
            }
        }
        return answer_json("404 Not Found", R"({"detail":"none","code":"not_found"})");
    }
    /// One that falls back has run it for a moment; asked again it says why it does not.
    std::string program_of(Box& box) {
        if (box.name == falls_back && !box.runs.empty() && ++box.looks > 2) {
            box.runs.clear();
        }
        return box.runs;
    }
    wire::Json boxes() {
        wire::Json all = wire::Json::array();
        for (Box& box : boxes_) {
            all.push_back({{"name", box.name},
                           {"self", box.name == "b1"},
                           {"engine_node", box.is_engine_node},
                           {"state", box.state},
                           {"beats", ++box.beats},
                           {"modems", box.modems},
                           {"version", "1." + std::to_string(box.version)},
                           {"program", program_of(box)},
                           {"not_upgraded", box.not_upgraded}});
        }
        return {{"boxes", all}};
    }

    TempDir folder_ = {};
    std::string program_ = (folder_.path() / "smsrackd").string();
    std::mutex mutex_ = {};  // guards what follows, and what the test reads of it afterwards
    std::vector<Box> boxes_;
    std::string turns_ = {};
    bool is_away_ = true;
    FakeService service_{[this](const FakeRequest& request) { return answer(request); }};
};

}  // namespace

TEST_CASE("cluster upgrade: one box after the other, this one and machines of the engine last") {
    Fleet fleet({{.name = "b1"},
                 {.name = "b2", .is_engine_node = true},
                 {.name = "b3"},
                 {.name = "b4", .state = "parked"},
                 {.name = "b5", .state = "left"}});
    const auto done = fleet.upgrade();
    CAPTURE(done.err);
    CHECK(done.code == 0);
    CHECK(fleet.turns() == "b3 b1 b2 ");
    CHECK(done.out.contains("b4: parked; it keeps its program\n"));
    CHECK(done.out.contains("b3: 1.1 -> 1.2, 4 modems"));
    CHECK(done.out.find("b3: ") < done.out.find("b1: "));
    CHECK(done.out.find("b1: ") < done.out.find("b2: "));
    CHECK(fleet.asked["hash"] == hash128_text(Fleet::octets));
    CHECK(fleet.asked["binary"].get<std::string>().starts_with('/'));
    CHECK(fleet.asked["yes"] == false);
}

TEST_CASE("cluster upgrade: it stops at a box that does not hand over, and says what is done") {
    Fleet fleet({{.name = "b1"}, {.name = "b2"}, {.name = "b3"}, {.name = "b4"}});
    fleet.refuses = "b3";
    const auto stopped = fleet.upgrade(" --yes");
    CHECK(stopped.code == 1);
    CHECK(fleet.turns() == "b2 b3 ");
    CHECK(stopped.err.contains("b2: upgraded\n"));
    CHECK(stopped.err.contains("box b3: another file\n"));
    CHECK(stopped.err.contains("b4: has not had its turn\n"));
    CHECK(stopped.err.contains("b1: has not had its turn\n"));
    CHECK(fleet.asked["yes"] == true);
}

TEST_CASE("cluster upgrade: an order that did not get through is given again") {
    Fleet fleet({{.name = "b1"}, {.name = "b2"}});
    fleet.away = "b2";
    CHECK(fleet.upgrade().code == 0);
    CHECK(fleet.turns() == "b2 b2 b1 ");
    CHECK(fleet.repeats == 0);  // the box has not heard of the first one
    // All run it by now: the others are asked, and this one need not.
    CHECK(fleet.upgrade().code == 0);
    CHECK(fleet.turns() == "b2 b2 b1 b2 ");
}

TEST_CASE("cluster upgrade: a box that runs the old program again before it was well stops it") {
    Fleet fleet({{.name = "b1"}, {.name = "b2"}, {.name = "b3"}});
    fleet.falls_back = "b2";
    const auto stopped = fleet.upgrade();
    CHECK(stopped.code == 1);
    CHECK(stopped.err.contains("box b2: it was to hand over"));
    CHECK(stopped.err.contains("b3: has not had its turn"));
    CHECK(fleet.repeats > 0);
    CHECK_FALSE(fleet.turns().contains("b3"));
}

TEST_CASE("cluster upgrade: Ctrl-C ends the command, and says who has not had a turn") {
    Fleet fleet({{.name = "b1"}, {.name = "b2"}, {.name = "b3"}});
    fleet.hangs = "b2";
    const TempDir folder;
    const std::string log = folder.path() / "log";
    rig::Process command(
        {.words = {"/bin/sh", "-c", "exec " SMSRACK_RUN " " + fleet.words()}, .output = log});
    REQUIRE(wait_for(std::chrono::seconds(20), [&] { return fleet.turns() == "b2 "; }));
    command.signal(SIGINT);
    const auto ended = command.wait(std::chrono::seconds(20));
    REQUIRE(ended);
    CHECK(ended->code == 75);
    const std::string said = read_file(log);
    CAPTURE(said);
    CHECK(said.contains("box b2: interrupted; it may still hand over\n"));
    CHECK(said.contains("b3: has not had its turn\n"));
    CHECK(fleet.turns() == "b2 ");
}

TEST_CASE("cluster upgrade: with a box that is silent nothing is begun") {
    Fleet fleet({{.name = "b1"}, {.name = "b2"}, {.name = "b3", .state = "silent"}});
    const auto refused = fleet.upgrade();
    CHECK(refused.code == 1);
    CHECK(refused.err.contains("box b3: it is silent, so nothing was done"));
    CHECK(fleet.turns().empty());
}

TEST_CASE("cluster upgrade: what is no program is not given to any box") {
    const TempDir folder;
    const std::string bundle = (folder.path() / "new.raucb").string();
    std::ofstream(bundle) << "hsqs";
    CHECK(run_smsrack("cluster upgrade '" + bundle + "'").code == 64);
    CHECK(run_smsrack("cluster upgrade '" + bundle + "'").err.contains("smsrack firmware install"));
    CHECK(run_smsrack("cluster upgrade /nowhere/smsrackd").code == 64);
    CHECK(run_smsrack("cluster upgrade").code == 64);
}
