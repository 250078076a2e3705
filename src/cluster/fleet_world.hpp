/// What the parts of the fleet's desk are made of, and how they ask: each answer comes back on the desk's
/// thread.
///
/// Threads: the desk's.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/executor.hpp"
#include "src/cluster/fleet_scaling.hpp"
#include "src/ports/cluster_engine.hpp"
#include "src/ports/fleet_store.hpp"
#include "src/ports/store_rules.hpp"
#include "src/sms/level.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

namespace smsrack::cluster {

struct FleetSettings {
    ports::BoxName who = {};
    std::uint32_t release = 1;
    std::chrono::milliseconds lease{15'000};
    std::chrono::seconds ahead{60};
    std::chrono::seconds alone{3'600};
    std::chrono::seconds uncertain{
        86'400};          ///< after alone: the policy decides what is left of a dead box
    bool resend = false;  ///< the policy: sends it again; false: it has failed
    std::chrono::milliseconds accept_wait{2'000};
    bool refuses_alone = false;  ///< clients, while the engine does not answer
    Level alone_lowest = 0;      ///< levels that this box sends while the engine does not have them
    Level alone_highest = level_max;
    ports::OptOutRules opt_out = {};
    /// Without having heard of opt-outs and pauses for so long, this box begins only this level and above.
    std::chrono::seconds rules_max_age{86'400};
    Level rules_exempt_level = level_max;
    /// A SIM of which the engine has not told what other boxes have sent by it sends by this box's own count.
    bool quota_by_own_count = false;
    /// After a box has been silent for so long, others send to the recipients of its SIMs.
    std::chrono::seconds sticky_wait{300};
    /// How long the engine knows a message that has ended. A box that was away for longer may put again what it was not
    /// answered for: so it is days, not hours.
    std::chrono::seconds known{std::chrono::days(90)};
    FleetScaling scaling = {};
};

inline constexpr int beats_a_lease = 5;

/// What a client or an order is answered while the engine does not answer.
[[nodiscard]] inline Error engine_away() {
    constexpr std::chrono::milliseconds ask_again{5'000};
    return {.code = Errc::cluster_away,
            .context =
                "the engine of the fleet does not answer this box; `smsrack cluster show` "
                "says why",
            .retry_after = ask_again};
}

struct FleetWorld {
    ports::ClusterEngine& engine;
    ports::FleetStore& store;
    const Clock& clock;
    Executor& desk;  ///< runs jobs on the desk's thread
    const FleetSettings& settings;
    /// Ends a begun message of this box, of which another box decides. An error: an attempt is in
    /// flight. The answer comes on any thread.
    std::function<void(MessageId message, std::function<void(Result<>)> done)> give_up;

    /// Posts a command to the engine or to the store.
    template <typename Port, typename Command>
    void ask(Port& port, Command command,
             std::move_only_function<void(Result<typename Command::Answer>)> then) const {
        port.post(std::move(command), [&desk = desk, then = std::move(then)](
                                          Result<typename Command::Answer> answer) mutable {
            desk.post([then = std::move(then), answer = std::move(answer)]() mutable {
                then(std::move(answer));
            });
        });
    }
    /// Asks the store a question of a FleetReader.
    template <typename Question, typename Then>
    void look(Question question, Then then) const {
        store.ask(std::move(question), [&desk = desk, then = std::move(then)](auto answer) mutable {
            desk.post([then = std::move(then), answer = std::move(answer)]() mutable {
                then(std::move(answer));
            });
        });
    }
};

}  // namespace smsrack::cluster
