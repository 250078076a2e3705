/// When the radio of a parked line is off: nothing is expected for its SIM, and nothing has come for a while. Each `listen` it
/// is switched on, hears what waits at the service centre, and rests again.
///
/// Pure: the line tells it what happens and does what it wants.
/// Time:    steady.
/// Threads: the line's thread.
/// Source:  [Elastic] a node that leaves; docs/decisions/0020-radio-off.md.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/state_table.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>

namespace smsrack::line {

struct RadioRestSettings {
    bool radio_off = false;  ///< false: it never rests
    std::chrono::milliseconds listen{900'000};
    std::chrono::milliseconds awake{30'000};
};

enum class RestState : std::uint8_t {
    off_duty,   ///< the line is not parked: its radio is not our business
    listening,  ///< on, or on its way there
    asking,     ///< the store: is anything expected?
    falling,    ///< the modem has the order
    asleep,
};

enum class RestEvent : std::uint8_t {
    parked,
    unparked,
    quiet,     ///< nothing came for long enough
    expected,  ///< something is
    nothing_expected,
    heard,  ///< something came, or is in flight
    slept,
    lost,   ///< the modem: it is brought back first
    ready,  ///< it can hear and send
    due,    ///< to listen
};

inline constexpr std::array rest_rules{
    Rule{RestState::off_duty, RestEvent::parked, RestState::listening},
    Rule{RestState::listening, RestEvent::unparked, RestState::off_duty},
    Rule{RestState::listening, RestEvent::quiet, RestState::asking},
    Rule{RestState::asking, RestEvent::unparked, RestState::off_duty},
    Rule{RestState::asking, RestEvent::expected, RestState::listening},
    Rule{RestState::asking, RestEvent::nothing_expected, RestState::falling},
    Rule{RestState::asking, RestEvent::heard, RestState::listening},
    Rule{RestState::asking, RestEvent::lost, RestState::listening},
    Rule{RestState::falling, RestEvent::unparked, RestState::off_duty},
    Rule{RestState::falling, RestEvent::slept, RestState::asleep},
    Rule{RestState::falling, RestEvent::heard, RestState::listening},
    Rule{RestState::falling, RestEvent::lost, RestState::listening},
    Rule{RestState::falling, RestEvent::ready, RestState::listening},
    Rule{RestState::asleep, RestEvent::unparked, RestState::off_duty},
    Rule{RestState::asleep, RestEvent::due, RestState::listening},
    Rule{RestState::asleep, RestEvent::heard, RestState::listening},
    Rule{RestState::asleep, RestEvent::lost, RestState::listening},
    Rule{RestState::asleep, RestEvent::ready, RestState::listening},
};

class RadioRest {
public:
    enum class Want : std::uint8_t { nothing, ask, sleep, wake };

    explicit RadioRest(RadioRestSettings settings) : settings_(settings) {}

    /// `hears`: the modem is ready now.
    void park(bool parked, bool hears, SteadyTime now);
    void ready(SteadyTime now);
    void lost(SteadyTime now);
    void slept(SteadyTime now);
    void heard(SteadyTime now);
    /// It may be wanted soon: on until then at least.
    void stay_awake(SteadyTime until, SteadyTime now);
    /// To the question that it wanted asked.
    void answered(bool expected, SteadyTime now);

    /// What must be done now; each once.
    [[nodiscard]] Want step(SteadyTime now);
    [[nodiscard]] SteadyTime deadline() const;

    [[nodiscard]] RestState state() const { return state_; }
    /// It may rest when the line is empty: until then the caller must report what is in flight.
    [[nodiscard]] bool is_about_to_rest(SteadyTime now) const {
        return state_ == RestState::asking || state_ == RestState::falling ||
               (state_ == RestState::listening && now >= quiet_at_);
    }
    /// When it listens the next time; nullopt if its radio is not off.
    [[nodiscard]] std::optional<SteadyTime> listens_at() const {
        return state_ == RestState::asleep ? std::optional(listen_at_) : std::nullopt;
    }

private:
    void apply(RestEvent event, SteadyTime now);
    void enter(RestState from, SteadyTime now);

    const RadioRestSettings settings_;
    RestState state_ = RestState::off_duty;
    Want want_ = Want::nothing;
    bool hears_ = false;            // the modem is ready
    SteadyTime quiet_at_ = never;   // while listening: if nothing comes until then
    SteadyTime listen_at_ = never;  // while asleep
    SteadyTime awake_until_ = SteadyTime::min();
};

}  // namespace smsrack::line
