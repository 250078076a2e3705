/// What a modem is asked and told before it may send, in order.
///
/// The standard's rows are below; a family has rows of its own for the steps in which it differs, or that
/// the standard does not have. A step without a command is left out, and so is a detour unless an answer
/// calls for it.
/// Source:  3GPP TS 27.007, TS 27.005; ITU-T V.250 (&W, +IPR).
#pragma once

#include "drivers/at/command.hpp"
#include "drivers/gsm/backoff.hpp"
#include "drivers/gsm/facts.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <ranges>
#include <span>
#include <utility>

namespace smsrack::gsm {

enum class InitStep : std::uint8_t {
    probe,
    echo_off,
    numeric_errors,
    mark,  ///< is our AT+CREG=1 still set? a restart clears it
    functionality,
    radio_on,         ///< detour: the radio is off
    events,           ///< which events of the family are on
    events_on,        ///< detour: all that are wanted
    events_on_older,  ///< detour: for firmware that refuses the newest
    imei,
    model,
    revision,
    pin_state,
    pin_card,      ///< detour: the ICCID, which most modems tell of a locked SIM too
    pin_attempts,  ///< detour: how many are left
    pin_enter,     ///< detour
    imsi,
    iccid,
    own_number,
    pdu_mode,
    centre,
    centre_set,      ///< detour: the SIM has lost it
    booted_service,  ///< AT+CSMS? and AT+CNMI?: what it has after a restart, until it is set up again
    booted_notify,
    phase_2_plus,
    phase_2,  ///< detour: where AT+CSMS=1 is refused
    memory_sr,
    memory_sm,
    notify,
    keep_general,  ///< AT&W, where that was something else
    keep_sms,      ///< detour: AT+CSAS after it; firmware differs in which of the two keeps what
    rate_list,     ///< AT+IPR=?, where `fast_baud` is set
    rate_raise,    ///< detour: the modem lists it
    rate_check,    ///< detour: at the new rate
    rate_lower,    ///< detour: back to the first one
    rate_back,     ///< detour: at that rate
    operator_names,
    registration_urc,
};

enum class Need : std::uint8_t {
    required,  ///< refused: it is tried again
    optional,  ///< refused: the modem does not know it; continue
    detour,    ///< the same, and it is left out unless an answer calls for it
};

struct InitRow {
    InitStep id;
    at::Command command = {};
    Need need = Need::required;
};

/// What touches the SIM may take long while it starts.
inline constexpr std::chrono::seconds sim_limit{10};

class InitScript {
public:
    /// `of_family` must outlive this object.
    constexpr explicit InitScript(std::span<const InitRow> of_family = {})
        : of_family_(of_family) {}

    [[nodiscard]] constexpr const InitRow& row(InitStep step) const;
    [[nodiscard]] constexpr bool has(InitStep step) const {
        return !row(step).command.text.empty();
    }
    /// The step after this one, detours left out; nullopt after the last.
    [[nodiscard]] constexpr std::optional<InitStep> step_after(InitStep step) const;

