// kill -9 at random moments over the whole cycle: nothing accepted is lost, nothing is sent or
// received twice, and every message whose outcome is not known is accounted for.
#include "tests/support/rack.hpp"
#include "tests/support/seeded_random.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <pwd.h>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <vector>

namespace smsrack::test {

using namespace std::chrono_literals;

namespace {

constexpr int kills = 20;
constexpr int messages_a_kill = 100;
constexpr int messages = kills * messages_a_kill;
constexpr int inbound_a_kill = 10;
constexpr auto longest_life = 2s;
constexpr auto all_done_within = 120s;

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
    explicit Client(const Rack& rack)
        : rack_(rack), thread_([this](const std::stop_token& stop) { post_all(stop); }) {}

    /// May post so many messages more.
    void allow(int more) { allowed_ += more; }
    [[nodiscard]] int acknowledged() const { return acknowledged_; }
    /// The ids, by message; only when all are acknowledged.
    [[nodiscard]] const std::vector<std::string>& ids() const { return ids_; }

private:
    void post_all(const std::stop_token& stop) {
        while (acknowledged_ < messages && !stop.stop_requested()) {
            (void)wait_for(1s, [&] { return acknowledged_ < allowed_ && post(acknowledged_); });
        }
    }

    bool post(int n) {
        try {
            const auto answer = rack_.http("POST", "/v1/messages", body(n).dump());
            if (answer.status != 202) {
                return false;
            }
            ids_.push_back(answer.json().at("id"));
        } catch (const std::runtime_error&) {
            return false;  // killed before or while it answered: the same ref again
        }
        ++acknowledged_;
        return true;
    }

    const Rack& rack_;
    std::atomic<int> allowed_ = 0;
    std::atomic<int> acknowledged_ = 0;
    std::vector<std::string> ids_;
    std::jthread thread_;
};

/// Which segment of its message an SMS-SUBMIT is, from 1, read here by hand: the codec under test
/// has no say. 3GPP TS 23.040 9.2.2.2 and 9.2.3.24.1.
int place_in_message(std::string_view pdu) {
    const auto octet = [&](std::size_t at) {
        int value = 0;
        (void)std::from_chars(pdu.data() + 2 * at, pdu.data() + 2 * at + 2, value, 16);
        return value;
    };
    const auto first = 1 + static_cast<std::size_t>(octet(0));  // behind the service centre
    if ((octet(first) & 0x40) == 0) {
        return 1;  // no user data header
    }
    const auto digits = static_cast<std::size_t>(octet(first + 2));
    constexpr std::array<std::size_t, 4> validity_octets = {0, 7, 1, 7};
    const auto vp = validity_octets[(static_cast<std::size_t>(octet(first)) >> 3U) & 3U];
    const auto header = first + 4 + (digits + 1) / 2 + 2 + vp + 1;  // TP-UDHL
    const bool wide = octet(header + 1) == 8;                       // a reference of 16 bits
    REQUIRE((wide || octet(header + 1) == 0));
    return octet(header + (wide ? 6 : 5));
}

/// How often the network got each segment: by number and place in the message.
std::map<std::string, std::map<int, int>> taken_by_network(const Rack& rack) {
    std::map<std::string, std::map<int, int>> taken;
    for (const Submit& submit : rack.submits()) {
        ++taken[submit.to][place_in_message(submit.pdu)];
    }
    return taken;
}

struct Account {
    int lost = 0;  ///< not in the store, or `sent` or `delivered` and the network has not all of it
    int twice = 0;        ///< segments that the network got more than once
    int unexplained = 0;  ///< ended without a reason that holds, or not ended
    int unknown = 0;      ///< outcome_unknown: may or may not have been sent, never sent again
    int reported = 0;     ///< delivered
};

Account audit(const Rack& rack, const std::vector<std::string>& ids) {
    Account account;
    auto taken = taken_by_network(rack);
    for (int n = 0; n < messages; ++n) {
        const auto message = rack.message(ids[static_cast<std::size_t>(n)]);
        const std::string state = message.at("state");
        const auto& segments = taken[number(n)];
        for (const auto& [place, count] : segments) {
            account.twice += count > 1 ? 1 : 0;
        }
        const bool whole = segments.size() == message.at("segments").get<std::size_t>();
        if (state == "sent" || state == "delivered") {
            account.lost += whole ? 0 : 1;
            account.reported += state == "delivered" ? 1 : 0;
        } else if (state == "failed" && message.dump().contains("outcome_unknown")) {
            ++account.unknown;
        } else {
            ++account.unexplained;
            MESSAGE("message " << n << ": " << message.dump());
        }
    }
    return account;
}

/// Each text that a modem received, and how often it is in the inbox.
void check_inbox(const Rack& rack) {
    std::map<std::string, int> seen;
    for (const auto& row : rack.inbox()) {
        ++seen[row.at("text").get<std::string>()];
    }
    CHECK(seen.size() == kills * inbound_a_kill);
    for (const auto& [text, count] : seen) {
        CAPTURE(text);
        CHECK(count == 1);
    }
}

void kill_again_and_again(Rack& rack, Client& client) {
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

void run_kill_test(std::optional<uid_t> user) {
    Rack rack({.modems = 8,
               .sim_options = {"--service-ms", "100", "--service-dist", "exp", "--report-ms", "200",
                               "--seed", "7"},
               .config = "[queue]\nuncertain = \"report\"\nuncertain_s = 10\n",
               .user = user});
    Client client(rack);
    kill_again_and_again(rack, client);
    REQUIRE(wait_for(all_done_within, [&] { return client.acknowledged() == messages; }));
    CHECK(wait_for(all_done_within, [&] {
        auto states = rack.states();
        return states["queued"] + states["sending"] + states["uncertain"] == 0;
    }));
    CHECK(wait_for(20s, [&] { return rack.inbox().size() >= kills * inbound_a_kill; }));

    const Account account = audit(rack, client.ids());
    MESSAGE(fmt::format(
        "{} messages, {} kills: {} delivered by report, {} with outcome unknown, {} lost, {} sent "
        "twice",
        messages, kills, account.reported, account.unknown, account.lost, account.twice));
    CHECK(account.lost == 0);
    CHECK(account.twice == 0);
    CHECK(account.unexplained == 0);
    CHECK(account.unknown <= kills * 8);  // a modem holds at most one at a kill
    check_inbox(rack);
}

}  // namespace

TEST_CASE("kill -9, 20 times within 2,000 messages on 8 modems: none lost, none twice") {
    run_kill_test({});
}

TEST_CASE("kill -9 as an ordinary user: the modems' ports are open to it after each kill") {
    const passwd* nobody = getpwnam("nobody");
    if (geteuid() != 0 || nobody == nullptr) {
        MESSAGE(
            "skipped: only root can become another user; the case above ran as an ordinary one");
        return;
    }
    run_kill_test(nobody->pw_uid);
}

}  // namespace smsrack::test
