#include "firmware-host/open_store.hpp"

#include "tests/rack/support/host_run.hpp"
#include "tests/support/temp_dir.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <future>

using namespace smsrack;
using namespace std::chrono_literals;
using test::HostRun;

namespace {

NewMessage plain_message(const HostRun& host) {
    NewMessage m;
    m.body.to = "+33612345678";
    m.body.text = "hello";
    m.created_at = host.run.clock.wall();
    m.expires_at = m.created_at + 24h;
    return m;
}

constexpr int accepted_at_once = 500;

/// Posts them at once; `kept` counts those that were answered.
void accept_all(host::OpenStore& store, const HostRun& host, std::atomic<int>& kept) {
    for (int i = 0; i < accepted_at_once; ++i) {
        store->post(ports::Accept{plain_message(host)},
                    [&](const Result<ports::Accepted>& answer) { kept += answer ? 1 : 0; });
    }
}

/// Waits for the writing thread of the store.
template <typename Command>
auto answer_to(host::OpenStore& store, Command command) {
    std::promise<typename Command::Answer> promise;
    store->post(std::move(command), [&](Result<typename Command::Answer> answer) {
        promise.set_value(std::move(answer).value());
    });
    return promise.get_future().get();
}

std::int64_t count_in_state(const host::OpenStore& store, MessageState state) {
    return store->counts().at(static_cast<std::size_t>(state));
}

/// A message on a line, as another process left it.
host::LineHandOver line_with(const HostRun& host, AttemptId attempt) {
    const config::ModemSettings& modem = host.run.settings.modems.at(0);
    return {.name = modem.name,
            .path = modem.port,
            .baud = static_cast<std::uint32_t>(modem.line.baud),
            .line = {.in_hand = line::SegmentCarried{.attempt = attempt}}};
}

}  // namespace

TEST_CASE("OpenStore: close() writes what waits, and the next run begins behind it") {
    const test::TempDir dir(test::TempDir::memory());
    std::atomic<int> kept = 0;
    {
        HostRun host(dir.path());
        host::OpenStore store(host.run);
        host::HandOver nothing;
        REQUIRE(store.open(nothing, false, host.address));
        accept_all(store, host, kept);
        store.close();
        CHECK(kept == accepted_at_once);
    }
    HostRun host(dir.path());
    host::OpenStore store(host.run);
    host::HandOver nothing;
    REQUIRE(store.open(nothing, false, host.address));
    CHECK(count_in_state(store, MessageState::queued) == accepted_at_once);
    struct Deaf final : notify::EventSubscriber {
        void events_wait() override {}
    } deaf;
    CHECK(host.address.events.subscribe(deaf).value >= accepted_at_once);
    host.address.events.unsubscribe(deaf);
    store.close();
}

TEST_CASE(
    "OpenStore: the run that leaves writes what waits; the next one gets the store, no other") {
    const test::TempDir dir(test::TempDir::memory());
    HostRun host(dir.path());
    host::OpenStore store(host.run);
    host::HandOver left;
    REQUIRE(store.open(left, false, host.address));

    HostRun other(dir.path());
    host::OpenStore refused(other.run);
    const auto opened = refused.open(left, false, other.address);
    REQUIRE_FALSE(opened);
    CHECK(opened.error().code == Errc::busy);

    std::atomic<int> kept = 0;
    accept_all(store, host, kept);
    store.leave();
    CHECK(kept == accepted_at_once);
    left.lock = serial::OwnedFd(store->duplicate_lock());
    left.store_closed = true;
    HostRun next(dir.path());
    host::OpenStore adopted(next.run);
    CHECK(adopted.open(left, false, next.address));
    CHECK(left.lock.get() == -1);
    CHECK(count_in_state(adopted, MessageState::queued) == accepted_at_once);
    adopted.close();
    store.close();
}

TEST_CASE("OpenStore: an attempt stays open if its line was handed over, and is in doubt if not") {
    for (const bool goes_on : {true, false}) {
        CAPTURE(goes_on);
        const test::TempDir dir(test::TempDir::memory());
        host::HandOver left;
        {
            HostRun host(dir.path());
            host::OpenStore store(host.run);
            REQUIRE(store.open(left, false, host.address));
            const MessageId id = answer_to(store, ports::Accept{plain_message(host)}).id;
            left.lines.push_back(line_with(
                host, answer_to(store, ports::BeginAttempt{.message = id,
                                                           .modem = "m0",
                                                           .sim = SimId{1},
                                                           .at = host.run.clock.wall()})));
            store.close();
        }
        left.lines.at(0).baud += goes_on ? 0 : 1;  // not the line of this configuration
        HostRun host(dir.path());
        host::OpenStore store(host.run);
        REQUIRE(store.open(left, false, host.address));
        CHECK(count_in_state(store, MessageState::sending) == (goes_on ? 1 : 0));
        CHECK(count_in_state(store, MessageState::uncertain) == (goes_on ? 0 : 1));
        store.close();
    }
}
