/// Load, faults and kills on one rack: what `soak` runs before it examines the result.
///
/// Time:    the machine's own.
/// Threads: one.
/// Errors:  those of the rack; closed: called off.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/result.hpp"
#include "src/wire/json.hpp"
#include "tools/bench/questions.hpp"
#include "tools/modem_model/faults/split_mix.hpp"
#include "tools/rig/rack.hpp"
#include "tools/rig/truth.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace smsrack::bench {

class SoakRun {
public:
    /// Both outlive this object.
    SoakRun(const Context& context, rig::Rack& rack);

    /// Load, faults and kills until `until`.
    [[nodiscard]] Result<> run(SteadyTime until);
    /// Repairs everything and waits until each message has ended and all that came in is kept; what
    /// has not, or is not, is found in told() and received().
    [[nodiscard]] Result<> settle();

    [[nodiscard]] Result<std::vector<rig::ToldMessage>> told() const;
    [[nodiscard]] Result<rig::ReceivedTruth> received() const;
    [[nodiscard]] std::size_t accepted() const { return messages_.size(); }
    [[nodiscard]] unsigned kills() const { return kills_; }

private:
    struct Message {
        std::string id;
        std::string to;
    };

    void plan_always(SteadyTime until);
    [[nodiscard]] Result<> do_orders();
    [[nodiscard]] Result<> kill();
    [[nodiscard]] Result<> receive_one();
    void post_some();
    [[nodiscard]] std::size_t under_way() const;
    [[nodiscard]] Result<std::vector<std::string>> inbox() const;

    const Context& context_;
    rig::Rack& rack_;
    modem_sim::SplitMix random_;
    std::multimap<SteadyTime, wire::Json> orders_;
    std::vector<Message> messages_;
    std::size_t inbound_ = 0;
    unsigned kills_ = 0;
    SteadyTime kill_at_ = {};
    SteadyTime receive_at_ = {};
};

/// Modems of the rack.
inline constexpr unsigned soak_modems = 32;
/// Of them have no memory SR: their reports come directly.
inline constexpr unsigned soak_no_sr = 8;

}  // namespace smsrack::bench
