// The real service and a gate that is the test's: kill -9 and reloads at random moments lose no event
// of a webhook, and keep the order of the events of each message.
#include "src/webhook/config_hash.hpp"
#include "tests/support/rack.hpp"
#include "tests/support/seeded_random.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace smsrack::test {

using namespace std::chrono_literals;

namespace {

constexpr const char* hook_table = R"([[webhook]]
name = "crm"
url = "http://127.0.0.1:9/hook"
events = ["message.*"]
secret = { file = "/none" }
timeout_s = 1
)";

std::string hook_hash() {
    return webhook::config_hash({.name = "crm",
                                 .url = "http://127.0.0.1:9/hook",
                                 .events = {"message.*"},
                                 .secret = config::KeyFile{"/none"}});
}

/// Takes, answers for the receiver, and reports, through all kills. Runs on its own thread.
class Gate {
public:
    explicit Gate(const Rack& rack)
        : rack_(rack), thread_([this](const std::stop_token& stop) { run(stop); }) {}

    /// Events that were delivered, of each message.
    [[nodiscard]] std::map<std::string, std::set<std::int64_t>> delivered() const {
        const std::lock_guard lock(mutex_);
        return delivered_;
    }
    [[nodiscard]] bool in_order() const {
        const std::lock_guard lock(mutex_);
        return in_order_;
    }
    [[nodiscard]] bool same_octets() const {
        const std::lock_guard lock(mutex_);
        return same_octets_;
    }
    [[nodiscard]] int calls() const {
        const std::lock_guard lock(mutex_);
        return calls_;
    }

private:
    struct Held {
        std::int64_t attempt = 0;
        int status = 0;
    };

    void run(const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            try {
                if (!(report() && take())) {
                    (void)wait_for(20ms, [] { return false; });
                }
            } catch (const std::runtime_error&) {
                // Killed before or while it answered: the same again.
                (void)wait_for(20ms, [] { return false; });
            }
        }
    }

    bool report() {
        if (held_.empty()) {
            return true;
        }
        wire::Json results = wire::Json::array();
        for (const auto& [event, one] : held_) {
            results.push_back({{"event", std::to_string(event)},
                               {"attempt", one.attempt},
                               {"at", "2026-11-21T00:00:00.000Z"},
                               {"ms", 1},
                               {"status", one.status}});
        }
        const wire::Json body = {{"gate", "g1"}, {"results", results}};
        const bool kept = rack_.http("POST", "/v1/webhooks/crm/results", body.dump()).status == 204;
        if (kept) {
            held_.clear();
        }
        return kept;
    }

    bool take() {
        const wire::Json body = {
            {"gate", "g1"}, {"config", hook_hash()}, {"room", 8}, {"holding", wire::Json::array()}};
        const auto answer = rack_.http("POST", "/v1/webhooks/crm/take", body.dump());
        if (answer.status != 200) {
            return false;
        }
        const wire::Json taken = answer.json();
        for (const wire::Json& one : taken.at("deliveries")) {
            call(one);
        }
        return true;
    }

    /// The receiver: some events fail at first.
    void call(const wire::Json& one) {
        const std::int64_t event = std::stoll(one.at("event").get<std::string>());
        const std::int64_t attempt = one.at("attempt");
        const std::string body = one.at("body");
        const auto parsed = wire::parse_json(body);
        const std::string message = parsed.value().at("data").at("id");
        const std::lock_guard lock(mutex_);
        ++calls_;
        const auto [known, is_new] = bodies_.emplace(event, body);
        same_octets_ = same_octets_ && known->second == body;
        auto& of_message = seen_[message];
        for (const std::int64_t earlier : of_message) {
            in_order_ = in_order_ && (earlier >= event || delivered_[message].contains(earlier));
        }
        of_message.insert(event);
        const int status = event % 23 == 0 && attempt == 1 ? 500 : 200;
        if (status == 200) {
            in_order_ = in_order_ &&
                        (delivered_[message].empty() || *delivered_[message].rbegin() <= event ||
                         delivered_[message].contains(event));
            delivered_[message].insert(event);
        }
        held_.insert_or_assign(event, Held{.attempt = attempt, .status = status});
    }

    const Rack& rack_;
    std::map<std::int64_t, Held> held_;  // of the thread
    mutable std::mutex mutex_;           // guards what follows
    std::map<std::string, std::set<std::int64_t>> delivered_;
    std::map<std::string, std::set<std::int64_t>> seen_;
    std::map<std::int64_t, std::string> bodies_;
    bool in_order_ = true;
    bool same_octets_ = true;
    int calls_ = 0;
    std::jthread thread_;
};

}  // namespace

