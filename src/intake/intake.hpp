/// The only entry for submits: checks that the message can be encoded, then stores it.
///
/// Threads: the loop thread. `done` runs on the loop thread's caller for what is refused at once,
/// else on the store's
///          writing thread after the commit, in a fleet on that of its desk.
/// Errors:  bad_request, bad_number, bad_sender, bad_encoding, too_long, duplicate, ref_conflict, overloaded,
/// queue_full, storage, cluster_away; forbidden: a rule of the operator, whose name `context` has; conflict: its batch was cancelled.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/result.hpp"
#include "src/intake/router.hpp"
#include "src/intake/submit_request.hpp"
#include "src/overload/admission.hpp"
#include "src/ports/fleet.hpp"
#include "src/ports/sim_numbers.hpp"
#include "src/ports/store.hpp"
#include "src/rules/destinations.hpp"
#include "src/rules/quiet_hours.hpp"
#include "src/sms/address.hpp"
#include "src/sms/message.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::intake {

struct IntakeSettings {
    NumberPlan plan = {};  ///< where a request names no group, and where its group is not below
    std::map<std::string, NumberPlan> group_plans = {};  ///< of requests that name their group
    Level default_level = 3;
    bool default_report = true;
    std::chrono::seconds default_ttl{86'400};
    std::size_t segments_max = 10;
    std::chrono::seconds duplicate_window{0};  ///< 0: off
    std::vector<Route> routes = {};            ///< first match wins
    std::string default_group = "default";
    /// Those that have a line; a request may name only these.
    std::vector<std::string> groups = {};
    rules::DestinationRules destinations = {};
    RecipientLimits limits = {};
    rules::QuietHours quiet = {};
    /// Those with limits of their own.
    std::map<std::string, ClientLimits, std::less<>> clients = {};
    ClientLimits client_limits = {};  ///< of all others
    bool known_clients_only = false;  ///< others may not name themselves
};

/// What POST /v1/preview answers.
struct Preview {
    std::string to;        ///< normalised
    std::string encoding;  ///< "gsm7", "ucs2", "data8"
    std::uint8_t segments = 1;
    std::size_t units = 0;              ///< septets, UTF-16 units or octets of the text
    std::size_t units_per_segment = 0;  ///< that fit into each of its segments
    std::string group;
    std::string why_group = {};  ///< of which route, and among which groups
    bool sticky = false;         ///< by the SIM that its recipient knows
    Level level = 3;
    WallTime expires_at;
    std::optional<Error> refusal = {};           ///< it would be refused now: overloaded
    std::optional<rules::Refusal> refused = {};  ///< by a rule that asks for no rows of the store
    std::optional<WallTime> quiet_until = {};    ///< it waits for the end of the quiet hours
};

class Intake {
public:
    /// All outlive the object. `admission`: null where whatever can be said is let in. `sims`: null where no message may name its SIM.
    /// `fleet`: null where this box is a gateway of its own.
    Intake(IntakeSettings settings, ports::Store& store, const Clock& clock,
           overload::Admission* admission = nullptr, const ports::SimNumbers* sims = nullptr,
           ports::FleetIntake* fleet = nullptr);

    void submit(const SubmitRequest& request, ports::Done<ports::Accepted> done);

    /// What submit() would keep, as far as that is known without rows; its `refused` is what a rule
    /// of the operator says. For a caller that stores it in its own transaction.
    [[nodiscard]] Result<NewMessage> prepare(const SubmitRequest& request) const;
    /// The content of a message that is replaced, for one with the number, level and report of
    /// `request`: it is checked as a new one is.
    /// Errors:  those of submit() that need no rows.
    [[nodiscard]] Result<ports::ReplaceMessage> replacement(const SubmitRequest& request,
                                                            MessageId message) const;
    /// Why such a message must wait now, and until when; nullopt if it need not. `ahead`: segments
    /// before it that the store does not count as work yet.
    [[nodiscard]] std::optional<Error> overloaded(const NewMessage& message, std::uint32_t ahead);

    [[nodiscard]] Result<Preview> preview(const SubmitRequest& request) const;

    /// bad_request: no name; forbidden: only configured clients may come.
    [[nodiscard]] Result<ClientLimits> client_limits(std::string_view client) const;

    /// Groups that have a line.
    [[nodiscard]] const std::vector<std::string>& groups() const { return settings_.groups; }
    [[nodiscard]] const RecipientLimits& limits() const { return settings_.limits; }
    /// When the quiet hours end that keep a message of this level from going now; nullopt if none
    /// do.
    [[nodiscard]] std::optional<WallTime> quiet_until(Level level) const {
        return quiet_until(level, clock_.wall());
    }
    /// The same of a message that would go at `at`.
    [[nodiscard]] std::optional<WallTime> quiet_until(Level level, WallTime at) const {
        return settings_.quiet.end(level, at);
    }

    /// Why a message to this number is in this group, as the configuration is now: "route +336".
    [[nodiscard]] std::string why_group(std::string_view to, std::string_view group) const {
        return router_.why(to, group);
    }

    /// Its sender named this group, which has a line and no route leads to.
    [[nodiscard]] bool was_asked_for(std::string_view to, std::string_view group) const;

private:
    struct Checked;
    [[nodiscard]] Result<Checked> check(const SubmitRequest& request, WallTime now) const;
    [[nodiscard]] Result<RouteChoice> group_for(const SubmitRequest& request,
                                                const Routed& message) const;
    [[nodiscard]] Result<std::optional<ports::SimInRack>> sim_for(
        const SubmitRequest& request) const;
    void let_in(NewMessage message, ports::Done<ports::Accepted> done);
    [[nodiscard]] ports::Done<ports::Accepted> followed(const NewMessage& message,
                                                        ports::Done<ports::Accepted> done) const;

    const IntakeSettings settings_;
    ports::Store& store_;
    const Clock& clock_;
    overload::Admission* const admission_;
    const ports::SimNumbers* const sims_;
    ports::FleetIntake* const fleet_;
    const SteadyTime since_;
    Router router_;
};

}  // namespace smsrack::intake
