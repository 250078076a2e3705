/// SIMs that rest, because carrier or network refused several submits of theirs in a row.
///
/// A carrier that refuses is not to be asked again at once: that is how SIMs get barred. Each pause
/// is twice as long as the one before, up to a bound, until the network takes a segment again.
/// Time:    steady; the caller's now.
/// Threads: the dispatch thread.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/ids.hpp"
#include "src/base/members.hpp"
#include "src/sms/error_table.hpp"
#include "src/sms/outcome.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace smsrack::dispatch {

struct CoolingSettings {
    std::uint32_t after = 3;  ///< refusals in a row; 0: never
    std::chrono::milliseconds first{60'000};
    std::chrono::milliseconds most{3'600'000};
};

/// A SIM that was refused last, as one run of the service leaves it to the next: no row says it.
struct CoolingCarried {
    SimId sim = {};
    std::uint32_t refusals = 0;  ///< in a row
    std::uint32_t pauses = 0;    ///< in a row
    SteadyTime until = SteadyTime::min();
    SMSRACK_MEMBERS(sim, refusals, pauses, until);
};

class Cooling {
public:
    /// `errors` outlives the object.
    Cooling(CoolingSettings settings, const ErrorTable& errors)
        : settings_(settings), errors_(errors) {}

    /// What became of a submit. The length of the pause that begins with it.
    [[nodiscard]] std::optional<std::chrono::milliseconds> ended(SimId sim,
                                                                 const SubmitOutcome& outcome,
                                                                 SteadyTime now);
    /// nullopt if it does not rest.
    [[nodiscard]] std::optional<SteadyTime> until(SimId sim, SteadyTime now) const;

    [[nodiscard]] std::vector<CoolingCarried> carried() const;
    /// Nothing, where these settings let no SIM rest.
    void adopt(const std::vector<CoolingCarried>& left);

private:
    /// Barred, spent, or the network's fault: what another message would meet too.
    [[nodiscard]] bool is_the_sims(const SubmitOutcome& outcome) const;

    const CoolingSettings settings_;
    const ErrorTable& errors_;
    std::map<SimId, CoolingCarried> records_;  // of SIMs refused last: those in the rack's slots
};

}  // namespace smsrack::dispatch
