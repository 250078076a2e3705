#include "tests/programs/support/hook_kills.hpp"

#include "tests/programs/support/hook_rack.hpp"
#include "tests/support/seeded_random.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace smsrack::test {

using namespace std::chrono_literals;

namespace {

/// Posts each message until it is acknowledged.
class Posting {
public:
    Posting(const Rack& rack, int messages)
        : rack_(rack), messages_(messages), thread_([this](const std::stop_token& stop) {
              while (posted_ < messages_ && !stop.stop_requested()) {
                  (void)wait_for(1s, [&] { return posted_ < allowed_ && post(); });
              }
          }) {}

    void allow(int more) { allowed_ += more; }
    [[nodiscard]] bool done() const { return posted_ == messages_; }

private:
    bool post() {
        try {
            const int n = posted_;
            const wire::Json body{{"to", fmt::format("+336{:08}", n)},
                                  {"text", fmt::format("webhook {}", n)},
                                  {"ref", fmt::format("hook-{}", n)}};
            if (rack_.http("POST", "/v1/messages", body.dump()).status == 202) {
                ++posted_;
                return true;
            }
        } catch (const std::exception&) {
            // The service is being killed.
        }
        return false;
    }

    const Rack& rack_;
    const int messages_;
    std::atomic<int> posted_ = 0;
    std::atomic<int> allowed_ = 0;
    std::jthread thread_;
};

/// All types of a message's history, in order, as the service has stored them.
std::vector<std::string> stored_types(const wire::Json& message) {
    std::vector<std::string> types;
    for (const auto& event : message.at("history")) {
        types.push_back("message." + event.at("state").get<std::string>());
    }
    return types;
}

std::vector<std::string> ids_of(const Rack& rack) {
    std::vector<std::string> ids;
    std::string cursor;
    do {
        const auto page =
            rack.get("/v1/messages?limit=1000" + (cursor.empty() ? cursor : "&cursor=" + cursor));
        for (const auto& one : page.at("messages")) {
            ids.push_back(one.at("id").get<std::string>());
        }
        const auto next = page.find("next");
        cursor = next == page.end() || next->is_null() ? "" : next->get<std::string>();
    } while (!cursor.empty());
    return ids;
}

}  // namespace

std::size_t survive_kills(const HookKillPlan& plan) {
    HookRack rig("message.*", 4);
    if (plan.by_npm) {
        rig.start_npm_receiver();
    } else {
        rig.start_receiver();
    }
    rig.rack().start_service();
    rig.start_gate();
    SeededRandom random(20'261'127);
    Posting posting(rig.rack(), plan.messages);
    for (int kill = 0; kill < plan.kills; ++kill) {
        posting.allow(plan.messages / plan.kills + 1);
        std::this_thread::sleep_for(std::chrono::milliseconds(random.below(1'500U)));
        const auto which = random.below(3U);
        if (which != 0) {
            rig.kill_gate();
        }
        if (which != 1) {
            rig.rack().kill_service();
            rig.rack().launch_service();
        }
        if (which != 0) {
            rig.start_gate();
        }
    }
    posting.allow(plan.messages);
    REQUIRE(wait_for(300s, [&] { return posting.done(); }));
    rig.rack().wait_ready();
    REQUIRE(wait_for(300s, [&] {
        const auto states = rig.rack().states();
        const auto at_end = [&](const char* state) {
            const auto found = states.find(state);
            return found == states.end() ? std::int64_t{0} : found->second;
        };
        return at_end("delivered") + at_end("failed") + at_end("uncertain") +
                   at_end("undelivered") >=
               plan.messages;
    }));
    std::map<std::string, std::vector<std::string>> stored;
    std::size_t events = 0;
    for (const std::string& id : ids_of(rig.rack())) {
        stored[id] = stored_types(rig.rack().message(id));
        events += stored[id].size();
    }
    CHECK(stored.size() >= static_cast<std::size_t>(plan.messages));
    HookAudit audit;
    const bool all_came = wait_for(300s, [&] {
        audit = audit_of(rig.calls());
        return audit.events >= events;
    });
    CAPTURE(rig.gate_log());
    CHECK(all_came);
    CHECK(rig.refused() == 0);
    CHECK(audit.events == events);
    CHECK(audit.changed == 0);
    CHECK(audit.out_of_order == 0);
    CHECK(audit.of_message == stored);
    MESSAGE(fmt::format("{} events, {} of them came again", audit.events, audit.repeated));
    return audit.events;
}

}  // namespace smsrack::test
