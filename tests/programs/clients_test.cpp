// Named clients: each gets the results of what it brought, over its own absence and over kill -9 of the service.
#include "tests/support/rack.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace smsrack::test {

using namespace std::chrono_literals;

namespace {

struct Result {
    std::int64_t id = 0;
    std::string type;
    std::string message;
};

/// A front end that listens by its name.
class FrontEnd {
public:
    FrontEnd(const Rack& rack, const std::string& name, std::int64_t last = 0)
        : stream_(rack.socket()) {
        const std::string resume = last == 0 ? "" : fmt::format("Last-Event-ID: {}\r\n", last);
        REQUIRE(stream_.send(fmt::format(
            "GET /v1/events?client={} HTTP/1.1\r\nHost: localhost\r\n{}\r\n", name, resume)));
        REQUIRE(stream_.receive_until("\r\n\r\n").contains("text/event-stream"));
    }

    Result next() {
        while (true) {
            const std::string block = stream_.receive_until("\n\n");
            REQUIRE_FALSE(block.empty());
            const std::string data = field(block, "data: ");
            if (data.empty()) {
                continue;
            }
            const wire::Json json = wire::parse_json(data).value();
            const std::string id = field(block, "id: ");
            return {.id = id.empty() ? 0 : std::stoll(id),
                    .type = field(block, "event: "),
                    .message = json.contains("id") ? json.at("id").get<std::string>() : ""};
        }
    }
    /// All up to the `count`th that is delivered.
    std::vector<Result> until_delivered(std::size_t count) {
        std::vector<Result> all;
        while (count > 0) {
            all.push_back(next());
            count -= all.back().type == "message.delivered" ? 1 : 0;
        }
        return all;
    }

private:
    static std::string field(const std::string& block, const std::string& name) {
        const auto at = block.find(name);
        if (at == std::string::npos || (at > 0 && block[at - 1] != '\n')) {
            return {};
        }
        const auto from = at + name.size();
        return block.substr(from, block.find_first_of("\r\n", from) - from);
    }

    UnixStream stream_;
};

std::set<std::string> send(const Rack& rack, const std::string& client, int first, int count) {
    std::set<std::string> ids;
    for (int n = first; n < first + count; ++n) {
        ids.insert(rack.submit(
            {{"to", fmt::format("+336001{:05}", n)}, {"text", "result"}, {"client", client}}));
    }
    return ids;
}

void append(std::vector<Result>& all, const std::vector<Result>& more) {
    all.insert(all.end(), more.begin(), more.end());
}

/// Each message of `mine` with the events of its way, each once and in order, and no other message.
/// What a line had in flight when the service was killed has more of them, of its doubt and of its
/// second attempt, or stays in doubt.
void check_each_once(const std::vector<Result>& results, const std::set<std::string>& mine,
                     const std::set<std::string>& delivered, std::size_t in_hand_max = 0) {
    const std::vector<std::string> way{"message.queued", "message.sending", "message.sent",
                                       "message.delivered"};
    std::map<std::string, std::vector<std::string>> told;
    for (const Result& result : results) {
        CHECK(mine.contains(result.message));
        told[result.message].push_back(result.type);
    }
    CHECK(told.size() == mine.size());
    std::size_t in_hand = 0;
    for (const auto& [message, types] : told) {
        CAPTURE(message);
        CHECK(types.front() == "message.queued");
        CHECK(std::ranges::count(types, "message.delivered") <= 1);
        if (types == way) {
            CHECK(delivered.contains(message));
        } else {
            ++in_hand;
        }
    }
    CHECK(in_hand <= in_hand_max);
    CHECK(std::ranges::is_sorted(results, std::ranges::less_equal{}, &Result::id));
}

}  // namespace

