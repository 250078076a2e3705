/// AT+CMMS=2 while more messages wait: the radio link stays up between them, which saves seconds for each.
///
/// Some modems make faults with it. A fault of a submit while it is on switches it off for off_after_fault,
/// the strikes_max'th within strikes_forgotten for good; so does a modem that does not know it.
/// Time:    off again when the line was idle for linger: the modem itself keeps the link 1 to 5 s.
/// Source:  3GPP TS 27.005 3.5.6 (+CMMS).
#pragma once

#include "drivers/gsm/speaker.hpp"
#include "src/base/members.hpp"

#include <array>
#include <chrono>
#include <cstdint>

namespace smsrack::gsm {

/// Is the link kept? What a command does that is not answered, or was dropped, is not known: then it counts as
/// before.
enum class KeptLink : std::uint8_t { off, going_on, on, going_off };
enum class KeepEvent : std::uint8_t { on_asked, off_asked, taken, refused, dropped };

inline constexpr std::array kept_link_rules{
    Rule{KeptLink::off, KeepEvent::on_asked, KeptLink::going_on},
    Rule{KeptLink::going_on, KeepEvent::taken, KeptLink::on},
    Rule{KeptLink::going_on, KeepEvent::refused, KeptLink::off},
    Rule{KeptLink::going_on, KeepEvent::dropped, KeptLink::off},
    Rule{KeptLink::on, KeepEvent::off_asked, KeptLink::going_off},
    Rule{KeptLink::going_off, KeepEvent::taken, KeptLink::off},
    Rule{KeptLink::going_off, KeepEvent::refused, KeptLink::off},
    Rule{KeptLink::going_off, KeepEvent::dropped, KeptLink::on},
};

struct LinkCarried {
    bool on = false;
    SteadyTime off_at = never;
    SteadyTime off_until = SteadyTime::min();
    int strikes = 0;
    SteadyTime last_strike = {};
    bool given_up = false;
    SMSRACK_MEMBERS(on, off_at, off_until, strikes, last_strike, given_up);
};

class LinkKeeper final : public Speaker {
public:
    static constexpr std::chrono::seconds linger{5};
    static constexpr std::chrono::minutes off_after_fault{10};
    static constexpr std::chrono::hours strikes_forgotten{24};
    static constexpr int strikes_max = 3;

    using Speaker::Speaker;

    /// The modem was set up again: whether the link is kept is not known.
    void begin();

    /// While no command of it is outstanding.
    [[nodiscard]] LinkCarried carried() const;
    void adopt(const LinkCarried& carried);

    /// Before each submit: are there more behind it?
    void expect_more(bool more) { wanted_ = more; }
    void after_submit(const SubmitOutcome& outcome, SteadyTime now);

    [[nodiscard]] bool speak(SteadyTime now) override;
    [[nodiscard]] SteadyTime next_turn() const override { return off_at_; }
    std::optional<Trigger> on_final(at::FinalResult result, SteadyTime now) override;

private:
    [[nodiscard]] bool may_be_on(SteadyTime now) const {
        return settings_.keep_link && now >= off_until_;
    }
    void apply(KeepEvent event);
    void count_fault(SteadyTime now);

    KeptLink link_ = KeptLink::off;
    bool wanted_ = false;                       // more messages wait behind the next
    SteadyTime off_at_ = never;                 // while it is on
    SteadyTime off_until_ = SteadyTime::min();  // after a fault; never: for good
    int strikes_ = 0;
    SteadyTime last_strike_ = {};
};

}  // namespace smsrack::gsm
