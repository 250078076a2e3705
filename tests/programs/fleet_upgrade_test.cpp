// All boxes of a fleet hand over to another program, one after the other, under load.
#include "tests/programs/support/fleet_rig.hpp"
#include "tests/support/poster.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <regex>
#include <string>
#include <vector>

using namespace smsrack;
using namespace smsrack::test;
using namespace std::chrono_literals;

namespace {

/// The process that the service has last handed over to; nullopt: it has not.
std::optional<pid_t> successor_of(const Rack& rack) {
    static const std::regex line(R"( upgraded .*pid=([0-9]+))");
    const std::string log = rack.service_log();
    std::optional<pid_t> last;
    for (std::sregex_iterator at(log.begin(), log.end(), line); at != std::sregex_iterator();
         ++at) {
        last = std::stoi((*at)[1]);
    }
    return last;
}

/// The rig follows what has handed over; how many boxes did.
std::size_t follow(FleetRig& rig) {
    std::size_t followed = 0;
    for (std::size_t i = 0; i < rig.boxes(); ++i) {
        if (const auto pid = successor_of(rig.box(i))) {
            CHECK(rig.box(i).follow_service(*pid) == Ending{0, 0});
            ++followed;
        }
    }
    return followed;
}

struct Load {
    explicit Load(FleetRig& rig) {
        for (std::size_t i = 0; i < rig.boxes(); ++i) {
            constexpr int numbers_apart = 1'000'000;
            posters.push_back(std::make_unique<Poster>(
                rig.box(i), numbers_apart * (static_cast<int>(i) + 1), true));
        }
    }
    /// Each message is sent, once.
    void check(FleetRig& rig) {
        std::vector<std::string> numbers;
        for (const auto& poster : posters) {
            for (const Posted& posted : poster->end()) {
                numbers.push_back(posted.to);
            }
            CHECK(poster->fault() == "");
        }
        CHECK(numbers.size() > 30);
        CHECK(wait_for(120s, [&] {
            std::size_t left = 0;
            for (std::size_t i = 0; i < rig.boxes(); ++i) {
                const auto states = rig.box(i).states();
                left += static_cast<std::size_t>(states.at("queued") + states.at("sending") +
                                                 states.at("uncertain") + states.at("elsewhere"));
            }
            return left == 0;
        }));
        std::size_t lost = 0;
        std::size_t twice = 0;
        for (const std::string& number : numbers) {
            const std::size_t times = rig.sent_to(number);
            lost += times == 0 ? 1 : 0;
            twice += times > 1 ? 1 : 0;
        }
        CHECK(lost == 0);
        CHECK(twice == 0);
    }

    std::vector<std::unique_ptr<Poster>> posters = {};
};

const std::vector<std::string> modems{"--service-ms", "100", "--report-ms", "20"};

}  // namespace

TEST_CASE(
    "fleet: all boxes hand over to another program under load, and nothing is lost or sent twice") {
    FleetRig rig({.modems = 4, .sim_options = modems});
    Load load(rig);
    const Finished done =
        rig.box(0).command({"--json", "cluster", "upgrade", program("smsrackd")}, 120s);
    CAPTURE(done.output);
    REQUIRE(done.ending == Ending{0, 0});
    const wire::Json boxes = wire::parse_json(done.output).value().at("boxes");
    REQUIRE(boxes.size() == 3);
    CHECK(boxes[0].at("name") == "b2");
    CHECK(boxes[1].at("name") == "b3");
    CHECK(boxes[2].at("name") == "b1");
    for (const wire::Json& box : boxes) {
        CHECK(box.at("modems") == 4);
        MESSAGE(box.dump());
    }
    load.check(rig);
    CHECK(follow(rig) == 3);
}

TEST_CASE("fleet: an upgrade stops at the box that has another program at that place") {
    FleetRig rig({.boxes = 2, .modems = 1});
    // As it is on the disks of two machines: the file changes once the command has read it.
    const auto path = rig.box(0).folder() / "new" / "smsrackd";
    std::filesystem::create_directory(path.parent_path());
    std::filesystem::copy_file(program("smsrackd"), path);
    const auto changed = rig.box(0).http(
        "POST", "/v1/cluster/boxes/b2/upgrade",
        wire::Json{{"binary", path.string()}, {"hash", std::string(32, '0')}}.dump());
    CHECK(changed.status == 200);
    REQUIRE(wait_for(30s, [&] {
        const auto why = rig.row_of(1).at("not_upgraded");
        return why.is_string() && why.get<std::string>().contains("another file");
    }));
    std::filesystem::permissions(path, std::filesystem::perms(0777));
    const Finished stopped = rig.box(0).command({"cluster", "upgrade", path.string()}, 120s);
    CAPTURE(stopped.output);
    CHECK(stopped.ending.code == 1);
    CHECK(stopped.output.contains("box b2: "));
    CHECK(stopped.output.contains("others may change it"));
    CHECK(stopped.output.contains("b1: has not had its turn"));
    CHECK(follow(rig) == 0);
    REQUIRE(rig.box(1).reaches(rig.submit(1, {{"to", "+33612000001"}, {"text", "x"}}).at("id"),
                               "delivered"));
}
