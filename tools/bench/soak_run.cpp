#include "tools/bench/soak_run.hpp"

#include "tools/client/http_client.hpp"
#include "tools/modem_model/faults/fault.hpp"
#include "tools/rig/message_form.hpp"

#include <array>
#include <chrono>
#include <fmt/format.h>
#include <utility>

namespace smsrack::bench {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr std::size_t waiting_max = 200;  // messages accepted and not yet at the network
constexpr auto turn = 100ms;
constexpr int posts_a_turn = 20;
constexpr auto inbound_apart = 300ms;
constexpr auto life_min = 8s;  // of a service, before it is killed
constexpr auto life_more = 12s;
constexpr auto end_within = 240s;  // the longest submit, its doubt, and a start

// What chance leaves out in a short run comes all the same, each once, spread over the run.
constexpr std::array always = {
    modem_sim::FaultKind::hang,         modem_sim::FaultKind::reboot,
    modem_sim::FaultKind::unplug,       modem_sim::FaultKind::lose_answer,
    modem_sim::FaultKind::garbage,      modem_sim::FaultKind::network_lost,
    modem_sim::FaultKind::storage_full, modem_sim::FaultKind::sim_removed,
};
constexpr auto always_lasts = 8s;

}  // namespace

SoakRun::SoakRun(const Context& context, rig::Rack& rack)
    : context_(context), rack_(rack), random_(context.options.seed.value_or(1)) {}

Result<> SoakRun::run(SteadyTime until) {
    plan_always(until);
    kill_at_ = steady_clock::now() + life_min;
    while (steady_clock::now() < until) {
        if (context_.interrupt.rest(turn)) {
            return rig::called_off();
        }
        if (steady_clock::now() >= kill_at_) {
            if (auto again = kill(); !again) {
                return again;
            }
        }
        if (auto done = do_orders(); !done) {
            return done;
        }
        if (auto came = receive_one(); !came) {
            return came;
        }
        post_some();
    }
    return {};
}

Result<> SoakRun::settle() {
    if (auto calm = rack_.simulate({{"do", "calm"}}); !calm) {
        return std::unexpected(calm.error());
    }
    // What no +CMTI announced is looked for at a start, else within minutes.
    if (auto again = kill(); !again) {
        return again;
    }
    const SteadyTime deadline = steady_clock::now() + end_within;
    const auto all_there = [&] {
        const auto texts = inbox();
        return texts && texts->size() >= inbound_;
    };
    while ((under_way() > 0 || !all_there()) && steady_clock::now() < deadline) {
        if (context_.interrupt.rest(1s)) {
            return rig::called_off();
        }
    }
    return {};
}

Result<> SoakRun::kill() {
    if (auto again = rack_.kill_and_restart(); !again) {
        return again;
    }
    ++kills_;
    kill_at_ =
        steady_clock::now() + life_min +
        std::chrono::milliseconds(random_.below(std::chrono::milliseconds(life_more).count()));
    return {};
}

void SoakRun::plan_always(SteadyTime until) {
    const SteadyTime now = steady_clock::now();
    const auto apart = (until - now) / (always.size() + 1);
    for (std::size_t i = 0; i < always.size(); ++i) {
        const modem_sim::FaultRow& row = modem_sim::fault_row(always.at(i));
        const auto modem = random_.below(soak_modems);
        const SteadyTime at = now + apart * (i + 1);
        orders_.emplace(at, wire::Json{{"do", row.name}, {"modem", modem}});
        if (row.ended_by) {
            orders_.emplace(
                at + always_lasts,
                wire::Json{{"do", modem_sim::fault_row(*row.ended_by).name}, {"modem", modem}});
        }
    }
}

/// Those that are due.
Result<> SoakRun::do_orders() {
    while (!orders_.empty() && orders_.begin()->first <= steady_clock::now()) {
        if (auto done = rack_.simulate(orders_.begin()->second); !done) {
            return std::unexpected(done.error());
        }
        orders_.erase(orders_.begin());
    }
    return {};
}

/// A message to some modem, when it is time. smsrack-sim numbers them from 1.
Result<> SoakRun::receive_one() {
    const SteadyTime now = steady_clock::now();
    if (now < receive_at_) {
        return {};
    }
    receive_at_ = now + inbound_apart;
    if (auto came = rack_.simulate(
            {{"do", "inbound"}, {"modem", random_.below(soak_modems)}, {"text", "inbound {id}"}});
        !came) {
        return std::unexpected(came.error());
    }
    ++inbound_;
    return {};
}

/// What is refused or not answered is posted again, with the same ref.
void SoakRun::post_some() {
    if (under_way() >= waiting_max) {
        return;
    }
    client::HttpClient client(rack_.socket().string(), {.idle_timeout = 5s});
    for (int i = 0; i < posts_a_turn; ++i) {
        const std::string to = rig::MessageForm::recipient(messages_.size());
        const wire::Json body{{"to", to},
                              {"text", "soak"},
                              {"ref", "soak " + to},
                              {"report", messages_.size() % 2 == 0}};
        const auto reply = client.call({.method = "POST",
                                        .target = "/v1/messages",
                                        .headers = {{"Content-Type", "application/json"}},
                                        .body = body.dump()});
        const auto answer =
            reply && reply->ok() ? wire::parse_json(reply->body) : fail(Errc::closed, "");
        if (!answer) {
            return;
        }
        messages_.push_back({.id = answer->value("id", ""), .to = to});
    }
}

/// Messages that have not ended; many, where the service does not say.
std::size_t SoakRun::under_way() const {
    const auto status = rack_.get("/v1/status");
    if (!status) {
        return waiting_max;
    }
    std::size_t count = 0;
    for (const char* state : {"queued", "sending", "uncertain"}) {
        count += status->at("messages").value(state, std::size_t{0});
    }
    return count;
}

Result<std::vector<rig::ToldMessage>> SoakRun::told() const {
    std::vector<rig::ToldMessage> told;
    for (const Message& message : messages_) {
        const auto now = rack_.get("/v1/messages/" + message.id);
        if (!now) {
            return std::unexpected(now.error());
        }
        told.push_back({.id = message.id,
                        .to = message.to,
                        .state = now->value("state", ""),
                        .unknown = now->dump().contains("outcome_unknown")});
    }
    return told;
}

/// The texts of all messages that could be read.
Result<std::vector<std::string>> SoakRun::inbox() const {
    constexpr const char* page_of = "/v1/inbox?limit=1000";
    std::vector<std::string> texts;
    for (std::string target = page_of; !target.empty();) {
        const auto page = rack_.get(target);
        if (!page) {
            return std::unexpected(page.error());
        }
        for (const wire::Json& row : page->at("messages")) {
            if (row.at("text").is_string()) {
                texts.push_back(row.at("text"));
            }
        }
        const wire::Json& next = page->at("next");
        target =
            next.is_null() ? "" : fmt::format("{}&cursor={}", page_of, next.get<std::string>());
    }
    return texts;
}

Result<rig::ReceivedTruth> SoakRun::received() const {
    const auto texts = inbox();
    if (!texts) {
        return std::unexpected(texts.error());
    }
    std::vector<std::string> came;
    for (std::size_t id = 1; id <= inbound_; ++id) {
        came.push_back(fmt::format("inbound {}", id));
    }
    return rig::compare_received(came, *texts);
}

}  // namespace smsrack::bench
