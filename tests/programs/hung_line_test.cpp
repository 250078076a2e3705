// One of eight modems hangs for ever while all are busy: what is lost is an eighth of the rate, and
// the message that it held is reported correctly.
#include "tests/programs/support/steady_load.hpp"
#include "tests/support/temp_dir.hpp"
#include "tools/rig/sim_log.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>
#include <numeric>

namespace smsrack::test {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

namespace {

constexpr unsigned modems = 8;
constexpr auto window = 12s;

struct Window {
    SteadyTime from = {};
    SteadyTime to = {};
};

Window run_window(SteadyLoad& load) {
    const SteadyTime from = steady_clock::now();
    load.run_for(window);
    return {from, steady_clock::now()};
}

/// Messages per second of the whole rack.
double rate_within(const std::vector<rig::SimSubmit>& submits, const Window& when) {
    const auto rates = rig::line_rates(submits, when.from, when.to);
    return std::accumulate(rates.begin(), rates.end(), 0.0,
                           [](double sum, const auto& line) { return sum + line.second; });
}

}  // namespace

TEST_CASE("one of eight modems hangs for ever: seven eighths of the rate, and one open outcome") {
    // No power is cut here: a disk that is slow while others write to it is not a line's doing.
    const TempDir memory(TempDir::memory());
    const Rack rack({.modems = modems,
                     .sim_options = {"--service-ms", "1000", "--report-ms", "300"},
                     .config = "[queue]\nuncertain_s = 15\n\n"
                               "[defaults]\nsubmit_slow_s = 2\nsubmit_timeout_s = 5\n\n",
                     .state_dir = memory.path() / "state"});
    SteadyLoad load(rack, std::size_t{10} * modems);
    load.run_for(3s);  // the rack is in step
    const Window full = run_window(load);
    // Its answer is kept back, so that the modem has a submit in flight when it hangs.
    rack.simulate({{"do", "late_answer"}, {"modem", 0}, {"ms", 3000}});
    load.run_for(1500ms);
    rack.simulate({{"do", "hang"}, {"modem", 0}});
    const Window seven = run_window(load);

    REQUIRE(load.run_until(10s, [&] { return rack.states()["uncertain"] == 1; }));
    const wire::Json doubt = rack.get("/v1/messages?state=uncertain").at("messages").at(0);
    CHECK(doubt.at("modem") == "m0");
    CHECK(rack.get("/v1/modems/m0").at("link") != "active");
    CHECK(load.finish(60s));
    const wire::Json end = rack.message(doubt.at("id"));
    CHECK(end.at("state") == "failed");
    CHECK(end.dump().contains("outcome_unknown"));

    const auto log = rig::read_sim_log(rack.folder() / "submits.jsonl");
    REQUIRE(log);
    const double before = rate_within(log->submits, full);
    const double after = rate_within(log->submits, seven);
    MESSAGE(fmt::format("{:.2f} messages/s with eight modems, {:.2f} with seven: {:.2f} %", before,
                        after, 100 * after / before));
    // Seven lines as fast as ever are exactly seven eighths: each may be 2 % slower, as with any
    // other fault.
    CHECK(after >= before * 7 / 8 * 0.98);
    CHECK(before > modems * 0.8);  // of 1 message a second each: all were busy

    const rig::Truth truth = load.check_truth(load.told());
    CHECK(truth.refused == 0);
    CHECK(truth.unknown == std::vector<std::string>{doubt.at("id")});
}

}  // namespace smsrack::test
