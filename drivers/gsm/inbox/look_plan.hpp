/// When the modem is asked for what it may not have told: the list of each memory, and whether it still notifies.
///
/// Time:    lists at begin() and every ModemSettings::sweep, and soon after a hint that a URC was lost; a memory that
///          refuses is asked again after growing pauses.
#pragma once

#include "drivers/gsm/facts.hpp"
#include "drivers/gsm/inbox/inbox_shelf.hpp"
#include "drivers/gsm/modem_settings.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace smsrack::gsm {

/// The end of a wait, by memory.
using MemoryTimes = std::array<SteadyTime, memory_count>;

class LookPlan {
public:
    static constexpr std::chrono::milliseconds retry_pause{500};
    /// Between two lists for what a torn line may have hidden.
    static constexpr std::chrono::seconds look_pause{10};
    /// To select or list a memory; 0.5 s, 1 s, ... 8 s apart.
    static constexpr std::uint8_t tries_max = 6;
    /// After begin(), and after each notification.
    static constexpr std::chrono::seconds notify_asked{20};

    /// Both outlive this object.
    LookPlan(const ModemSettings& settings, const Facts& facts)
        : settings_(settings), facts_(facts) {}

    /// The modem is set up: everything is looked for.
    void begin(SteadyTime now);
    /// `list_at`: as an earlier owner of the modem had it.
    void adopt(const MemoryTimes& list_at);
    [[nodiscard]] const MemoryTimes& list_at() const { return list_at_; }

    // -- lists
    /// SIM and reports are listed now.
    void sweep(SteadyTime now);
    /// A URC may have been lost or misread: lists soon, at most once in look_pause.
    void look_soon(SteadyTime now);
    [[nodiscard]] bool is_list_due(Memory memory, SteadyTime now) const {
        return now >= list_at_[at(memory)];
    }
    void listed(Memory memory, SteadyTime now) { list_at_[at(memory)] = now + settings_.sweep; }
    /// The list was cut off: it is due again at once.
    void cut_off(Memory memory) { list_at_[at(memory)] = {}; }
    /// Refused, or garbled. False: it is given up until the next sweep.
    [[nodiscard]] bool list_failed(Memory memory, SteadyTime now);
    void list_succeeded(Memory memory) { tries_[at(memory)] = 0; }

    // -- memories that are left alone for a while
    void block(Memory memory, SteadyTime until) { blocked_until_[at(memory)] = until; }
    /// It could not be selected. False: it is left alone until the next sweep.
    [[nodiscard]] bool select_failed(Memory memory, SteadyTime now);
    [[nodiscard]] bool is_blocked(Memory memory, SteadyTime now) const {
        return now < blocked_until_[at(memory)];
    }
    void unblock(SteadyTime now);

    // -- whether it still notifies
    [[nodiscard]] bool is_ask_due(SteadyTime now) const { return now >= ask_at_; }
    /// AT+CNMI? goes out. `direct`: what comes directly is lost where the modem no longer tells of it.
    void asks(bool direct, SteadyTime now) {
        ask_at_ = now + (direct ? std::chrono::milliseconds(notify_asked) : settings_.sweep);
    }
    void ask_within(std::chrono::milliseconds time, SteadyTime now) {
        ask_at_ = std::min(ask_at_, now + time);
    }
    /// It has just notified.
    void notified(SteadyTime now) {
        ask_at_ = ask_at_ == never ? never : std::max(ask_at_, now + notify_asked);
    }

    /// `may_list`: nothing holds lists back.
    [[nodiscard]] SteadyTime next_turn(bool may_list) const;

private:
    [[nodiscard]] static std::size_t at(Memory memory) { return static_cast<std::size_t>(memory); }
    [[nodiscard]] std::optional<SteadyTime> after_failure(Memory memory, SteadyTime now);

    const ModemSettings& settings_;
    const Facts& facts_;

    MemoryTimes list_at_ = {never, never, never};
    MemoryTimes blocked_until_ = {};                     // {}: not blocked
    std::array<std::uint8_t, memory_count> tries_ = {};  // failures in a row
    SteadyTime look_not_before_ = {};                    // look_pause after the last hint
    SteadyTime ask_at_ = never;                          // never: there is no +CNMA to miss
};

}  // namespace smsrack::gsm
