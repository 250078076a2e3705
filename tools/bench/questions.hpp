/// The questions that smsrack-bench answers, each in the file of its name.
///
/// Errors:  where something could not be measured at all; a figure that falls short is no error, but for `priority`.
#pragma once

#include "src/base/result.hpp"
#include "tools/bench/report.hpp"
#include "tools/rig/interrupt.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace smsrack::bench {

/// What may be asked for otherwise; each question has its own defaults.
struct Options {
    std::optional<unsigned> seconds = {};  ///< of each window in which is measured
    std::optional<std::size_t> messages = {};
    std::optional<unsigned> minutes = {};    ///< soak
    std::optional<std::uint64_t> seed = {};  ///< soak: of faults and kills
    std::optional<double> rate = {};         ///< intake: this one, per second, instead of the sweep
    std::optional<unsigned> service_ms = {};  ///< priority: of a submit
    bool quick = false;                       ///< mmc, overload, dedup: a look, in a minute
    std::optional<std::string> part = {};     ///< dedup: this one alone
    std::optional<unsigned> times = {};       ///< upgrade
};

struct Context {
    Options options = {};
    const rig::Interrupt& interrupt;
    std::filesystem::path folder = {};  ///< there, empty, for this question alone
};

[[nodiscard]] Result<Report> saturation(const Context& context);
[[nodiscard]] Result<Report> ceiling(const Context& context);
[[nodiscard]] Result<Report> intake(const Context& context);
[[nodiscard]] Result<Report> inbound(const Context& context);
[[nodiscard]] Result<Report> pdu(const Context& context);
[[nodiscard]] Result<Report> footprint(const Context& context);
[[nodiscard]] Result<Report> cost(const Context& context);
[[nodiscard]] Result<Report> mmc(const Context& context);
[[nodiscard]] Result<Report> scaling(const Context& context);
[[nodiscard]] Result<Report> priority(const Context& context);
[[nodiscard]] Result<Report> overload(const Context& context);
[[nodiscard]] Result<Report> soak(const Context& context);
[[nodiscard]] Result<Report> attack(const Context& context);
[[nodiscard]] Result<Report> upgrade(const Context& context);
[[nodiscard]] Result<Report> dedup(const Context& context);
[[nodiscard]] Result<Report> gate(const Context& context);
[[nodiscard]] Result<Report> smpp(const Context& context);
[[nodiscard]] Result<Report> webhook(const Context& context);

struct Question {
    const char* name;
    const char* asks;
    Result<Report> (*answer)(const Context&);
    bool in_all = true;
};

inline constexpr std::array questions{
    Question{"saturation", "how much of what eight modems can send do they send?", saturation},
    Question{"ceiling", "how fast are eight modems that take no time?", ceiling},
    Question{"intake", "how many submits a second are accepted, and how late?", intake},
    Question{"inbound", "how fast do received messages get into the store?", inbound},
    Question{"pdu", "how many PDUs a second are decoded and encoded?", pdu},
    Question{"footprint", "what memory, CPU time and start does it take?", footprint},
    Question{"cost", "what does a message cost: octets written, syncs, pages, processor?", cost},
    Question{"mmc", "does the rack do what M/M/c says?", mmc},
    Question{"scaling", "is the policy smsrack worse than the published one anywhere?", scaling},
    Question{"priority", "does a code overtake a campaign, and does the campaign end?", priority,
             false},
    Question{"overload", "does a rack that gets too much keep what it accepts in time?", overload},
    Question{"upgrade", "what do clients and modems notice of a hand-over to another version?",
             upgrade},
    Question{"dedup", "once per person and place: how fast, how small, how often wrong?", dedup},
    Question{"gate", "what does a call cost over the network, and what does the gate take?", gate},
    Question{"smpp",
             "how fast and late are submits and receipts over SMPP, and what does a session take?",
             smpp},
    Question{"webhook", "how late and how fast are webhooks, and what does a backlog take?",
             webhook},
    Question{"attack", "can an ordinary account slow, silence or break the rack?", attack, false},
    Question{"soak", "does a rack full of faults lose or double a message?", soak, false},
};

}  // namespace smsrack::bench