TEST_CASE(
    "the results of a client that was away come when it is back, each once, over a kill of the "
    "service, and none of another's") {
    constexpr std::size_t lines = 2;
    Rack rack({.modems = lines});
    std::vector<Result> of_a;
    std::set<std::string> mine;
    std::set<std::string> others;
    {
        FrontEnd a(rack, "a");
        mine.merge(send(rack, "a", 0, 5));
        others.merge(send(rack, "b", 100, 5));
        append(of_a, a.until_delivered(3));  // leaves in the middle
    }
    mine.merge(send(rack, "a", 5, 5));
    others.merge(send(rack, "b", 105, 5));
    rack.kill_service();
    rack.start_service();
    mine.merge(send(rack, "a", 10, 5));
    const auto all_delivered = [&](const std::set<std::string>& ids) {
        std::set<std::string> delivered;
        REQUIRE(wait_for(30s, [&] {
            return std::ranges::all_of(ids, [&](const std::string& id) {
                const std::string state = rack.get("/v1/messages/" + id).at("state");
                if (state == "delivered") {
                    delivered.insert(id);
                }
                return state == "delivered" || state == "uncertain";
            });
        }));
        CHECK(delivered.size() + lines >= ids.size());  // in doubt: what two lines had in flight
        return delivered;
    };
    const auto mine_delivered = all_delivered(mine);
    const auto others_delivered = all_delivered(others);

    CHECK(rack.get("/v1/clients/a").at("link") == "stop");
    const auto delivered = std::ranges::count(of_a, "message.delivered", &Result::type);
    FrontEnd a(rack, "a", of_a.back().id);
    append(of_a, a.until_delivered(mine_delivered.size() - static_cast<std::size_t>(delivered)));
    check_each_once(of_a, mine, mine_delivered, lines);

    FrontEnd b(rack, "b");  // it has never listened: all of them wait for it
    const auto of_b = b.until_delivered(others_delivered.size());
    check_each_once(of_b, others, others_delivered, lines);
    CHECK(rack.get("/v1/clients/b").at("buffered") >= of_b.size());
}

TEST_CASE(
    "what a client acknowledged does not come again; a second connection replaces the first") {
    Rack rack({.modems = 1});
    const auto ids = send(rack, "a", 0, 3);
    std::vector<Result> all;
    {
        FrontEnd a(rack, "a");
        all = a.until_delivered(3);
        check_each_once(all, ids, ids);
    }
    const auto ack = rack.http("POST", "/v1/clients/a/ack",
                               fmt::format(R"({{"id":"{}"}})", all[all.size() - 2].id),
                               "Content-Type: application/json\r\n");
    REQUIRE(ack.status == 200);
    CHECK(ack.json().at("buffered") == 1);
    rack.kill_service();
    rack.start_service();
    FrontEnd older(rack, "a");
    CHECK(older.next().id == all.back().id);
    FrontEnd newer(rack, "a", all.back().id);
    CHECK(older.next().type == "client.ended");
    (void)send(rack, "a", 3, 1);
    CHECK(newer.next().type == "message.queued");
}

TEST_CASE(
    "a client that closes its connection is pending at once, long before the next comment of its "
    "stream") {
    const Rack rack({.modems = 1});
    const auto link = [&] { return rack.get("/v1/clients/a").at("link").get<std::string>(); };
    {
        const FrontEnd a(rack, "a");
        REQUIRE(wait_for(20s, [&] { return link() == "active"; }));
    }
    CHECK(wait_for(5s, [&] { return link() == "pending"; }));
}

TEST_CASE("a blocked client brings nothing, and still gets its results; the command says so") {
    Rack rack({.modems = 1});
    const auto ids = send(rack, "a", 0, 1);
    CHECK(rack.command({"client", "block", "a"})
              .output.contains("its messages are refused from now on"));
    const auto refused =
        rack.http("POST", "/v1/messages", R"({"to":"+33600100001","text":"x","client":"a"})");
    CHECK(refused.status == 403);
    CHECK(refused.body.contains("rule client_blocked"));
    const auto list = rack.command({"clients"});
    CHECK(list.output.contains("blocked"));
    FrontEnd a(rack, "a");
    check_each_once(a.until_delivered(1), ids, ids);
    CHECK(rack.command({"client", "open", "a"}).output.contains("its messages are accepted again"));
    (void)send(rack, "a", 1, 1);
    CHECK(a.next().type == "message.queued");
}

}  // namespace smsrack::test
