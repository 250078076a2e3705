#include "tests/db/store_fixture.hpp"

#include <algorithm>
#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using ports::ClientGateOrder;
using ports::ClientRow;
using test::StoreFixture;

namespace {

NewMessage of(const StoreFixture& f, const std::string& client, std::string ref = {}) {
    NewMessage message = f.message();
    message.client = client;
    message.ref = std::move(ref);
    message.fingerprint = 1;
    return message;
}

Result<ClientRow> arrive(StoreFixture& f, const std::string& name,
                         std::optional<EventSeq> taken = {}, bool clear = false) {
    return f.ask(
        ports::RegisterClient{.name = name, .clear = clear, .taken = taken, .at = f.clock.wall()});
}

Result<ClientRow> acknowledge(StoreFixture& f, const std::string& name, EventSeq taken) {
    return f.ask(ports::AcknowledgeEvents{name, taken, f.clock.wall()});
}

Result<ClientRow> gate(StoreFixture& f, const std::string& name, ClientGateOrder order) {
    return f.ask(ports::GateClient{name, order, f.clock.wall()});
}

Result<ClientRow> forget(StoreFixture& f, const std::string& name) {
    return f.ask(ports::ForgetClient{name, f.clock.wall()});
}

ClientRow row(StoreFixture& f, const std::string& name) {
    auto found = f.look([&](ports::StoreReader& r) { return r.client(name); });
    REQUIRE(found);
    return *found;
}

/// Ids and states of what a client has not taken.
std::vector<std::pair<MessageId, MessageState>> results_of(StoreFixture& f,
                                                           const std::string& name) {
    const ClientRow client = row(f, name);
    const auto events = f.look([&](ports::StoreReader& r) {
        return r.events_of({.client = client.id}, client.cursor, 1'000);
    });
    REQUIRE(events);
    CHECK(std::ranges::is_sorted(*events, {}, &Event::seq));
    CHECK(static_cast<std::int64_t>(events->size()) == client.buffered);
    std::vector<std::pair<MessageId, MessageState>> found;
    for (const Event& event : *events) {
        CHECK(event.client == client.id);
        found.emplace_back(event.message, event.state);
    }
    return found;
}

using Results = std::vector<std::pair<MessageId, MessageState>>;

constexpr MessageState queued = MessageState::queued;
constexpr MessageState sending = MessageState::sending;
constexpr MessageState sent = MessageState::sent;
constexpr MessageState delivered = MessageState::delivered;

std::size_t remove_all(StoreFixture& f, WallTime before) {
    std::size_t sum = 0;
    for (std::size_t removed = 1; removed > 0; sum += removed) {
        removed = f.ask(ports::RemoveOld{before, before, 100}).value();
    }
    return sum;
}

}  // namespace

TEST_CASE("clients: each gets the events of what it brought, in order, and none of another's") {
    StoreFixture f;
    const MessageId a = f.sent(1, of(f, "a"));
    const MessageId b = f.sent(2, of(f, "b"));
    const MessageId nobody = f.sent(3);
    f.keep(f.report(1));
    CHECK(results_of(f, "a") == Results{{a, queued}, {a, sending}, {a, sent}, {a, delivered}});
    CHECK(results_of(f, "b") == Results{{b, queued}, {b, sending}, {b, sent}});
    CHECK(f.detail(a).message.client == "a");
    CHECK(f.detail(nobody).message.client.empty());
    const auto of_a = f.look([](ports::StoreReader& r) { return r.messages({.client = "a"}); });
    REQUIRE(of_a->size() == 1);
    CHECK((*of_a)[0].id == a);

    SUBCASE("also by another process") {
        f.reopen();
        CHECK(results_of(f, "a").size() == 4);
        CHECK(results_of(f, "b").size() == 3);
    }
}

TEST_CASE("clients: the same events are reported live, with who brought the message") {
    StoreFixture f;
    const MessageId id = f.sent(1, of(f, "a"));
    const ClientId client = row(f, "a").id;
    std::size_t told = 0;
    for (const Event& event : f.heard.events) {
        told += event.message == id ? 1 : 0;
        CHECK((event.message != id || event.client == client));
    }
    CHECK(told == 3);
}

TEST_CASE("clients: an acknowledgement moves the cursor for good, never back") {
    StoreFixture f;
    const MessageId first = f.sent(1, of(f, "a"));
    const MessageId second = f.sent(2, of(f, "a"));
    const auto events = f.look(
        [&](ports::StoreReader& r) { return r.events_of({.client = row(f, "a").id}, {}, 100); });
    REQUIRE(events->size() == 6);
    const EventSeq third = (*events)[2].seq;
    const auto taken = acknowledge(f, "a", third);
    REQUIRE(taken);
    CHECK(taken->cursor == third);
    CHECK(taken->buffered == 3);
    CHECK(acknowledge(f, "a", EventSeq{1})->cursor == third);
    f.reopen();
    CHECK(results_of(f, "a") == Results{{second, queued}, {second, sending}, {second, sent}});
    CHECK(f.state(first) == sent);

    SUBCASE("by the last id at its return, as well") {
        const auto back = arrive(f, "a", (*events)[4].seq);
        REQUIRE(back);
        CHECK(back->buffered == 1);
        CHECK(results_of(f, "a") == Results{{second, sent}});
    }
    SUBCASE("of a number that no event has, nothing") {
        CHECK(acknowledge(f, "a", EventSeq{1'000'000}).error().code == Errc::bad_request);
        CHECK(arrive(f, "a", EventSeq{1'000'000})->cursor == third);
        CHECK(results_of(f, "a").size() == 3);
    }
    SUBCASE("what comes later is behind it") {
        REQUIRE(acknowledge(f, "a", events->back().seq)->buffered == 0);
        const MessageId later = f.accepted(of(f, "a"));
        CHECK(results_of(f, "a") == Results{{later, queued}});
    }
}

TEST_CASE("clients: who comes for the first time gets what happens from then on") {
    StoreFixture f;
    f.sent(1);
    REQUIRE(arrive(f, "a"));
    CHECK(results_of(f, "a").empty());
    const MessageId id = f.accepted(of(f, "a"));
    CHECK(results_of(f, "a") == Results{{id, queued}});
}

TEST_CASE("clients: one that says clear gets nothing of what it brought before") {
    StoreFixture f;
    const MessageId old = f.accepted(of(f, "a", "ref"));
    REQUIRE(gate(f, "a", ClientGateOrder::block));
    REQUIRE(arrive(f, "a", {}, true));
    CHECK(row(f, "a").blocked_at.has_value());  // what a person said is of the name
    REQUIRE(gate(f, "a", ClientGateOrder::open));
    CHECK(results_of(f, "a").empty());
    const auto attempt = f.begin(old);
    REQUIRE(attempt);
    REQUIRE(f.end(f.taken(old, *attempt, 0, 1)));
    CHECK(results_of(f, "a").empty());
    CHECK(row(f, "a").waiting == 0);
    CHECK(f.detail(old).message.client == "a");
    // But its refs are known: a message is not sent twice because its sender was made again.
    const auto again = f.accept(of(f, "a", "ref"));
    REQUIRE(again);
    CHECK(again->repeated);
    CHECK(again->id == old);
    const MessageId anew = f.accepted(of(f, "a"));
    CHECK(results_of(f, "a") == Results{{anew, queued}});
}

TEST_CASE("clients: a ref is its client's own; one without a client is shared") {
    StoreFixture f;
    const MessageId a = f.accepted(of(f, "a", "1"));
    const MessageId b = f.accepted(of(f, "b", "1"));
    CHECK(a != b);
    CHECK(f.accept(of(f, "a", "1"))->id == a);
    CHECK(f.accept(of(f, "b", "1"))->id == b);
    const MessageId nobody = f.accepted(of(f, "", "2"));
    const auto named = f.accept(of(f, "a", "2"));
    REQUIRE(named);
    CHECK(named->id == nobody);
    CHECK(named->repeated);
}

TEST_CASE("clients: who did not name itself has its name from when it is known") {
    StoreFixture f;
    NewMessage unnamed = of(f, "a");
    unnamed.client_if_known = true;
    const MessageId before = f.accepted(unnamed);
    CHECK(f.detail(before).message.client.empty());
    CHECK(f.look([](ports::StoreReader& r) { return r.clients("", 10); })->empty());
    REQUIRE(arrive(f, "a"));
    unnamed.body.text = "later";
    const MessageId after = f.accepted(unnamed);
    CHECK(f.detail(after).message.client == "a");
    CHECK(results_of(f, "a") == Results{{after, queued}});
}

TEST_CASE("clients: a blocked one brings nothing, and its results are kept") {
    StoreFixture f;
    const MessageId id = f.accepted(of(f, "a"));
    REQUIRE(gate(f, "a", ClientGateOrder::block));
    CHECK(gate(f, "a", ClientGateOrder::block).error().code == Errc::conflict);
    const auto refused = f.accept(of(f, "a"));
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Errc::forbidden);
    CHECK(refused.error().context.contains("rule client_blocked"));
    f.reopen();
    CHECK_FALSE(f.accept(of(f, "a")));
    CHECK(f.accept(of(f, "b")));
    const auto attempt = f.begin(id);
    REQUIRE(attempt);
    REQUIRE(f.end(f.taken(id, *attempt, 0, 1)));
    CHECK(results_of(f, "a") == Results{{id, queued}, {id, sending}, {id, sent}});
    REQUIRE(gate(f, "a", ClientGateOrder::open));
    CHECK(f.accept(of(f, "a")));
    CHECK(gate(f, "nobody", ClientGateOrder::open).error().code == Errc::not_found);
    REQUIRE(gate(f, "not_yet", ClientGateOrder::block));
    CHECK_FALSE(f.accept(of(f, "not_yet")));
}

