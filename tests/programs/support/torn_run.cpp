#include "tests/programs/support/torn_run.hpp"

#include "tests/support/rack.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <fmt/format.h>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace smsrack::test {
namespace {

using namespace std::chrono_literals;

constexpr int sent = 200;
constexpr int bursts = 10;        // of what comes in
constexpr int texts_a_burst = 7;  // each unlike the others
constexpr int alarms = bursts;    // of one text and one sender, one in each burst
constexpr auto between_bursts = 1s;
constexpr auto life = 2s;  // before each kill
constexpr auto answers_within = 10s;
constexpr auto all_done_within = 900s;
const std::string alarm_text = "ALARM zone 4 open";

constexpr const char* config = R"([queue]
uncertain = "{}"
uncertain_s = {}
retry_base_s = 1
retry_limit = 20
cool_s = 2

[defaults]
submit_slow_s = 2
submit_timeout_s = 5
smsc = "+33609001390"

)";

class TornRun {
public:
    explicit TornRun(TornPlan plan)
        : plan_(std::move(plan)),
          rack_({.modems = 1,
                 .sim_options = {"--service-ms", "100", "--report-ms", "200", "--seed", "11"},
                 .config = plan_.resends ? fmt::format(config, "resend", 20)
                                         : fmt::format(config, "report", 120)}) {}

    void run() {
        order(plan_.fault);
        for (int i = 0; i < sent; ++i) {
            ids_.push_back(rack_.submit({{"to", fmt::format("+337{:08}", i)},
                                         {"text", fmt::format("torn {}", i)},
                                         {"report", true}}));
        }
        int kills = plan_.kills;
        for (int burst = 0; burst < bursts; ++burst) {
            come_in();
            // A wait for time itself: the messages are to come while the line works, and the kill anywhere in its work.
            (void)wait_for(kills > 0 ? life : between_bursts, [] { return false; });
            if (kills-- > 0) {
                kill();
            }
        }
        CHECK(wait_for(all_done_within, [&] { return all_delivered() && inbox_is_full(); }));
        check_inbox();
        check_messages();
    }

private:
    void order(wire::Json what) const {
        what["modem"] = 0;
        rack_.simulate(what);
    }
    void come_in() const {
        order({{"do", "inbound"}, {"text", "inbound {id}"}, {"count", texts_a_burst}});
        order({{"do", "inbound"}, {"from", "+33699000000"}, {"text", alarm_text}});
    }
    void kill() {
        rack_.kill_service();
        rack_.launch_service();
        // Not until its line is there: that may take longer than a life.
        CHECK(wait_for(answers_within, [&] { return answers(); }));
    }
    [[nodiscard]] bool answers() const {
        try {
            return rack_.http("GET", "/healthz").status == 200;
        } catch (const std::runtime_error&) {
            return false;
        }
    }
    [[nodiscard]] bool all_delivered() const { return rack_.states()["delivered"] == sent; }
    [[nodiscard]] bool inbox_is_full() const {
        return rack_.inbox().size() >= std::size_t{bursts} * texts_a_burst + alarms;
    }

    void check_inbox() const {
        std::map<std::string, int> seen;
        for (const wire::Json& row : rack_.inbox()) {
            CHECK_FALSE(row.value("undecodable", false));
            CHECK_FALSE(row.value("incomplete", false));
            const wire::Json text = row.value("text", wire::Json());
            ++seen[text.is_string() ? text.get<std::string>() : "no text"];
        }
        CHECK(seen[alarm_text] == alarms);
        seen.erase(alarm_text);
        CHECK(seen.size() == std::size_t{bursts} * texts_a_burst);
        for (const auto& [text, count] : seen) {
            CAPTURE(text);
            CHECK(count == 1);
        }
    }

    void check_messages() const {
        std::map<std::string, int> at_network;
        for (const Submit& submit : rack_.submits()) {
            ++at_network[submit.to];
        }
        for (const auto& [state, count] : rack_.states()) {
            MESSAGE(fmt::format("{} messages are {}", count, state));
        }
        CHECK(at_network.size() == sent);
        for (int i = 0; i < sent; ++i) {
            const wire::Json message = rack_.message(ids_.at(static_cast<std::size_t>(i)));
            const std::string whole = message.dump();
            CAPTURE(whole);
            CHECK(message.at("state") == "delivered");
            const int times = at_network[fmt::format("+337{:08}", i)];
            CHECK(times >= 1);
            CHECK((times == 1 || (plan_.resends && whole.contains("uncertain"))));
        }
    }

    const TornPlan plan_;
    Rack rack_;
    std::vector<std::string> ids_;
};

}  // namespace

void run_torn(const TornPlan& plan) {
    TornRun(plan).run();
}

}  // namespace smsrack::test
