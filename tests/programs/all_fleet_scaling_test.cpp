// Boxes as nodes of the scaling policy, under the load of the paper's run made smaller: real services, a real PostgreSQL, and a program that
// switches boxes on and off.
// Source: [Elastic]: N_min = 3, 8 nodes, F = 3,000; 10, 5,000, 8,000 and 12,000 messages a second give 3, 3, 4 and 6 nodes.
#include "tests/programs/support/fleet_rig.hpp"
#include "tests/programs/support/wake_unit.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <string>
#include <vector>

using namespace smsrack;
using namespace smsrack::test;
using namespace std::chrono_literals;

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr std::size_t boxes = 8;
constexpr double scale = 1.0 / 1'000;  // of the paper's loads, and of its F
constexpr auto tick = 50ms;
constexpr auto window = 5s;  // 10 samples of 500 ms

/// Its words are files, which the test carries out.
constexpr const char* switches = "touch $2.$1";

FleetPlan plan(const WakeUnit& unit) {
    return {.boxes = boxes,
            .modems = 1,
            .cluster = unit.keys() +
                       "[cluster.scaling]\nenabled = true\nn_min = 3\nsamples = 10\n"
                       "period_ms = 500\nnode_rate = 3\npark_awaited = true\n",
            // Somewhat more than F.
            .sim_options = {"--service-ms", "300", "--report-ms", "20"}};
}

class FleetDay {
public:
    /// With this load, in messages per second of the paper, until `done` or so long.
    bool live(double load, std::chrono::seconds within, auto done) {
        const auto begun = Clock::now();
        auto at = begun;
        double owed = 0;
        for (auto next = begun; Clock::now() - begun < within; next += tick) {
            (void)wait_for(tick, [&] { return Clock::now() >= next; });
            const auto now = Clock::now();
            owed += load * scale * Seconds(now - at).count();
            at = now;
            look();
            for (; owed >= 1; owed -= 1) {
                submit();
            }
            if (done()) {
                return true;
            }
        }
        return false;
    }
    bool reaches(double load, std::size_t nodes, std::chrono::seconds within) {
        return live(load, within, [&] { return nodes_ == nodes; });
    }
    /// The number of nodes does not change for so long.
    bool stays(double load, std::chrono::seconds length) {
        const std::size_t before = nodes_;
        return !live(load, length, [&] { return nodes_ != before; });
    }
    [[nodiscard]] std::size_t nodes() const { return nodes_; }

    void check_messages() {
        std::map<std::string, int> sent;
        REQUIRE(wait_for(120s, [&] {
            sent.clear();
            for (std::size_t i = 0; i < boxes; ++i) {
                for (const Submit& submit : rig_.box(i).submits()) {
                    ++sent[submit.to];
                }
            }
            return sent.size() >= accepted_.size();
        }));
        CHECK(accepted_.size() > 500);
        CHECK(std::ranges::all_of(accepted_, [&](const auto& to) { return sent[to] == 1; }));
    }

private:
    [[nodiscard]] bool is_ordered(const char* word, std::size_t box) const {
        return std::filesystem::remove(unit_.folder() /
                                       fmt::format("{}.{}", FleetRig::name_of(box), word));
    }

    /// What was ordered of the power switch, and how the fleet is, twice a second.
    void look() {
        if (Clock::now() < look_at_) {
            return;
        }
        look_at_ = Clock::now() + 500ms;
        for (std::size_t i = 0; i < boxes; ++i) {
            if (is_ordered("park", i)) {
                CHECK(rig_.box(i).stop_service() == Ending{0, 0});
            }
            if (is_ordered("wake", i)) {
                rig_.box(i).launch_service();
            }
        }
        const wire::Json fleet = rig_.box(0).get("/v1/cluster/boxes");
        open_.clear();
        for (const wire::Json& box : fleet.at("boxes")) {
            if (box.at("state") == "running" && box.at("modems") > 0) {
                open_.push_back(box.at("number").get<std::size_t>() - 1);
            }
        }
        const std::size_t now = rig_.standing(0).at("scaling").at("nodes");
        if (now != nodes_) {
            MESSAGE(fmt::format("{} -> {} nodes", nodes_, now));
        }
        nodes_ = now;
    }

    /// To one box after the other; where that one has just gone, to the next.
    void submit() {
        const std::string to = fmt::format("+336{:08}", next_++);
        for (std::size_t attempt = 0; attempt < open_.size(); ++attempt) {
            try {
                const auto answer =
                    rig_.box(open_[turn_++ % open_.size()])
                        .http("POST", "/v1/messages",
                              wire::Json{{"to", to}, {"text", "x"}, {"ref", to}}.dump());
                if (answer.status == 202) {
                    accepted_.push_back(to);
                    return;
                }
            } catch (const std::exception&) {
                continue;
            }
        }
        FAIL_CHECK("no box took a message");
    }

    const WakeUnit unit_{switches};
    FleetRig rig_{plan(unit_)};
    Clock::time_point look_at_ = {};
    std::vector<std::size_t> open_ = {};  // boxes that take messages
    std::size_t nodes_ = boxes;
    std::size_t turn_ = 0;
    std::int64_t next_ = 0;
    std::vector<std::string> accepted_ = {};
};

}  // namespace

TEST_CASE("fleet: the loads of the paper's run give its numbers of nodes, with boxes as nodes") {
    FleetDay day;
    // The night: five of eight go, one after the other.
    CHECK(day.reaches(10, 3, 300s));
    CHECK(day.stays(10, 4 * window));
    CHECK(day.stays(5'000, 10 * window));
    CHECK(day.nodes() == 3);
    CHECK(day.reaches(8'000, 4, 60s));
    CHECK(day.stays(8'000, 8 * window));
    CHECK(day.reaches(12'000, 6, 120s));
    CHECK(day.stays(12'000, 8 * window));
    CHECK(day.nodes() == 6);
    day.check_messages();
}
