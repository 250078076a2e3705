// Does a rack that goes wrong all the time, under a service that is killed again and again, lose or
// double a message? Faults by chance on 32 modems; then everything is mended, and the network's log
// is held against the store.
#include "tools/bench/questions.hpp"
#include "tools/client/http_client.hpp"
#include "tools/rig/message_form.hpp"
#include "tools/rig/rack.hpp"
#include "tools/rig/sim_log.hpp"
#include "tools/rig/truth.hpp"
#include "tools/sim_model/fault.hpp"
#include "tools/sim_model/split_mix.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::bench {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr unsigned modems = 32;
constexpr unsigned faults_an_hour = 180;  // of each modem: one every 20 s
constexpr std::size_t waiting_max = 200;  // messages accepted and not yet at the network
constexpr auto turn = 100ms;
constexpr int posts_a_turn = 20;
constexpr auto life_min = 8s;  // of a service, before it is killed
constexpr auto life_more = 12s;
constexpr auto end_within = 240s;  // the longest submit, its doubt, and a start

// What chance leaves out in a short run comes all the same, each once, spread over the run.
constexpr std::array always = {
    sim::FaultKind::hang,         sim::FaultKind::reboot,      sim::FaultKind::unplug,
    sim::FaultKind::lose_answer,  sim::FaultKind::garbage,     sim::FaultKind::network_lost,
    sim::FaultKind::storage_full, sim::FaultKind::sim_removed,
};
constexpr auto always_lasts = 8s;

struct Message {
    std::string id;
    std::string to;
};

class Soak {
public:
    Soak(const Context& context, rig::Rack& rack)
        : context_(context), rack_(rack), random_(context.options.seed.value_or(1)) {}

    /// Load, faults and kills until `until`.
    Result<> run(SteadyTime until) {
        plan_always(until);
        SteadyTime kill_at = next_kill();
        while (steady_clock::now() < until) {
            if (context_.interrupt.rest(turn)) {
                return rig::called_off();
            }
            if (auto done = do_orders(); !done) {
                return done;
            }
            if (steady_clock::now() >= kill_at) {
                if (auto again = rack_.kill_and_restart(); !again) {
                    return again;
                }
                ++kills_;
                kill_at = next_kill();
            }
            post_some();
        }
        return {};
    }

    /// Mends everything and waits until each message has ended; what has not is found in told().
    Result<> settle() {
        if (auto calm = rack_.simulate({{"do", "calm"}}); !calm) {
            return std::unexpected(calm.error());
        }
        const SteadyTime deadline = steady_clock::now() + end_within;
        while (under_way() > 0 && steady_clock::now() < deadline) {
            if (context_.interrupt.rest(1s)) {
                return rig::called_off();
            }
        }
        return {};
    }

    [[nodiscard]] Result<std::vector<rig::ToldMessage>> told() const {
        std::vector<rig::ToldMessage> told;
        for (const Message& message : messages_) {
            const auto now = rack_.get("/v1/messages/" + message.id);
            if (!now) {
                return std::unexpected(now.error());
            }
            const std::string state = now->value("state", "");
            told.push_back({.id = message.id,
                            .to = message.to,
                            .state = state,
                            .unknown = now->dump().contains("outcome_unknown")});
        }
        return told;
    }

    [[nodiscard]] std::size_t accepted() const { return messages_.size(); }
    [[nodiscard]] unsigned kills() const { return kills_; }

private:
    [[nodiscard]] SteadyTime next_kill() {
        return steady_clock::now() + life_min +
               std::chrono::milliseconds(
                   random_.below(std::chrono::milliseconds(life_more).count()));
    }

    void plan_always(SteadyTime until) {
        const SteadyTime now = steady_clock::now();
        const auto apart = (until - now) / (always.size() + 1);
        for (std::size_t i = 0; i < always.size(); ++i) {
            const sim::FaultRow& row = sim::fault_row(always[i]);
            const unsigned modem = static_cast<unsigned>(random_.below(modems));
            const SteadyTime at = now + apart * (i + 1);
            orders_.emplace(at, wire::Json{{"do", row.name}, {"modem", modem}});
            if (row.ended_by) {
                orders_.emplace(
                    at + always_lasts,
                    wire::Json{{"do", sim::fault_row(*row.ended_by).name}, {"modem", modem}});
            }
        }
    }

    /// Those that are due.
    Result<> do_orders() {
        while (!orders_.empty() && orders_.begin()->first <= steady_clock::now()) {
            if (auto done = rack_.simulate(orders_.begin()->second); !done) {
                return std::unexpected(done.error());
            }
            orders_.erase(orders_.begin());
        }
        return {};
    }