    /// After a command that may end without OK comes one with an information line, which a late OK can't
    /// be taken for.
    [[nodiscard]] constexpr bool is_sound() const;

private:
    std::span<const InitRow> of_family_;
};

// A text that ends with = is completed by StartUp: a PIN, a mask, a rate, what the modem can do.
inline constexpr std::array standard_init = [] {
    using at::Takes;
    using enum Need;
    using Step = InitStep;
    constexpr std::chrono::seconds flash{10};          // what writes the modem's own memory
    constexpr std::chrono::milliseconds at_rate{500};  // 12 octets at 1200 baud take 0.1 s
    return std::array{
        InitRow{Step::probe, {.text = "AT", .timeout = std::chrono::seconds(1)}},
        InitRow{Step::echo_off, {.text = "ATE0"}},
        InitRow{Step::numeric_errors, {.text = "AT+CMEE=1"}, optional},
        InitRow{Step::mark,
                {.text = "AT+CREG?", .prefix = "+CREG:", .is_answer = is_creg_answer},
                optional},
        InitRow{Step::functionality, {.text = "AT+CFUN?", .prefix = "+CFUN:"}, optional},
        InitRow{Step::radio_on, {.text = "AT+CFUN=1", .timeout = sim_limit}, detour},
        InitRow{Step::events, {}, optional},
        InitRow{Step::events_on, {}, detour},
        InitRow{Step::events_on_older, {}, detour},
        InitRow{Step::imei, {.text = "AT+CGSN", .takes = Takes::text}},
        InitRow{Step::model, {.text = "AT+CGMM", .takes = Takes::text}, optional},
        InitRow{Step::revision, {.text = "AT+CGMR", .takes = Takes::text}, optional},
        InitRow{Step::pin_state, {.text = "AT+CPIN?", .prefix = "+CPIN:", .timeout = sim_limit}},
        InitRow{Step::pin_card, {}, detour},
        InitRow{Step::pin_attempts, {}, detour},
        InitRow{Step::pin_enter, {.text = "AT+CPIN=", .timeout = sim_limit}, detour},
        InitRow{Step::imsi, {.text = "AT+CIMI", .timeout = sim_limit, .takes = Takes::text}},
        InitRow{Step::iccid, {}, optional},
        InitRow{Step::own_number,
                {.text = "AT+CNUM", .prefix = "+CNUM:", .timeout = sim_limit},
                optional},
        InitRow{Step::pdu_mode, {.text = "AT+CMGF=0"}},
        InitRow{
            Step::centre, {.text = "AT+CSCA?", .prefix = "+CSCA:", .timeout = sim_limit}, optional},
        InitRow{Step::centre_set, {.text = "AT+CSCA=", .timeout = sim_limit}, detour},
        InitRow{Step::booted_service, {.text = "AT+CSMS?", .prefix = "+CSMS:"}, optional},
        InitRow{Step::booted_notify, {.text = "AT+CNMI?", .prefix = "+CNMI:"}, optional},
        InitRow{Step::phase_2_plus, {.text = "AT+CSMS=1", .prefix = "+CSMS:"}},
        InitRow{Step::phase_2, {.text = "AT+CSMS=0", .prefix = "+CSMS:"}, detour},
        InitRow{Step::memory_sr,
                {.text = "AT+CPMS=\"SR\"", .prefix = "+CPMS:", .timeout = sim_limit},
                optional},
        InitRow{Step::memory_sm,
                {.text = "AT+CPMS=\"SM\"", .prefix = "+CPMS:", .timeout = sim_limit}},
        InitRow{Step::notify, {.text = "AT+CNMI="}},
        InitRow{Step::keep_general, {.text = "AT&W", .timeout = flash}, optional},
        InitRow{Step::keep_sms, {.text = "AT+CSAS", .timeout = flash}, detour},
        InitRow{Step::rate_list, {.text = "AT+IPR=?", .prefix = "+IPR:"}, optional},
        InitRow{Step::rate_raise, {.text = "AT+IPR="}, detour},
        InitRow{Step::rate_check, {.text = "AT", .timeout = at_rate}, detour},
        InitRow{Step::rate_lower, {.text = "AT+IPR=", .timeout = at_rate}, detour},
        InitRow{Step::rate_back, {.text = "AT", .timeout = at_rate}, detour},
        InitRow{Step::operator_names, {.text = "AT+COPS=3,0"}, optional},
        InitRow{Step::registration_urc, {.text = "AT+CREG=1"}},
    };
}();
// A row for each step, in their order.
static_assert(std::ranges::equal(
    standard_init, std::views::iota(0, std::to_underlying(InitStep::registration_urc) + 1), {},
    [](const InitRow& row) { return std::to_underlying(row.id); }));

constexpr const InitRow& InitScript::row(InitStep step) const {
    const auto own = std::ranges::find(of_family_, step, &InitRow::id);
    return own != of_family_.end() ? *own : standard_init.at(std::to_underlying(step));
}

constexpr std::optional<InitStep> InitScript::step_after(InitStep step) const {
    for (const InitRow& later : standard_init | std::views::drop(std::to_underlying(step) + 1)) {
        const InitRow& following = row(later.id);
        if (following.need != Need::detour && !following.command.text.empty()) {
            return following.id;
        }
    }
    return std::nullopt;
}

constexpr bool InitScript::is_sound() const {
    return std::ranges::all_of(standard_init, [this](const InitRow& standard) {
        // By step: g++ 12 does not compare the address of a row under UBSan in a constant expression.
        const auto following = step_after(standard.id);
        return row(standard.id).command.ends == at::Ends::at_final_result ||
               (following && has_information(row(*following).command));
    });
}
static_assert(InitScript().is_sound());

/// Where the script is, and when its next command is due.
///
/// Time:    a step that is tried again waits retry_first, then longer, up to retry_last.
class ScriptCursor {
public:
    static constexpr std::chrono::milliseconds retry_first{100};
    static constexpr std::chrono::milliseconds retry_last{5000};

    /// `script` outlives this object.
    explicit ScriptCursor(const InitScript& script) : script_(script) {}

    [[nodiscard]] bool is_running() const { return row_ != nullptr; }
    /// While it runs.
    [[nodiscard]] const InitRow& row() const { return *row_; }
    [[nodiscard]] InitStep step() const { return row_->id; }
    [[nodiscard]] bool has(InitStep step) const { return script_.has(step); }
    [[nodiscard]] SteadyTime due() const { return is_running() ? due_ : never; }

    void stop() { row_ = nullptr; }
    void go_to(InitStep step, SteadyTime now) {
        row_ = &script_.row(step);
        due_ = now;
    }
    /// The next step that is no detour; after the last one it no longer runs.
    void advance(SteadyTime now) {
        const auto following = script_.step_after(row_->id);
        row_ = following ? &script_.row(*following) : nullptr;
        due_ = now;
    }
    void try_at(SteadyTime when) { due_ = when; }
    void try_again(SteadyTime now) { due_ = now + pause_.take(); }
    /// The modem answers as it should: the next pause is short again.
    void reset_pause() { pause_.reset(); }

private:
    const InitScript& script_;
    const InitRow* row_ = nullptr;  // null: not running
    SteadyTime due_ = never;
    Backoff pause_{retry_first, retry_last};
};

}  // namespace smsrack::gsm
