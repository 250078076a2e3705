/// A rack under load whose first line fails: what happens to the messages, and to the other lines.
///
/// Time:    the load is there for the whole window, so that what a line sends is what it can.
#pragma once

#include "tests/rack/support/world.hpp"
#include "tools/modem_model/faults/fault.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::test {

struct FaultStep {
    std::chrono::milliseconds at = {};  ///< after the load was handed in
    modem_sim::Fault fault = {};
    int modem = 0;  ///< below 0: all
};

struct FaultPlanned {
    std::string toml = {};        ///< further sections of the configuration
    std::string modem_toml = {};  ///< further lines of each [[modem]]
    std::vector<FaultStep> steps = {};
    /// The box loses its power then, and starts again; its modems live on.
    std::optional<std::chrono::milliseconds> power_lost = {};
    int inbound = 0;                 ///< messages that come in to the first line meanwhile
    bool report = true;              ///< the messages ask for reports
    std::chrono::seconds rest = {};  ///< before the last messages: as long as a SIM cools
    std::chrono::seconds patience = std::chrono::minutes(30);  ///< above `uncertain_s`
};

/// What became of the messages, the network's journal held against the store.
struct FaultOutcome {
    int accepted = 0;
    int sent = 0;                   ///< sent or delivered, and the network has each once
    int unknown = 0;                ///< failed with outcome_unknown, at most once at the network
    int refused = 0;                ///< failed with a cause of the network's
    int waiting = 0;                ///< not ended when patience was over, and not at the network
    int resent = 0;                 ///< at the network twice, and the first attempt was uncertain
    int wrong = 0;                  ///< none of these: lost, or silently doubled
    std::vector<int> by_line = {};  ///< submits within the window
    bool first_line_back = false;   ///< it sends again after the last step
    unsigned lines_back = 0;        ///< n lines do
    int inbound = 0;                ///< came in, and the inbox has each once
    int inbound_wrong = 0;          ///< lost, or in the inbox twice
    int undecodable = 0;            ///< in the inbox as they came
    std::size_t left_in_sim = 0;    ///< received messages that the first line's SIM still has
    int pin_attempts = 0;           ///< that the first line's SIM has left
    std::chrono::seconds took = {};
};

inline constexpr unsigned fault_lines = 4;
inline constexpr std::chrono::seconds fault_window(20);

[[nodiscard]] FaultOutcome run_with_faults(const FaultPlanned& plan);
/// The same load without any fault, made once.
[[nodiscard]] const FaultOutcome& run_undisturbed();

}  // namespace smsrack::test
