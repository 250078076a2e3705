// All boxes of a fleet hand over to another program, one after the other, under load.
#include "tests/programs/support/fleet_rig.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <future>
#include <map>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

using namespace smsrack;
using namespace smsrack::test;
using namespace std::chrono_literals;

namespace {

/// The process that the service has last handed over to; nullopt: it has not.
std::optional<pid_t> successor_of(const Rack& rack) {
    static const std::regex line(R"(event=upgraded .*pid=([0-9]+))");
    const std::string log = rack.service_log();
    std::optional<pid_t> last;
    for (std::sregex_iterator at(log.begin(), log.end(), line); at != std::sregex_iterator();
         ++at) {
        last = std::stoi((*at)[1]);
    }
    return last;
}

std::size_t count_of(const std::string& text, std::string_view words) {
    std::size_t count = 0;
    for (auto at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) {
        ++count;
    }
    return count;
}

/// The rig follows what has handed over; how many boxes did.
std::size_t follow(FleetRig& rig) {
    std::size_t followed = 0;
    for (std::size_t i = 0; i < rig.boxes(); ++i) {
        const auto pid = successor_of(rig.box(i));
        if (pid && *pid != rig.box(i).service().pid()) {
            CHECK(rig.box(i).follow_service(*pid) == Ending{0, 0});
            ++followed;
        }
    }
    return followed;
}

/// A client of each box, which accepts only 202.
class Load {
public:
    explicit Load(FleetRig& rig) : rig_(rig) {
        clients_.resize(rig.boxes());
        for (std::size_t i = 0; i < rig.boxes(); ++i) {
            clients_[i].thread = std::jthread([this, i](const std::stop_token& stop) {
                while (!stop.stop_requested()) {
                    post(i);
                    std::this_thread::sleep_for(50ms);
                }
            });
        }
    }
    /// Each message is sent, once.
    void check() {
        std::map<std::string, int> sent;
        for (std::size_t i = 0; i < clients_.size(); ++i) {
            clients_[i].thread = {};
            CHECK(clients_[i].refused == 0);
            CHECK(clients_[i].count > 20);
            for (int n = 0; n < clients_[i].count; ++n) {
                sent[number_of(i, n)] = 0;
            }
        }
        CHECK(wait_for(60s, [&] { return left() == 0; }));
        for (std::size_t i = 0; i < clients_.size(); ++i) {
            for (const Submit& submit : rig_.box(i).submits()) {
                ++sent.at(submit.to);
            }
        }
        CHECK(std::ranges::all_of(sent, [](const auto& one) { return one.second == 1; }));
    }

private:
    struct Client {
        int count = 0;
        int refused = 0;
        std::jthread thread = {};
    };

    static std::string number_of(std::size_t box, int n) {
        return fmt::format("+3361{}{:06}", box, n);
    }
    void post(std::size_t box) {
        Client& client = clients_[box];
        const wire::Json message{{"to", number_of(box, client.count++)}, {"text", "x"}};
        client.refused +=
            rig_.box(box).http("POST", "/v1/messages", message.dump()).status == 202 ? 0 : 1;
    }
    std::int64_t left() {
        std::int64_t left = 0;
        for (std::size_t i = 0; i < rig_.boxes(); ++i) {
            for (const char* state : {"queued", "sending", "uncertain", "elsewhere"}) {
                left += rig_.box(i).states()[state];
            }
        }
        return left;
    }

    FleetRig& rig_;
    std::vector<Client> clients_ = {};
};

/// As the program of another version is: the same one with an octet more.
std::string other_program(const Rack& rack) {
    const auto path = rack.folder() / "new" / "smsrackd";
    std::filesystem::create_directory(path.parent_path());
    std::filesystem::copy_file(program("smsrackd"), path);
    std::ofstream(path, std::ios::app) << "x";
    return path;
}

const std::vector<std::string> modems{"--service-ms", "100", "--report-ms", "20"};

}  // namespace

TEST_CASE(
    "fleet: all boxes hand over to another program under load, and nothing is lost or sent twice") {
    FleetRig rig({.modems = 4, .sim_options = modems});
    Load load(rig);
    const std::string path = other_program(rig.box(0));
    const Finished done = rig.box(0).command({"--json", "cluster", "upgrade", path}, 120s);
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
    load.check();
    CHECK(follow(rig) == 3);
    // All run it by now, and do nothing.
    const Finished again = rig.box(0).command({"cluster", "upgrade", path}, 120s);
    CAPTURE(again.output);
    CHECK(again.ending == Ending{0, 0});
    CHECK(count_of(rig.box(1).service_log(), "event=upgraded ") == 1);
    CHECK(follow(rig) == 0);
}

TEST_CASE("fleet: an upgrade stops at the box that has another program at that place") {
    FleetRig rig({.boxes = 2, .modems = 1});
    // Two machines have different files there, as this box sees it.
    const std::string path = other_program(rig.box(0));
    const auto changed =
        rig.box(0).http("POST", "/v1/cluster/boxes/b2/upgrade",
                        wire::Json{{"binary", path}, {"hash", std::string(32, '0')}}.dump());
    CHECK(changed.status == 200);
    REQUIRE(wait_for(30s, [&] {
        const auto why = rig.row_of(1).at("not_upgraded");
        return why.is_string() && why.get<std::string>().contains("another file");
    }));
    std::filesystem::permissions(path, std::filesystem::perms(0777));
    const Finished stopped = rig.box(0).command({"cluster", "upgrade", path}, 120s);
    CAPTURE(stopped.output);
    CHECK(stopped.ending.code == 1);
    CHECK(stopped.output.contains("box b2: "));
    CHECK(stopped.output.contains("others may change it"));
    CHECK(stopped.output.contains("b1: has not had its turn"));
    CHECK(follow(rig) == 0);
    REQUIRE(rig.box(1).reaches(rig.submit(1, {{"to", "+33612000001"}, {"text", "x"}}).at("id"),
                               "delivered"));
}

TEST_CASE(
    "fleet: an upgrade stops at a box whose new program has ended and whose old one runs again") {
    FleetRig rig({.boxes = 2, .modems = 1});
    const std::string path = other_program(rig.box(0));
    auto command = std::async(std::launch::async, [&] {
        return rig.box(0).command({"cluster", "upgrade", path}, 120s);
    });
    REQUIRE(wait_for(60s, [&] { return successor_of(rig.box(1)).has_value(); }));
    CHECK(follow(rig) == 1);
    rig.box(1).kill_service();
    rig.box(1).launch_service();  // as its unit does it
    const Finished stopped = command.get();
    CAPTURE(stopped.output);
    CHECK(stopped.ending.code == 1);
    CHECK(stopped.output.contains("box b2: it was to hand over, and runs another program"));
    CHECK(stopped.output.contains("b1: has not had its turn"));
    // Neither of them began once more.
    CHECK(count_of(rig.box(0).service_log(), "event=upgrade_begins ") == 0);
    CHECK(count_of(rig.box(1).service_log(), "event=upgrade_begins ") <= 1);
    rig.box(1).wait_active();
}
