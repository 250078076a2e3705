/// The SIMs of a fleet, as the engine has them: which box has each, what each box has sent by it, and to whom.
///
/// A command of ClusterEngine; threads and errors are as there.
#pragma once

#include "src/ports/seat.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace smsrack::ports {

/// Recipients in one answer for one SIM.
inline constexpr std::size_t sim_recipients_max = 250;

/// To whom a SIM has sent in a month.
struct SimRecipient {
    std::int64_t month = 0;
    std::uint64_t recipient = 0;  ///< hash
    friend constexpr auto operator<=>(SimRecipient, SimRecipient) = default;
};

enum class SimPlace : std::uint8_t {
    here,
    perhaps,  ///< it was here, and its modem has not spoken yet since the start
    left,
};

/// What a box says of a SIM.
struct SharedSim {
    std::string iccid = {};
    std::string group = {};  ///< of its modem
    SimPlace place = SimPlace::here;
    bool asks = false;       ///< what it has sent elsewhere
    std::int64_t after = 0;  ///< Named::number of the recipients that it has heard of
    std::string form = {};   ///< its count, in the words of src/cluster; empty: as it said before
    std::vector<SimRecipient> recipients = {};  ///< those whom the engine may not have
};

/// The SIMs that are in this box now, or may be. Those that it named before, and does not name any more, keep
/// it as their last box. One that another box has named last, and that is in it as far as is known, stays that box's,
/// unless it is among `absent`, dead or gone.
struct NameSims {
    struct Part {
        BoxNumber box = {};  ///< another one
        std::string form = {};
    };
    struct Named {
        BoxNumber elsewhere = {};      ///< it is this box's, and stays so; 0: it is the seat's now
        std::vector<Part> parts = {};  ///< of one that asks; by box
        /// Of one that asks: those of all boxes behind `after`, in order, sim_recipients_max at most.
        std::vector<SimRecipient> recipients = {};
        std::int64_t number = 0;  ///< of the last of them, for the next question
    };
    using Answer = std::vector<Named>;  ///< in the order of the command
    Seat seat;
    std::vector<SharedSim> sims = {};  ///< each once
    std::vector<BoxNumber> absent = {};
};

}  // namespace smsrack::ports