TEST_CASE("clients: limits of what is open refuse with the rule, and let in again") {
    StoreFixture f;
    NewMessage message = of(f, "a");
    SUBCASE("results not acknowledged") {
        message.client_limits.buffered_max = 3;
        f.sent(1, message);
        const auto refused = f.accept(message);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == Errc::queue_full);
        CHECK(refused.error().context.contains("rule client_buffered_max"));
        CHECK(refused.error().retry_after.has_value());
        REQUIRE(acknowledge(f, "a", f.heard.events.back().seq));
        CHECK(f.accept(message));
    }
    SUBCASE("messages that wait") {
        message.client_limits.waiting_max = 1;
        const MessageId id = f.accepted(message);
        CHECK(row(f, "a").waiting == 1);
        const auto refused = f.accept(message);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().context.contains("rule client_waiting_max"));
        REQUIRE(f.finish(id, MessageEvent::cancel));
        CHECK(row(f, "a").waiting == 0);
        CHECK(f.accept(message));
    }
    SUBCASE("within one transaction too") {
        message.client_limits.waiting_max = 2;
        f.accepted(of(f, "a"));
        int taken = 0;
        for (int i = 0; i < 5; ++i) {
            f.store->post(ports::Accept{message},
                          [&](const auto& result) { taken += result ? 1 : 0; });
        }
        f.run();
        CHECK(taken == 1);
    }
}

