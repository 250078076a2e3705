// kill -9 at random moments over the whole cycle: nothing accepted is lost, nothing is sent or
// received twice, and every message whose outcome is not known is accounted for.
#include "tests/programs/support/audit.hpp"
#include "tests/support/rack.hpp"
#include "tests/support/seeded_random.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <fmt/format.h>
#include <map>
#include <pwd.h>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace smsrack::test {

using namespace std::chrono_literals;

namespace {

constexpr int messages_a_kill = 100;
constexpr int inbound_a_kill = 10;
constexpr auto longest_life = 2s;
constexpr auto all_done_within = 120s;

struct KillPlan {
    int kills = 20;
    const char* uncertain = "report";
    std::optional<uid_t> user = {};

    [[nodiscard]] int messages() const { return kills * messages_a_kill; }
    [[nodiscard]] std::size_t inbound() const {
        return static_cast<std::size_t>(kills * inbound_a_kill);
    }
};

std::string number(int n) {
    return fmt::format("+337{:08}", n);
}

wire::Json body(int n) {
    const std::string text = n % 10 == 0 ? std::string(400, 'k') : fmt::format("kill test {}", n);
    return {{"to", number(n)},
            {"text", text},
            {"ref", fmt::format("kill-{}", n)},
            {"report", n % 2 == 0}};
}

/// A client that posts until each message is acknowledged, through all kills. Runs on its own
/// thread.
class Client {
public:
    Client(const Rack& rack, int messages)
        : rack_(rack),
          messages_(messages),
          thread_([this](const std::stop_token& stop) { post_all(stop); }) {}

    /// May post n more messages.
    void allow(int more) { allowed_ += more; }
    [[nodiscard]] bool done() const { return acknowledged_ == messages_; }
    /// What was acknowledged; only when done.
    [[nodiscard]] const std::vector<Audited>& messages() const { return audited_; }

private:
    void post_all(const std::stop_token& stop) {
        while (!done() && !stop.stop_requested()) {
            (void)wait_for(1s, [&] { return acknowledged_ < allowed_ && post(acknowledged_); });
        }
    }

    bool post(int n) {
        try {
            const auto answer = rack_.http("POST", "/v1/messages", body(n).dump());
            if (answer.status != 202) {
                return false;
            }
            audited_.push_back({answer.json().at("id"), number(n)});
        } catch (const std::runtime_error&) {
            return false;  // killed before or while it answered: the same ref again
        }
        ++acknowledged_;
        return true;
    }

    const Rack& rack_;
    const int messages_;
    std::atomic<int> allowed_ = 0;
    std::atomic<int> acknowledged_ = 0;
    std::vector<Audited> audited_;
    std::jthread thread_;
};

/// Each text that a modem received is in the inbox once. One that was given by itself and lay in
/// the memory too, since a kill came before its confirmation, can't be distinguished from two
/// (decision 31): then the other row says that it may be a repeat.
void check_inbox(const Rack& rack, const KillPlan& plan) {
    std::map<std::string, int> seen;
    int marked = 0;
    for (const auto& row : rack.inbox()) {
        const bool repeat = row.value("maybe_repeat", false);
        marked += repeat ? 1 : 0;
        seen[row.at("text").get<std::string>()] += repeat ? 0 : 1;
    }
    MESSAGE(marked, " marked as repeats");
    CHECK(marked <= plan.kills);
    CHECK(seen.size() == plan.inbound());
    for (const auto& [text, count] : seen) {
        CAPTURE(text);
        CHECK(count == 1);
    }
}

void kill_again_and_again(Rack& rack, Client& client, int kills) {
    SeededRandom random(20261121);
    for (int kill = 0; kill < kills; ++kill) {
        client.allow(messages_a_kill);
        rack.simulate({{"do", "inbound"},
                       {"count", inbound_a_kill},
                       {"text", fmt::format("inbound {{id}} of life {}", kill)}});
        // The one wait that is for time itself: the moment of the kill, anywhere in the cycle.
        const std::chrono::milliseconds moment(random.next() %
                                               std::chrono::milliseconds(longest_life).count());
        (void)wait_for(moment, [] { return false; });
        rack.kill_service();
        rack.launch_service();
        rack.wait_ready();
    }
}

/// Runs the plan to its end; what became of the messages is for the case to judge.
Account run_kill_test(const KillPlan& plan) {
    Rack rack(
        {.modems = 8,
         .sim_options = {"--service-ms", "100", "--service-dist", "exp", "--report-ms", "200",
                         "--seed", "7"},
         .config = fmt::format("[queue]\nuncertain = \"{}\"\nuncertain_s = 10\n", plan.uncertain),
         .user = plan.user});
    Client client(rack, plan.messages());
    kill_again_and_again(rack, client, plan.kills);
    REQUIRE(wait_for(all_done_within, [&] { return client.done(); }));
    CHECK(wait_for(all_done_within, [&] {
        auto states = rack.states();
        return states["queued"] + states["sending"] + states["uncertain"] == 0;
    }));
    CHECK(wait_for(20s, [&] { return rack.inbox().size() >= plan.inbound(); }));
    check_inbox(rack, plan);

    const Account account = audit(rack, client.messages());
    MESSAGE(
        fmt::format("{} messages, {} kills: {} delivered by report, {} with outcome unknown, {} "
                    "lost, {} segments twice",
                    plan.messages(), plan.kills, account.reported, account.unknown, account.lost,
                    account.twice));
    CHECK(account.lost == 0);
    CHECK(account.unexplained == 0);
    return account;
}

}  // namespace

TEST_CASE("kill -9, 20 times within 2,000 messages on 8 modems: none lost, none twice") {
    const Account account = run_kill_test({});
    CHECK(account.twice == 0);
    CHECK(account.unknown <= 20 * 8);  // a modem holds at most one at a kill
}

TEST_CASE("kill -9 as an ordinary user: the modems' ports are open to it after each kill") {
    const passwd* nobody = getpwnam("nobody");
    if (geteuid() != 0 || nobody == nullptr) {
        MESSAGE(
            "skipped: only root can become another user; the case above ran as an ordinary one");
        return;
    }
    const Account account = run_kill_test({.user = nobody->pw_uid});
    CHECK(account.twice == 0);
    CHECK(account.unknown <= 20 * 8);
}

TEST_CASE("kill -9 where uncertain messages are sent again: each is sent at least once") {
    const Account account = run_kill_test({.kills = 5, .uncertain = "resend"});
    CHECK(account.unknown == 0);
}

}  // namespace smsrack::test
