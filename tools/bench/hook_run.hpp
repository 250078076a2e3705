/// A rack, a gate, and receivers of its webhooks, one for each.
///
/// Threads: one.
/// Errors:  those of rig::Rack and HookReceiver; timeout: a webhook did not work in time.
#pragma once

#include "src/base/result.hpp"
#include "tools/bench/hook_receiver.hpp"
#include "tools/bench/questions.hpp"
#include "tools/rig/process.hpp"
#include "tools/rig/rack.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::bench {

struct HookPlan {
    std::size_t endpoints = 1;
    std::string events = "message.*";
    unsigned parallel = 4;
    std::vector<std::string> sim_options = {};
    std::string config = {};  ///< TOML before the tables of the webhooks
};

class HookRun {
public:
    /// Until each webhook has delivered a test. `folder`: of this run alone.
    [[nodiscard]] static Result<std::unique_ptr<HookRun>> start(const Context& context,
                                                                const std::string& folder,
                                                                const HookPlan& plan);

    [[nodiscard]] rig::Rack& rack() { return *rack_; }
    [[nodiscard]] HookReceiver& receiver(std::size_t number) { return *receivers_.at(number); }
    [[nodiscard]] std::size_t endpoints() const { return receivers_.size(); }
    [[nodiscard]] pid_t gate_pid() const { return gate_->pid(); }

    /// One order on a webhook: "open", "off", "test".
    [[nodiscard]] Result<> order(std::size_t number, std::string_view what) const;
    /// Until it holds.
    [[nodiscard]] Result<> wait(std::string_view what, std::chrono::seconds within,
                                const std::function<bool()>& holds) const;
    /// Until this receiver has got `events`, or no more came for two seconds.
    [[nodiscard]] Result<> wait_for_events(std::size_t number, std::size_t events) const;

private:
    explicit HookRun(const Context& context) : interrupt_(context.interrupt) {}

    const rig::Interrupt& interrupt_;
    std::vector<std::unique_ptr<HookReceiver>> receivers_;
    std::unique_ptr<rig::Rack> rack_;
    std::unique_ptr<rig::Process> gate_;  // ends before its receivers
};

}  // namespace smsrack::bench
