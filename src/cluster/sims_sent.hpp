/// What the engine has of the SIMs of this box under one seat, so that it gets only what it lacks.
///
/// Threads: the desk's.
#pragma once

#include "src/base/clock.hpp"
#include "src/ports/engine_sims.hpp"
#include "src/ports/fleet_store.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace smsrack::cluster {

class SimsSent {
public:
    /// Of a SIM, as this box has counted it.
    struct Counted {
        std::string iccid = {};
        ports::SimCount count = {};  ///< with recipients, where there are others than seen()
    };

    void clear() { sent_.clear(); }
    /// It is looked at from now on.
    void add(const std::string& iccid) { sent_.try_emplace(iccid); }
    void remove(const std::string& iccid) { sent_.erase(iccid); }
    /// Those that are looked at: how many recipients each had when all were sent.
    [[nodiscard]] std::map<std::string, std::uint32_t> seen() const;

    /// When its count was sent; `never`: it was not.
    [[nodiscard]] SteadyTime sent_at(const std::string& iccid) const;
    /// Adds to `shared` what the engine lacks: with `most` recipients at most.
    void add_news(ports::SharedSim& shared, const Counted& counted, std::size_t most) const;
    /// The engine has it now.
    void note(const ports::SharedSim& shared, const Counted& counted, SteadyTime now);

private:
    struct Sent {
        std::string form = {};
        SteadyTime at = never;
        std::uint32_t seen = 0;
        std::set<ports::SimRecipient> recipients = {};
    };

    std::map<std::string, Sent> sent_ = {};
};

}  // namespace smsrack::cluster
