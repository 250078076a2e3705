/// Load under which no line is ever without a message, and the outcome of all of it.
///
/// Unit:    messages of one segment, each to a number of its own, and each with a report: what a
///          line needs for one is the same for all, or rates would show which line had more of
///          them.
/// Threads: one.
/// Errors:  std::runtime_error where the service does not take a message.
#pragma once

#include "tests/support/rack.hpp"
#include "tests/support/wait_for.hpp"
#include "tools/rig/truth.hpp"

#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace smsrack::test {

/// Messages as the service reports them; those that failed also by the line that had them last.
struct Told {
    std::vector<rig::ToldMessage> messages = {};
    std::map<std::string, int> unknown = {};
    std::map<std::string, int> refused = {};
};

class SteadyLoad {
public:
    /// Keeps at least `waiting` messages queued; `rack` outlives this object.
    SteadyLoad(const Rack& rack, std::size_t waiting) : rack_(rack), waiting_(waiting) {}

    /// Posts what is needed until `condition` or until `within` is over; whether it was the former.
    template <typename Condition>
    [[nodiscard]] bool run_until(std::chrono::milliseconds within, Condition condition) {
        return wait_for(within, [&] { return due() && (top_up(), condition()); });
    }
    void run_for(std::chrono::milliseconds length) {
        (void)wait_for(length, [&] { return due() && (top_up(), false); });
    }
    /// Sends n at once, whatever waits: for callers that set the rate themselves.
    void post(std::size_t count);
    /// Posts no more: whether all has ended `within` this time.
    [[nodiscard]] bool finish(std::chrono::milliseconds within) const;

    [[nodiscard]] Told told() const;
    /// Compares what was reported with what the network got; checks that nothing was lost or
    /// doubled, and that nothing is said to have failed that went out.
    [[nodiscard]] rig::Truth check_truth(const Told& told) const;

private:
    /// Whether it is time to look again.
    [[nodiscard]] bool due();
    void top_up();

    const Rack& rack_;
    const std::size_t waiting_;
    std::chrono::steady_clock::time_point look_at_ = {};
    std::vector<rig::ToldMessage> posted_;
};

}  // namespace smsrack::test
