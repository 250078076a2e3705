#include "tests/programs/support/trigger_feed.hpp"

#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>
#include <fstream>
#include <map>
#include <stdexcept>
#include <thread>

namespace smsrack::test {

using namespace std::chrono_literals;

std::string pair_number(int pair) {
    return fmt::format("+3361{:07}", pair);
}

std::string city_of(const FeedPlan& plan, int pair) {
    return fmt::format("city{}", pair % plan.cities);
}

std::string city_text(std::string_view city) {
    return fmt::format("Welcome to {}, \"dear\" guest", city);
}

void write_cities(const std::filesystem::path& file, const FeedPlan& plan) {
    std::ofstream csv(file);
    csv << "topic,text\n";
    for (int i = 0; i < plan.cities; ++i) {
        const std::string city = city_of(plan, i);
        csv << fmt::format("{0},\"Welcome to {0}, \"\"dear\"\" guest\"\n", city);
    }
    if (!csv.flush()) {
        throw std::runtime_error("the file of cities can't be written");
    }
}

/// The same pieces each time. The first of all events say each pair once, so that `new` is known.
std::string TriggerFeeder::piece(int number) const {
    SeededRandom random(plan_.seed + static_cast<std::uint64_t>(number));
    std::string lines;
    for (int i = 0; i < plan_.events_a_piece; ++i) {
        const int spread = plan_.pairs / pieces() + 1;
        const int own = number * spread + i;
        const bool first = i < spread && own < plan_.pairs;
        const int pair =
            first ? own : static_cast<int>(random.below(static_cast<std::uint64_t>(plan_.pairs)));
        lines += fmt::format("{{\"number\":\"{}\",\"topic\":\"{}\"}}\n", pair_number(pair),
                             city_of(plan_, pair));
    }
    return lines;
}

bool TriggerFeeder::post(const std::string& piece) {
    try {
        const HttpAnswer answer = rack_.http("POST", "/v1/triggers/welcome/events", piece,
                                             "Content-Type: application/x-ndjson\r\n");
        if (answer.status != 200) {
            return false;
        }
        const wire::Json counts = answer.json();
        const auto fresh = counts.at("new").get<std::int64_t>();
        const auto seen = counts.at("seen").get<std::int64_t>();
        fresh_ += fresh;
        seen_ += seen;
        other_ += plan_.events_a_piece - fresh - seen;
        return true;
    } catch (const std::runtime_error&) {
        return false;  // killed before or while it answered: the same piece again
    }
}

void TriggerFeeder::run(const std::atomic<bool>& stop) {
    while (!done() && !stop) {
        const std::string lines = piece(sent_);
        const bool posted = wait_for(1s, [&] { return stop || (sent_ < allowed_ && post(lines)); });
        sent_ += posted && !stop ? 1 : 0;
    }
}

PairAccount audit_pairs(const Rack& rack, const FeedPlan& plan) {
    std::map<std::string, int> taken;
    for (const Submit& submit : rack.submits()) {
        ++taken[submit.to];
    }
    PairAccount account;
    for (const auto& [state, count] : rack.states()) {
        account.messages += count;
    }
    for (int i = 0; i < plan.pairs; ++i) {
        const std::string number = pair_number(i);
        const auto pairs =
            rack.get(fmt::format("/v1/triggers/welcome/trace?number=%2B{}", number.substr(1)))
                .at("pairs");
        account.twice += taken[number] > 1 ? 1 : 0;
        if (pairs.size() != 1 || pairs[0].at("message").is_null()) {
            ++account.missing;
            continue;
        }
        const wire::Json& message = pairs[0].at("message");
        const std::string state = pairs[0].at("state");
        const bool right = message.at("text") == city_text(city_of(plan, i)) &&
                           message.at("to") == number && pairs[0].at("topic") == city_of(plan, i);
        if (right && state == "sent" && taken[number] == 1) {
            ++account.sent;
        } else if (right && state == "doubtful" && taken[number] <= 1) {
            ++account.doubtful;
        } else {
            constexpr int enough_to_see = 3;
            if (++account.wrong <= enough_to_see) {
                MESSAGE(pairs.dump());
            }
        }
    }
    return account;
}

bool all_ended(const Rack& rack) {
    auto states = rack.states();
    return states["scheduled"] + states["queued"] + states["sending"] + states["uncertain"] == 0;
}

void kill_during_feed(Rack& rack, const FeedPlan& plan, int kills) {
    TriggerFeeder feeder(rack, plan);
    SeededRandom random(plan.seed);
    std::atomic<bool> stop = false;
    const std::jthread feeding([&] { feeder.run(stop); });
    struct Stop {  // whatever throws
        std::atomic<bool>& stop;
        ~Stop() { stop = true; }
    } const end{stop};
    for (int kill = 1; kill <= kills; ++kill) {
        feeder.allow(feeder.pieces() * kill / (kills + 1));
        // The one wait that is for time itself: the moment of the kill.
        const std::chrono::milliseconds moment(random.below(1'500));
        (void)wait_for(moment, [] { return false; });
        rack.kill_service();
        rack.launch_service();
        rack.wait_ready();
    }
    feeder.allow(feeder.pieces());
    REQUIRE(wait_for(600s, [&] { return feeder.done(); }));
    CHECK(wait_for(120s, [&] { return all_ended(rack); }));
    const PairAccount account = audit_pairs(rack, plan);
    MESSAGE(fmt::format("{} events, {} kills: {} pairs sent, {} in doubt", plan.events, kills,
                        account.sent, account.doubtful));
    CHECK(feeder.other() == 0);
    CHECK(account.messages == plan.pairs);
    CHECK(account.missing == 0);
    CHECK(account.twice == 0);
    CHECK(account.wrong == 0);
    CHECK(account.sent + account.doubtful == plan.pairs);
    CHECK(account.doubtful <= kills * 8);  // a modem holds at most one at a kill
}

}  // namespace smsrack::test
