/// Webhooks on a real store, with a gate and a receiver that are the test's, all killed when it says so.
#pragma once

#include "src/api/webhooks/delivery_body.hpp"
#include "src/webhook/webhooks.hpp"
#include "tests/db/store_fixture.hpp"
#include "tests/support/manual_executor.hpp"
#include "tests/support/seeded_random.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::test {

/// The program that is called: what it answers, and what it has seen.
struct Receiver {
    struct Call {
        EventSeq event = {};
        std::uint32_t attempt = 0;
        int status = 0;
        WallTime at = {};
    };
    std::function<int(const ports::Delivery&)> answer = [](const ports::Delivery&) { return 204; };
    std::vector<Call> calls = {};
    std::map<EventSeq, std::string> bodies = {};
    std::set<EventSeq> delivered = {};
    bool same_octets = true;
    bool in_order = true;  // each event after those before it of the same message have ended

    int call(const ports::Delivery& one, WallTime now) {
        const int status = answer(one);
        calls.push_back({one.what.event, one.attempts + 1, status, now});
        const auto [body, is_new] = bodies.emplace(one.what.event, one.what.body);
        same_octets = same_octets && body->second == one.what.body;
        for (const auto& [event, thing] : things) {
            if (thing != one.what.thing || thing == ports::ThingId{}) {
                continue;
            }
            // One before it has not ended; or one behind it came first, and it is no replay.
            in_order = in_order &&
                       (event < one.what.event ? ended.contains(event) || delivered.contains(event)
                                               : event == one.what.event || !is_new);
        }
        things.emplace(one.what.event, one.what.thing);
        if (status >= 200 && status < 300) {
            delivered.insert(one.what.event);
        }
        return status;
    }
    std::map<EventSeq, ports::ThingId> things = {};  // of each event that was called
    std::set<EventSeq> ended = {};                   // dead: no longer waited for
    [[nodiscard]] std::size_t count(EventSeq event) const {
        return static_cast<std::size_t>(std::ranges::count(calls, event, &Call::event));
    }
};

class WebhookRig : public StoreFixture {
public:
    explicit WebhookRig(config::WebhookSettings settings = usual()) : hook_(std::move(settings)) {
        start();
    }
    ~WebhookRig() {
        stop();
        store.reset();  // it writes what waits, and says so to the loop
    }
    WebhookRig(const WebhookRig&) = delete;
    WebhookRig& operator=(const WebhookRig&) = delete;

    static config::WebhookSettings usual() {
        return {.name = "crm", .url = "https://crm.example/", .events = {"message.*"}};
    }

    void start() {
        loop = std::make_unique<ManualExecutor>();
        stream = std::make_unique<notify::EventStream>(*loop);
        stream->starts_after(store->opened_at());
        told_ = heard.events.size();
        board = std::make_unique<webhook::WebhookBoard>();
        hooks = std::make_unique<webhook::Webhooks>(
            std::vector{hook_},
            webhook::WebhookWorld{
                .store = *store,
                .log = static_cast<ports::Store&>(*store),
                .stream = *stream,
                .loop = *loop,
                .clock = clock,
                .random = random,
                .build =
                    [](ports::StoreReader& reader, const Event& event, bool text) {
                        return api::delivery_of(reader, event, text, error_table);
                    },
                .by = [this](SteadyTime at) { wanted_ = std::min(wanted_, at); }},
            *stream, *board);
        hooks->start();
    }
    void stop() {
        hooks.reset();
        stream.reset();
    }
    /// With other settings.
    void reload(config::WebhookSettings settings) {
        settle();
        hooks->drain();
        settle();
        stop();
        hook_ = std::move(settings);
        reopen();
        start();
        forget_calls();
    }
    /// As kill -9: what was not committed is lost.
    void kill() { kill(hook_); }
    /// Likewise, and the next process has other settings.
    void kill(config::WebhookSettings settings) {
        hook_ = std::move(settings);
        const std::filesystem::path file = folder.file("smsrack.db");
        const std::filesystem::path copy = folder.file("copy.db");
        namespace fs = std::filesystem;
        const auto take = [](const fs::path& from, const fs::path& to) {
            for (const char* const end : {"", "-wal"}) {
                std::error_code ignored;
                fs::remove(to.string() + end, ignored);
                fs::copy_file(from.string() + end, to.string() + end, ignored);
            }
        };
        take(file, copy);
        stop();
        store.reset();
        fs::remove(file.string() + "-shm");
        take(copy, file);
        open();
        start();
        forget_calls();
        steps_left = -1;
    }

    /// Runs everything that is due now. False: the steps of the writer have run out.
    bool settle() {
        for (;;) {
            tell();
            if (loop->run_all() > 0) {
                continue;
            }
            if (wanted_ <= clock.steady()) {
                wanted_ = never;
                wanted_ = std::min(wanted_, hooks->step(clock.steady()));
                continue;
            }
            if (steps_left == 0) {
                return false;
            }
            const std::uint64_t before = woken();
            const SteadyTime next = store->writer().step(clock.steady());
            tell();
            if (next == never && loop->run_all() == 0 && woken() == before) {
                return true;
            }
            steps_left -= steps_left > 0 ? 1 : 0;
        }
    }
    /// Time passes, with all that falls due in it.
    bool pass(std::chrono::milliseconds time) {
        const SteadyTime until = clock.steady() + time;
        for (;;) {
            if (!settle()) {
                return false;
            }
            if (wanted_ > until) {
                clock.advance_to(until);
                return settle();
            }
            clock.advance_to(std::max(clock.steady(), wanted_));
        }
    }

