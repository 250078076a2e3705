/// The list of checkers, one per rule.
#pragma once

#include "tests/days/checkers/checker.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::days {

/// What the checkers have to know of the rack's configuration.
struct RackRules {
    bool resends = false;                 ///< [queue] uncertain = "resend"
    std::uint32_t segments_per_hour = 0;  ///< of each SIM; 0: any number
    AgeingRules ageing = {};
    bool scales = false;                                               ///< [scaling] enabled
    bool protects = false;                                             ///< [priority] protect
    std::array<std::chrono::milliseconds, level_count> promised = {};  ///< [priority] sla_ms
    std::chrono::milliseconds service{500};                            ///< of a submit, on average
    /// retain_days of the trigger. Its end is known to a day: clocks are set, and an answer comes again that was not heard.
    std::chrono::days pairs_kept{15};
};

inline constexpr std::string_view trigger_greets = "Welcome to ";

/// What a pair of this topic is sent.
[[nodiscard]] inline std::string trigger_text(std::string_view topic) {
    return fmt::format("{}{}!", trigger_greets, topic);
}
/// The topic of which a pair was sent this; what is no such text, whole.
[[nodiscard]] inline std::string topic_of(const std::string& text) {
    if (!text.starts_with(trigger_greets) || !text.ends_with('!')) {
        return text;
    }
    return text.substr(trigger_greets.size(), text.size() - trigger_greets.size() - 1);
}

/// What was answered 202, and each event that was reported, is found again by every next process.
[[nodiscard]] std::unique_ptr<Checker> kept();
/// The network gets no segment twice, unless the message was uncertain and the policy sends it again.
[[nodiscard]] std::unique_ptr<Checker> once(const RackRules& rules);
/// Messages move along the table of states and no other way.
[[nodiscard]] std::unique_ptr<Checker> forward();
/// What the store says of a message is what the network saw; each has an end (`ends`); and a report that was delivered ends its message
/// (`reports`).
[[nodiscard]] std::unique_ptr<Checker> truth();
/// What came in is in the inbox, once; a further copy only of what the network repeated, and marked where that is not known.
[[nodiscard]] std::unique_ptr<Checker> inbound();
/// While all is well a modem soon gives up what came in, however much it has to send.
[[nodiscard]] std::unique_ptr<Checker> read(const RackRules& rules);
/// No message is begun while another one waits that is before it.
[[nodiscard]] std::unique_ptr<Checker> order(const RackRules& rules);
/// No SIM sends more than its quota.
[[nodiscard]] std::unique_ptr<Checker> quota(const RackRules& rules);
/// A drained line gets nothing.
[[nodiscard]] std::unique_ptr<Checker> gate();
/// No line that may send is free while a message is ready.
[[nodiscard]] std::unique_ptr<Checker> busy();
/// Where little is to do, a message is begun soon.
[[nodiscard]] std::unique_ptr<Checker> prompt(const RackRules& rules);
/// Nothing is refused for overload while a healthy line is parked, if all lines together would keep the promise; and none stays
/// parked for long while the open ones would not.
[[nodiscard]] std::unique_ptr<Checker> parked(const RackRules& rules);
/// What is accepted while nothing goes wrong is sent, unless its time is over before the SIMs may send more.
[[nodiscard]] std::unique_ptr<Checker> served(const RackRules& rules);
/// No message with a short life is given to the network after its end, though the machine was
/// paused meanwhile.
[[nodiscard]] std::unique_ptr<Checker> in_time();
/// Each pair of a trigger has one message, and only one until it may be forgotten.
[[nodiscard]] std::unique_ptr<Checker> pairs(const RackRules& rules);
/// No more messages are in memory than have their places; a process that has run for a while holds
/// little more than one that begins, and one with nothing to do no message.
[[nodiscard]] std::unique_ptr<Checker> bounded();

[[nodiscard]] std::vector<std::unique_ptr<Checker>> all_checkers(const RackRules& rules);

}  // namespace smsrack::days
