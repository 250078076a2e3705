/// Does the modem push what comes in (+CMT), or store it (+CMTI)? 3GPP TS 27.005 3.4.1 <mt> 2 and 1.
///
/// An idle line lets it push: a message is here one exchange earlier, and is confirmed with +CNMA when it is
/// on disk. A line with more to send can't confirm in time, since a submit holds the port for seconds: there
/// the SIM stores what comes in, and it is read between two submits. A single submit changes nothing.
/// Only a modem that waits for +CNMA (AT+CSMS=1) may push: what is not confirmed, the network sends again.
/// Time:    pushing begins at once after the set-up, and when no submit was in flight for idle_before.
#pragma once

#include "src/base/clock.hpp"

#include <chrono>
#include <cstdint>
#include <optional>

namespace smsrack::gsm {

class PushMode {
public:
    static constexpr std::chrono::seconds idle_before{2};

    /// The modem was set up, and stores.
    void begin(bool possible, SteadyTime now) {
        is_possible_ = possible;
        pushes_ = false;
        push_at_ = now;
    }
    /// What an earlier owner of the modem chose is not known.
    void adopt(bool possible) {
        is_possible_ = possible;
        pushes_ = std::nullopt;
        push_at_ = SteadyTime{};
    }

    void submit_begins(bool more) { push_at_ = more ? never : push_at_; }
    void submit_ended(SteadyTime now) { push_at_ = now + idle_before; }

    /// What the modem should do from now on; nullopt: what it does.
    [[nodiscard]] std::optional<bool> wish(SteadyTime now) const {
        if (!is_possible_ || (push_at_ != never && now < push_at_)) {
            return std::nullopt;
        }
        const bool wanted = push_at_ != never;
        return pushes_ == wanted ? std::nullopt : std::optional(wanted);
    }
    [[nodiscard]] SteadyTime due_at() const {
        return is_possible_ && pushes_ != true ? push_at_ : never;
    }
    [[nodiscard]] bool pushes() const { return pushes_.value_or(false); }
    /// It got no order to store since it got, or may have got, the order to push.
    [[nodiscard]] bool may_push() const { return is_possible_ && pushes_ != false; }

    /// True: the modem pushes. False: it does not until it is set up again. nullopt: it may.
    [[nodiscard]] std::optional<bool> works() const {
        return is_possible_ && pushes_ != true ? std::nullopt : std::optional(is_possible_);
    }

    /// The modem accepted that, or refused: then it is not asked again until it is set up.
    void told(bool pushed) { pushes_ = pushed; }
    void refused() { is_possible_ = false; }

private:
    bool is_possible_ = false;
    std::optional<bool> pushes_ = false;
    SteadyTime push_at_ = never;  // never: a burst is being sent
};

}  // namespace smsrack::gsm
