/// Which modem and which SIM are in a line's slot, and how much of that the store has confirmed.
///
/// The modem says who it is; the store then pairs slot, modem and card, gives the SIM its number and,
/// where the SIM has a quota, says what it has used. Only then is the seat known.
/// Pure: state() says what must be asked; the line asks and passes the answer on. A pair that is not
/// in the table changes nothing.
/// Time:    steady.
/// Threads: the line's thread.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/ids.hpp"
#include "src/base/state_table.hpp"
#include "src/ports/modem.hpp"
#include "src/ports/slot.hpp"
#include "src/sms/address.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <utility>

namespace smsrack::line {

struct SeatSettings {
    std::string slot = {};
    ports::SimPolicy policy = ports::SimPolicy::warn;
    std::string number = {};  ///< of the SIM, as configured; empty: as the SIM says
    NumberPlan plan = {};     ///< to read the number that the SIM says
    bool has_quota = false;
};

enum class SeatState : std::uint8_t {
    unknown,   ///< the modem has not said who it is, or has another SIM than it said
    pairing,   ///< the store is asked what the slot had before
    naming,    ///< the store is asked for the SIM's number
    counting,  ///< the store is asked what the SIM has used of its quota, and the fleet, too
    known,
    refused,  ///< the slot must have another SIM
};

enum class SeatEvent : std::uint8_t {
    seen,     ///< the modem is ready, and it or its SIM is new here
    left,     ///< the modem is set up with another SIM
    paired,   ///< the policy lets this SIM send
    refused,  ///< it does not
    named,
    counted,
    outdated,  ///< the store counts otherwise than we do, or the SIM has left
    failed,    ///< the store could not answer: it begins with the slot again, or counts again
};

inline constexpr std::array seat_rules{
    Rule{SeatState::unknown, SeatEvent::seen, SeatState::pairing},
    Rule{SeatState::pairing, SeatEvent::seen, SeatState::pairing},
    Rule{SeatState::pairing, SeatEvent::left, SeatState::unknown},
    Rule{SeatState::pairing, SeatEvent::paired, SeatState::naming},
    Rule{SeatState::pairing, SeatEvent::refused, SeatState::refused},
    Rule{SeatState::naming, SeatEvent::seen, SeatState::pairing},
    Rule{SeatState::naming, SeatEvent::left, SeatState::unknown},
    Rule{SeatState::naming, SeatEvent::named, SeatState::counting},
    Rule{SeatState::naming, SeatEvent::failed, SeatState::pairing},
    Rule{SeatState::counting, SeatEvent::seen, SeatState::pairing},
    Rule{SeatState::counting, SeatEvent::left, SeatState::unknown},
    Rule{SeatState::counting, SeatEvent::counted, SeatState::known},
    Rule{SeatState::known, SeatEvent::seen, SeatState::pairing},
    Rule{SeatState::known, SeatEvent::left, SeatState::unknown},
    Rule{SeatState::known, SeatEvent::outdated, SeatState::counting},
    Rule{SeatState::refused, SeatEvent::seen, SeatState::pairing},
    Rule{SeatState::refused, SeatEvent::left, SeatState::unknown},
};

/// Is what is in the slot what was there the last time, and if not: may it send?
struct SlotVerdict {
    bool modem_changed = false;
    bool sim_changed = false;
    ports::SimPolicy policy = {};  ///< of the slot, for another SIM
    std::string detail = {};       ///< where the SIM changed: the sentence for the operator

    [[nodiscard]] bool is_refused() const {
        return sim_changed && policy == ports::SimPolicy::refuse;
    }
};

class SlotSeat {
public:
    explicit SlotSeat(SeatSettings settings) : settings_(std::move(settings)) {}

    /// Who is in the slot, as one process leaves it to the next; a SIM without number is not adopted.
    struct Occupant {
        std::string imei = {};
        std::string iccid = {};
        std::string imsi = {};
        SimId sim = {};

        [[nodiscard]] bool is(const ports::ModemIdentity& other) const {
            return imei == other.imei && has_sim(other);
        }
        [[nodiscard]] bool has_sim(const ports::ModemIdentity& other) const {
            return iccid == other.iccid && imsi == other.imsi;
        }
    };
    [[nodiscard]] const Occupant& occupant() const { return is_; }
    void adopt(Occupant occupant);

    /// The modem is set up. True: with another SIM than before, so what was read of that one is void.
    [[nodiscard]] bool identified(const ports::ModemIdentity& identity);
    /// The modem is ready. False: the modem or its SIM is new here.
    bool ready(const ports::ModemIdentity& identity);

    /// What to pair, while pairing.
    [[nodiscard]] ports::SlotSeen seen(WallTime at) const;
    /// True if an answer about this slot, this card or this SIM is still awaited; false: it came too late.
    [[nodiscard]] bool awaits_pair(const ports::SlotSeen& asked) const;
    [[nodiscard]] bool awaits_name(const std::string& iccid) const;
    [[nodiscard]] bool awaits_usage(SimId sim) const;
    /// The answers that were awaited.
    [[nodiscard]] SlotVerdict paired(const ports::SlotSeen& asked, const ports::SlotKnown& before);
    void named(SimId sim);
    void counted() { apply(SeatEvent::counted); }
    /// The store counts otherwise than we do, or the SIM has left: what it has used must be asked again.
    void count_again() { apply(SeatEvent::outdated); }
    /// The store could not answer the question: it is asked again at retry_at().
    void failed(SteadyTime now);
    /// True: now. Once for each failure.
    [[nodiscard]] bool retries(SteadyTime now);
    [[nodiscard]] SteadyTime retry_at() const { return retry_at_; }

    /// 0 until the store has given the SIM its number.
    [[nodiscard]] SimId sim() const { return is_.sim; }
    [[nodiscard]] SeatState state() const { return state_; }
    [[nodiscard]] bool is_refused() const { return state_ == SeatState::refused; }
    /// The configured one; else what the SIM says, in international form where that is possible.
    [[nodiscard]] std::string own_number(const std::string& said) const;

private:
    void apply(SeatEvent event);

    const SeatSettings settings_;
    SeatState state_ = SeatState::unknown;
    Occupant is_;
    SteadyTime retry_at_ = never;
};

}  // namespace smsrack::line
