/// Runs days of a rack, drawn from a seed: its configuration, its load and its faults; and checks
/// all rules.
///
/// Time:    simulated; the same seed and options give the same days.
/// Errors:  Violation; anything else that is thrown is a fault of the simulation, or of the service.
#pragma once

#include "tests/days/checkers/checker.hpp"
#include "tests/days/incoming.hpp"
#include "tests/support/temp_dir.hpp"
#include "tools/modem_model/faults/fault.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::days {

struct DaysOptions {
    std::uint64_t seed = 1;
    unsigned days = 1;
    /// Of each day; a few are never answered, since the box dies meanwhile.
    unsigned messages = 20'200;
    unsigned inbound = 200;
    unsigned faults = 50;
    unsigned crashes = 8;  ///< one in four of them an upgrade
    bool scaling = false;  ///< each rack parks lines and protects its promises
    std::filesystem::path folder = test::TempDir::memory();  ///< where its own are made
    std::string rule = {};  ///< this one alone is looked at; empty: all
};

/// How a process may end.
enum class Crash : std::uint8_t { killed, power_lost, power_lost_in_a_write, upgraded };
inline constexpr std::array<std::string_view, 4> crash_names{"killed", "power lost",
                                                             "power lost in a write", "upgraded"};

/// How often each thing happened.
struct DaysTotals {
    std::uint64_t days = 0;
    std::uint64_t accepted = 0;
    std::uint64_t refused = 0;     ///< and asked again later
    std::uint64_t at_network = 0;  ///< segments
    std::uint64_t inbound = 0;
    std::uint64_t events = 0;  ///< of a trigger, decided
    std::uint64_t fresh = 0;   ///< of them
    std::uint64_t over = 0;    ///< of them: offered once more, when their days were over
    std::uint64_t scaled = 0;  ///< lines parked or unparked by the controller
    std::uint64_t woken = 0;   ///< times that it let some in since the work ahead needed them
    std::uint64_t surges = 0;  ///< of urgent messages, while lines may be parked
    std::uint64_t disk_slow = 0;
    std::uint64_t disk_full = 0;
    std::uint64_t clock_set = 0;
    std::uint64_t suspended = 0;
    std::uint64_t paused = 0;  ///< as a VM is
    std::uint64_t drained = 0;
    std::uint64_t by_hand = 0;           ///< orders of the operator to a modem
    std::uint64_t answered_by_hand = 0;  ///< of them; the others a crash took
    std::array<std::uint64_t, crash_names.size()> crashes = {};
    std::array<std::uint64_t, incoming_names.size()> incoming = {};  ///< messages, by their kind
    std::array<std::uint64_t, modem_sim::fault_kinds> faults = {};

    void add(const DaysTotals& other);
    /// What went wrong, with its name: the disk, the clock, each way to end, what senders do, and each fault of a modem.
    [[nodiscard]] std::vector<std::pair<std::string_view, std::uint64_t>> troubles() const;
    /// All of them with their names, in this order.
    [[nodiscard]] std::vector<std::pair<std::string_view, std::uint64_t*>> rows();
    /// The numbers of rows(), to be passed to another process.
    [[nodiscard]] std::vector<std::uint64_t> numbers() const;
    /// Errors: std::invalid_argument, where they are not as many as there are rows.
    [[nodiscard]] static DaysTotals of(const std::vector<std::uint64_t>& numbers);
};

struct DaysResult {
    DaysTotals totals;
    std::string violation = {};           ///< empty: all held
    std::vector<std::string> story = {};  ///< of what it was about
    /// Of all that was reported, and of what the store has each evening.
    std::uint64_t fingerprint = 0;
};

[[nodiscard]] DaysResult live(const DaysOptions& options);

}  // namespace smsrack::days