TEST_CASE("clients: results that are removed for their age are counted, and said once") {
    StoreFixture f;
    f.sent(1, of(f, "a"));
    const EventSeq seen = f.heard.events.back().seq;
    f.sent(2, of(f, "a"));
    f.sent(3, of(f, "a"));
    REQUIRE(acknowledge(f, "a", seen));
    f.clock.advance(1h);
    REQUIRE(remove_all(f, f.clock.wall()) > 0);
    CHECK(row(f, "a").buffered == 0);
    CHECK(row(f, "a").lost == 6);
    CHECK(results_of(f, "a").empty());
    CHECK(std::ranges::count(f.heard.events, "losing_results a", &Event::detail) == 1);
}

TEST_CASE("clients: a name without users goes with its last message; a void row likewise") {
    StoreFixture f;
    f.sent(1, of(f, "a"));
    REQUIRE(arrive(f, "a", {}, true));
    REQUIRE(arrive(f, "b"));
    REQUIRE(gate(f, "c", ClientGateOrder::block));
    f.clock.advance(1h);
    REQUIRE(arrive(f, "d"));
    remove_all(f, f.clock.wall());
    remove_all(f, f.clock.wall());
    const auto left = f.look([](ports::StoreReader& r) { return r.clients({}, 10); });
    REQUIRE(left);
    std::vector<std::string> names;
    std::ranges::transform(*left, std::back_inserter(names), &ClientRow::name);
    CHECK(names == std::vector<std::string>{"c", "d"});
}

TEST_CASE("clients: a forgotten one is a new one when it comes again") {
    StoreFixture f;
    f.sent(1, of(f, "a"));
    REQUIRE(forget(f, "a"));
    CHECK(forget(f, "a").error().code == Errc::not_found);
    CHECK_FALSE(f.look([](ports::StoreReader& r) { return r.client("a"); }));
    REQUIRE(arrive(f, "a"));
    CHECK(results_of(f, "a").empty());
}

TEST_CASE("clients: there is a bound to names") {
    StoreFixture f;
    for (std::size_t i = 0; i < ports::clients_max; ++i) {
        f.store->post(ports::RegisterClient{.name = "c" + std::to_string(i), .at = f.clock.wall()},
                      [](auto) {});
    }
    f.run();
    CHECK(arrive(f, "c0"));
    const auto refused = arrive(f, "one_more");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().context.contains("rule clients_max"));
    CHECK_FALSE(f.accept(of(f, "one_more")));
    CHECK(f.accept(of(f, "c1")));
}

TEST_CASE("clients: a sticky message learns which SIM its recipient knows, over a restart") {
    StoreFixture f;
    NewMessage message = f.message();
    message.sticky = true;
    message.group = "default";
    f.accepted(message);
    const auto load = [&] {
        const auto group = f.store->group_id("default").value();
        auto queued = f.look([&](ports::StoreReader& r) { return r.queued(group, 3, {}, 10); });
        REQUIRE(queued);
        REQUIRE_FALSE(queued->empty());
        return queued->back();
    };
    CHECK(load().sticky);
    CHECK(load().known_sim == SimId{});
    f.sim = SimId{7};
    f.sent(1, message);
    CHECK(load().known_sim == SimId{7});
    f.reopen();
    CHECK(load().known_sim == SimId{7});
    f.sim = SimId{8};
    f.sent(2);  // of no sticky route: no SIM is noted
    CHECK(load().known_sim == SimId{7});
    f.sent(3, message);
    CHECK(load().known_sim == SimId{8});
}