TEST_CASE(
    "webhooks: kill -9 and reloads of the service lose no event, and keep each message's order") {
    Rack rack({.modems = 4,
               .sim_options = {"--service-ms", "50", "--report-ms", "50", "--seed", "7"},
               .config = std::string("[queue]\nuncertain_s = 10\n") + hook_table});
    Gate gate(rack);
    SeededRandom random(20261127);
    std::vector<std::string> ids;
    for (int life = 0; life < 12; ++life) {
        for (int n = 0; n < 12; ++n) {
            ids.push_back(
                rack.submit({{"to", fmt::format("+337{:08}", life * 100 + n)}, {"text", "hook"}}));
        }
        // The one wait that is for time itself: the moment of the kill.
        (void)wait_for(std::chrono::milliseconds(random.below(std::uint64_t{700})),
                       [] { return false; });
        if (life % 3 == 2) {
            CHECK(rack.command({"reload"}).ending.code == 0);
        } else {
            rack.kill_service();
            rack.launch_service();
            rack.wait_ready();
        }
    }
    REQUIRE(wait_for(100s, [&] {
        auto states = rack.states();
        return states["queued"] + states["sending"] + states["uncertain"] == 0;
    }));
    std::size_t events = 0;
    const auto all_came = [&] {
        const auto delivered = gate.delivered();
        events = 0;
        return std::ranges::all_of(ids, [&](const std::string& id) {
            const std::size_t expected = rack.message(id).at("history").size();
            events += expected;
            const auto found = delivered.find(id);
            return found != delivered.end() && found->second.size() == expected;
        });
    };
    CHECK(wait_for(100s, all_came));
    CHECK(gate.in_order());
    CHECK(gate.same_octets());
    MESSAGE(fmt::format("{} events of {} messages, {} calls of the receiver", events, ids.size(),
                        gate.calls()));
    CHECK(wait_for(20s, [&] {
        const wire::Json hook = rack.get("/v1/webhooks").at("webhooks")[0];
        return hook.at("waiting") == 0;
    }));
}

TEST_CASE("webhooks: an operator lists, switches, replays and tests by command") {
    Rack rack({.modems = 1, .config = hook_table});
    const auto list = rack.command({"webhook", "list"});
    CHECK(list.ending.code == 0);
    CHECK(list.output.contains("crm"));
    CHECK(list.output.contains("open"));
    CHECK(rack.command({"webhook", "off", "crm"}).ending.code == 0);
    CHECK(rack.get("/v1/attention").at("attention")[0].at("code") == "webhook_off");
    const std::string id = rack.submit({{"to", "+33612345678"}, {"text", "x"}});
    REQUIRE(rack.reaches(id, "delivered"));
    CHECK(rack.command({"webhook", "open", "crm"}).ending.code == 0);
    {
        Gate gate(rack);
        CHECK(wait_for(20s, [&] { return gate.delivered()[id].size() >= 3; }));
        const auto again = rack.command({"webhook", "replay", "crm", "--since", "1h"});
        CHECK(again.ending.code == 0);
        CHECK(again.output.contains("sent again by webhook crm"));
        CHECK(wait_for(20s, [&] { return gate.calls() >= 6; }));
        // Of the last call the result is still on its way; without a gate it would be lost.
        CHECK(wait_for(10s, [&] {
            const auto shown = rack.command({"webhook", "show", "crm", "--state", "delivered"});
            return shown.ending.code == 0 && shown.output.contains("message.delivered");
        }));
    }
    const auto test = rack.command({"webhook", "test", "crm"});  // without a gate, in 6 s
    CHECK(test.ending.code == 1);
    CHECK(test.output.contains("smsrack-gate"));
    CHECK(rack.command({"webhook", "show", "none"}).ending.code == 1);
    CHECK(rack.command({"webhook", "replay", "crm"}).ending.code == 64);
}

}  // namespace smsrack::test
