/// Counts what the operator's rules refuse, by client and rule, until the store has it.
///
/// The counts leave for the store write_within after the first of them, so a flood of refusals makes
/// one transaction in that time, not one each. A crash loses those that were not written.
/// Bound:   entries_max pairs of client and rule between two writes; what comes beyond is counted
///          as of no client.
/// Threads: loop thread.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/result.hpp"
#include "src/ports/client_store.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace smsrack::api {

class RefusalNotes {
public:
    static constexpr std::chrono::seconds write_within{10};
    static constexpr std::size_t entries_max = 1'000;

    /// Both outlive the object.
    RefusalNotes(ports::ClientStore& store, const Clock& clock) : store_(store), clock_(clock) {}

    /// `told` gets the deadline of step() when there is one.
    void on_deadline(std::function<void(SteadyTime)> told) { told_ = std::move(told); }

    /// Counts a submit of this client, or of this account where it named none, if a rule refused it.
    void note(std::string_view client, OwnerId owner, const Error& error);

    /// Gives the store what is due. Returns the next deadline; never: nothing waits.
    SteadyTime step(SteadyTime now);
    /// Gives the store what waits; the service ends.
    void write();

private:
    using Key = std::tuple<std::string, OwnerId, std::string, std::int64_t>;  // the last: the day

    ports::ClientStore& store_;
    const Clock& clock_;
    std::function<void(SteadyTime)> told_;
    std::map<Key, ports::RefusalCount> counts_;  // since the last write
    SteadyTime write_at_ = never;
};

}  // namespace smsrack::api
