#include "tests/programs/support/steady_load.hpp"

#include "tools/rig/sim_log.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sstream>
#include <stdexcept>

namespace smsrack::test {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

// Far below what it takes to send what waits.
constexpr auto look_again = 100ms;

std::string number(std::size_t n) {
    return fmt::format("+3368{:07}", n);
}

}  // namespace

bool SteadyLoad::due() {
    const auto now = steady_clock::now();
    if (now < look_at_) {
        return false;
    }
    look_at_ = now + look_again;
    return true;
}

void SteadyLoad::top_up() {
    if (rack_.states()["queued"] >= static_cast<std::int64_t>(waiting_)) {
        return;
    }
    post(waiting_);
}

void SteadyLoad::post(std::size_t count) {
    std::string body;
    for (std::size_t n = 0; n < count; ++n) {
        const std::size_t serial = posted_.size() + n;
        body += wire::Json{{"to", number(serial)},
                           {"text", fmt::format("steady load {}", serial)},
                           {"report", true}}
                    .dump() +
                "\n";
    }
    const HttpAnswer answer =
        rack_.http("POST", "/v1/messages", body, "Content-Type: application/x-ndjson\r\n");
    std::istringstream lines(answer.body);
    for (std::string line; std::getline(lines, line);) {
        const auto accepted = wire::parse_json(line);
        if (!accepted || !accepted->contains("id")) {
            throw std::runtime_error("POST /v1/messages: " + line);
        }
        posted_.push_back({.id = accepted->at("id"), .to = number(posted_.size())});
    }
}

bool SteadyLoad::finish(std::chrono::milliseconds within) const {
    return wait_for(within, [&] {
        auto states = rack_.states();
        return states["queued"] + states["sending"] + states["uncertain"] == 0;
    });
}

Told SteadyLoad::told() const {
    Told told;
    for (rig::ToldMessage message : posted_) {
        const wire::Json now = rack_.message(message.id);
        message.state = now.at("state");
        message.unknown = now.dump().contains("outcome_unknown");
        if (message.state == "failed") {
            ++(message.unknown ? told.unknown : told.refused)[now.value("modem", "")];
        }
        told.messages.push_back(std::move(message));
    }
    return told;
}

rig::Truth SteadyLoad::check_truth(const Told& told) const {
    const auto log = rig::read_sim_log(rack_.folder() / "submits.jsonl");
    REQUIRE(log);
    std::map<std::string, unsigned> taken;
    for (const rig::SimSubmit& submit : log->submits) {
        ++taken[submit.to];
    }
    rig::Truth truth = rig::compare(told.messages, taken);
    const auto none = [](const std::vector<std::string>& ids) {
        return ids.empty() ? "none" : fmt::format("{}", fmt::join(ids, " "));
    };
    CHECK(none(truth.lost) == "none");
    CHECK(none(truth.twice) == "none");
    CHECK(none(truth.denied) == "none");
    CHECK(told.messages.size() == truth.sent + truth.refused + truth.unknown.size());
    MESSAGE(
        fmt::format("{} messages accepted: {} sent once, {} refused, {} with outcome unknown; "
                    "lost: {}; sent twice: {}",
                    told.messages.size(), truth.sent, truth.refused, truth.unknown.size(),
                    none(truth.lost), none(truth.twice)));
    return truth;
}

}  // namespace smsrack::test