    /// Messages that have not ended; many, where the service does not say.
    [[nodiscard]] std::size_t under_way() const {
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

    /// What is refused or not answered is posted again, with the same ref.
    void post_some() {
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

    const Context& context_;
    rig::Rack& rack_;
    sim::SplitMix random_;
    std::multimap<SteadyTime, wire::Json> orders_;
    std::vector<Message> messages_;
    unsigned kills_ = 0;
};

std::vector<std::string> notes_of(const rig::Truth& truth) {
    std::vector<std::string> notes;
    const auto note = [&](const char* what, const std::vector<std::string>& ids) {
        if (!ids.empty()) {
            notes.push_back(fmt::format("{}: {}", what, fmt::join(ids, " ")));
        }
    };
    note("lost", truth.lost);
    note("sent twice", truth.twice);
    note("said to have failed, and sent", truth.denied);
    note("outcome unknown", truth.unknown);
    return notes;
}

/// "hang 3, reboot 9": those that came, but for the ends of those that last.
std::string told_of(const std::map<std::string, unsigned>& faults) {
    std::vector<std::string> words;
    for (const sim::FaultRow& row : sim::faults()) {
        const auto found = faults.find(std::string(row.name));
        const bool ends_one = std::ranges::any_of(
            sim::faults(), [&](const sim::FaultRow& other) { return other.ended_by == row.kind; });
        if (found != faults.end() && !ends_one) {
            words.push_back(fmt::format("{} {}", row.name, found->second));
        }
    }
    return fmt::format("{}", fmt::join(words, ", "));
}

Report report_of(const Context& context, unsigned minutes, const Soak& soak, const rig::SimLog& log,
                 const rig::Truth& truth) {
    const auto count = [](const char* name, std::size_t value, Goal goal = {}) {
        return Figure{.name = name,
                      .value = static_cast<double>(value),
                      .unit = "messages",
                      .decimals = 0,
                      .goal = goal};
    };
    return {.question = "soak",
            .conditions = {fmt::format("{} modems, {} min, seed {}", modems, minutes,
                                       context.options.seed.value_or(1)),
                           fmt::format("a fault every {} s on each modem; {} times kill -9",
                                       3600 / faults_an_hour, soak.kills()),
                           "faults: " + told_of(log.faults)},
            .figures = {count("accepted", soak.accepted()), count("sent, once", truth.sent),
                        count("refused by the network", truth.refused),
                        count("outcome unknown, never sent again", truth.unknown.size()),
                        count("lost", truth.lost.size(), at_most(0)),
                        count("sent twice", truth.twice.size(), at_most(0)),
                        count("said to have failed, and sent", truth.denied.size(), at_most(0))},
            .notes = notes_of(truth),
            .broken = !truth.lost.empty() || !truth.twice.empty() || !truth.denied.empty()};
}

}  // namespace

Result<Report> soak(const Context& context) {
    const unsigned minutes = context.options.minutes.value_or(1);
    auto rack = rig::Rack::open(
        context.folder,
        {.modems = modems,
         .sim_options = {"--service-ms", "400", "--service-dist", "exp", "--boot-ms", "500",
                         "--faults", fmt::to_string(faults_an_hour), "--fault-s", "8", "--seed",
                         fmt::to_string(context.options.seed.value_or(1))},
         .config = "[queue]\nuncertain_s = 20\nretry_limit = 100\nretry_base_s = 1\n\n"
                   "[defaults]\nsubmit_slow_s = 5\nsubmit_timeout_s = 20\n\n"},
        context.interrupt);
    if (!rack) {
        return std::unexpected(rack.error());
    }
    if (auto started = (*rack)->launch_service(); !started) {
        return std::unexpected(started.error());
    }
    Soak soak(context, **rack);
    if (auto ran = soak.run(steady_clock::now() + std::chrono::minutes(minutes)); !ran) {
        return std::unexpected(ran.error());
    }
    if (auto settled = soak.settle(); !settled) {
        return std::unexpected(settled.error());
    }
    const auto told = soak.told();
    const auto log = rig::read_sim_log((*rack)->sim_log());
    if (!told || !log) {
        return std::unexpected(told ? log.error() : told.error());
    }
    std::map<std::string, unsigned> taken;
    for (const rig::SimSubmit& submit : log->submits) {
        ++taken[submit.to];
    }
    return report_of(context, minutes, soak, *log, rig::compare(*told, taken));
}

}  // namespace smsrack::bench
