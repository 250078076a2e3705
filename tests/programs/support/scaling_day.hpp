/// A day compressed into a minute, for a rack with a scaling controller: a night, a noon, an
/// evening; the decisions meanwhile, and the outcome of all messages.
///
/// Unit:    messages of one segment; loads in messages per second.
/// Threads: one.
#pragma once

#include "tests/programs/support/steady_load.hpp"
#include "tests/support/rack.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <vector>

namespace smsrack::test {

struct DayPlan {
    std::chrono::milliseconds length{35'000};  ///< from the end of the night to the evening
    double noon = 22;
    double night = 0.6;
    std::size_t lines = 8;
    std::size_t lines_least = 2;  ///< n_min
    std::size_t samples = 10;     ///< of one decision
    std::chrono::milliseconds period{250};
};

class ScalingDay {
public:
    explicit ScalingDay(DayPlan plan);

    /// Until no more lines than needed are open: at the beginning, and after each day.
    [[nodiscard]] bool night();
    /// From the night's load to that of noon and back. `at_noon`: done once there.
    void day(const std::function<void(Rack&)>& at_noon = {});

    /// All that was accepted has ended, is with the network once, and was reported so.
    void check_messages();
    /// There were as many lines as the load needed.
    void check_lines_follow_load() const;
    /// Each decision says in words what it was made of, to programs and to people.
    void check_decisions() const;
    /// A line that was parked ended what it had, and took nothing more until it was let in again.
    void check_parked_lines_rest() const;

    [[nodiscard]] Rack& rack() { return rack_; }

private:
    struct Look {
        double part;  // of the day
        std::size_t open;
    };
    void live(double load);
    [[nodiscard]] std::vector<wire::Json> decisions() const;  // oldest first

    const DayPlan plan_;
    Rack rack_;
    SteadyLoad load_;
    std::chrono::steady_clock::time_point at_;
    std::chrono::steady_clock::time_point look_at_;
    double owed_ = 0;
    std::size_t open_ = 0;
    std::vector<Look> looks_;  // of the days, without their nights
};

}  // namespace smsrack::test