    // -- the gate
    void take(std::size_t room = 100) {
        if (taking_) {
            return;
        }
        taking_ = true;
        webhook::Take take{.gate = gate, .room = room, .unusable = unusable};
        for (const auto& [event, one] : holding) {
            take.holding.push_back(event);
        }
        take.done = [this, life = life_](webhook::TakeAnswer answer) {
            if (life == life_) {
                taking_ = false;
                answered = answer.state;
                for (ports::Delivery& one : answer.deliveries) {
                    doubled = doubled || holding.contains(one.what.event);
                    holding.insert_or_assign(one.what.event, Held{.delivery = std::move(one)});
                }
                for (webhook::Test& test : answer.tests) {
                    tests.push_back(std::move(test));
                }
            }
        };
        take.gone = [] { return false; };
        most_held = std::max(most_held, holding.size());
        hooks->find(hook_.name)->take(std::move(take));
    }
    /// Calls the receiver with all that the gate has and has not sent.
    void send() {
        most_held = std::max(most_held, holding.size());
        for (auto& [event, one] : holding) {
            if (!one.result) {
                const int status = receiver.call(one.delivery, clock.wall());
                one.result =
                    webhook::AttemptResult{.event = event,
                                           .attempt = {.attempt = one.delivery.attempts + 1,
                                                       .at = clock.wall(),
                                                       .took = std::chrono::milliseconds(3),
                                                       .status = status,
                                                       .error = status == 0 ? "no answer" : ""},
                                           .retry_after = retry_after};
            }
        }
    }
    /// Says what came of it; again, until it was heard.
    void report() {
        std::vector<webhook::AttemptResult> results;
        for (const auto& [event, one] : holding) {
            if (one.result) {
                results.push_back(*one.result);
            }
        }
        if (results.empty()) {
            return;
        }
        hooks->find(hook_.name)
            ->results(results, [this, results, life = life_](const Result<>& kept) {
                for (const webhook::AttemptResult& result : results) {
                    if (kept && life == life_) {
                        holding.erase(result.event);
                    }
                }
            });
    }
    void kill_gate() {
        forget_calls();
        holding.clear();
        gate = "gate" + std::to_string(++gates_);
    }
    /// Some rounds of all three.
    bool work(int rounds = 1) {
        for (int i = 0; i < rounds; ++i) {
            take();
            if (!settle()) {
                return false;
            }
            send();
            report();
            if (!settle()) {
                return false;
            }
        }
        return true;
    }

    // -- what it is fed with
    /// A message that is sent; gives the numbers of its events.
    MessageId send_message() {
        const MessageId id = accepted();
        const auto attempt = begin(id);
        REQUIRE(attempt);
        REQUIRE(end(taken(id, *attempt, 0, 1)));
        return id;
    }
    std::set<EventSeq> events_of_messages() {
        std::set<EventSeq> found;
        const auto events = look([](ports::StoreReader& r) { return r.events({}, 10'000); });
        REQUIRE(events);
        for (const Event& event : *events) {
            if (event.type == EventType::message_state) {
                found.insert(event.seq);
            }
        }
        return found;
    }
    std::vector<ports::DeliveryRow> rows() {
        ports::DeliveryFilter filter{.webhook = *hooks->find(hook_.name)->id(), .limit = 1000};
        auto found = look<ports::WebhookReader>(
            [&](ports::WebhookReader& r) { return r.deliveries(filter); });
        REQUIRE(found);
        return *std::move(found);
    }
    webhook::Webhook& hook() { return *hooks->find(hook_.name); }

    struct Held {
        ports::Delivery delivery = {};
        std::optional<webhook::AttemptResult> result = {};
    };
    SeededRandom random{7};
    std::unique_ptr<ManualExecutor> loop;
    std::unique_ptr<notify::EventStream> stream;
    std::unique_ptr<webhook::WebhookBoard> board;
    std::unique_ptr<webhook::Webhooks> hooks;
    Receiver receiver;
    std::string gate = "gate0";
    std::string unusable;  // why the gate can't send
    std::map<EventSeq, Held> holding;
    std::vector<webhook::Test> tests;
    std::optional<ports::WebhookState> answered;
    std::optional<std::chrono::seconds> retry_after;
    std::size_t most_held = 0;
    bool doubled = false;  // an event was given that the gate had
    int steps_left = -1;   // of the writer; below 0: any number

private:
    void tell() {
        const std::span<const Event> all = heard.events;
        if (told_ < all.size()) {
            stream->committed(all.subspan(told_));
            told_ = all.size();
        }
    }
    [[nodiscard]] std::uint64_t woken() const { return static_cast<std::uint64_t>(waiter.woken); }
    /// The service, or the gate, is another: what was asked is not answered.
    void forget_calls() {
        ++life_;
        taking_ = false;
    }

    config::WebhookSettings hook_;
    std::size_t told_ = 0;
    SteadyTime wanted_ = never;
    bool taking_ = false;
    int life_ = 0;
    int gates_ = 0;
};

}  // namespace smsrack::test
