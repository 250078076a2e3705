/// What this box asks of its part in a fleet: intake, the API, and what shows how the fleet is.
///
/// A box without [cluster] has none of these, but null pointers.
/// Threads: any; answers come on the thread `cluster`, or at once.
#pragma once

#include "src/base/interface.hpp"
#include "src/base/result.hpp"
#include "src/ports/cluster_engine.hpp"
#include "src/ports/command.hpp"
#include "src/ports/send_commands.hpp"
#include "src/ports/upkeep.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::ports {

/// What the engine checks of a message when it keeps it, as the configuration of the accepting box is.
struct FleetChecks {
    std::uint64_t text_hash = 0;                    ///< 0: equal texts are not looked for
    std::chrono::milliseconds duplicate_window{0};  ///< likewise
    RecipientLimits limits = {};
    std::optional<std::int64_t> client_waiting_max = {};
};

class FleetIntake : public Interface {
public:
    /// cluster_away: the engine does not answer, and [cluster] alone = "refuse".
    [[nodiscard]] virtual std::optional<Error> refusal() const = 0;

    /// Answers as soon as the engine has the message, or has refused it, or after accept_wait_ms: then the
    /// message is kept `here`.
    /// Errors: those of Accept that the engine sees over all boxes.
    virtual void follow(Accepted accepted, FleetChecks checks, Done<Accepted> done) = 0;
};

/// A box as this one sees it.
struct BoxSeen {
    BoxRow row = {};
    bool is_self = false;
    std::chrono::milliseconds silent{0};  ///< since its last beat that this box has seen
    /// Why the policy of scaling does not park it: "engine_node", "last_of_group", "reports", "sticky", "scheduled", "unknown"; empty: it may,
    /// or there is none.
    std::string stays = {};
    /// hash128_text() of the program that it runs: of this box; of another one, as it has answered under its present epoch to the last order of
    /// this box. Empty: it is not known.
    std::string program = {};
    /// Why it does not hand over, as it has answered to that order; empty: it has not said so.
    std::string not_upgraded = {};
};

/// The boxes as nodes of the scaling policy, as this box saw them last.
struct FleetScalingView {
    bool enabled = false;
    bool can_order = false;   ///< this box may wake and park others: so it decides too
    std::uint32_t nodes = 0;  ///< boxes in production
    std::uint32_t n_min = 0;
    std::uint32_t n_max = 0;
    double load = 0;                       ///< messages per second, in the last sample
    std::optional<double> node_rate = {};  ///< F; nullopt: no box has measured its modems yet
    std::optional<double> forecast = {};   ///< messages per second
    std::int64_t decisions = 0;            ///< of the fleet, ever
    std::string decision = {};             ///< the last one, in words; empty: there was none
    std::string decided_by = {};           ///< name of the box
    std::string trouble = {};              ///< a box that could not be woken or parked; empty: none
};

/// The fleet as this box saw it last.
struct FleetFacts {
    std::string name = {};  ///< of this box
    std::string site = {};
    BoxNumber box = {};
    Epoch epoch = {};            ///< 0: it has no seat
    std::string_view seat = {};  ///< cluster::seat_state_names
    std::string trouble = {};    ///< why it has no seat; empty: it has one, or tries
    bool may_begin = false;      ///< firm messages
    /// Since the engine last answered; nullopt: it answers.
    std::optional<std::chrono::milliseconds> away = {};
    std::chrono::milliseconds lease{0};
    bool two_disks = false;
    std::int64_t waiting = 0;         ///< in the engine
    std::vector<BoxSeen> boxes = {};  ///< by number
    std::int64_t kept_here = 0;       ///< of this box: not in the engine yet
    std::int64_t own_rules = 0;       ///< FleetCounts::own_rules
    FleetScalingView scaling = {};
};

/// Octets of what another box answers, as the string of a letter: a link of 64 kbit/s carries it well within the time that the
/// engine has for an answer.
inline constexpr std::size_t box_answer_max = 12UL * 1024;

/// What GET of another box's API says to a caller of role `read`. All is UTF-8.
struct BoxQuestion {
    std::string path = {};                                         ///< decoded
    std::vector<std::pair<std::string, std::string>> params = {};  ///< of the query, likewise
    bool masked = false;  ///< its caller sees no whole number and no text
};

/// Whose question it is: each has a share of those that wait.
struct BoxAsker {
    std::string name = {};
    bool is_admin = false;
};
struct BoxAnswer {
    int status = 200;
    std::string body = {};  ///< JSON; of a refusal its problem+json, or empty
};

class FleetControl : public Interface {
public:
    [[nodiscard]] virtual FleetFacts facts() const = 0;
    /// Empty: no box of this number is known.
    [[nodiscard]] virtual std::string name_of(BoxNumber box) const = 0;
    /// Changes the life of a box, by an operator's word.
    /// Errors: those of SetLife; cluster_away.
    virtual void set_life(std::string name, BoxLife life, Done<void> done) = 0;
    /// An operator's word that a box will not send again. Where this box can, the other one is fenced first, which takes
    /// box_power_within at most. `unfenced`: it is not, since the operator is certain. Answers whether it was.
    /// Errors: conflict: it could not be fenced, and nothing was done; otherwise those of set_life().
    virtual void declare_dead(std::string name, bool unfenced, Done<bool> done) = 0;
    /// Lets each box put back what it has, after the engine was restored or is another one.
    /// Errors: those of Rebuild; cluster_away.
    virtual void rebuild(Done<void> done) = 0;
    /// Orders another box to hand over to a program that is on its own disk. Answers when the order is on its way; then
    /// BoxSeen::program says that it did. It may get lost: give it `again` until the box has answered. A box that has begun to
    /// hand over does not begin by the same order once more.
    /// Errors: not_found: no such box; conflict: it is this one, or does not run; cluster_away.
    virtual void upgrade(std::string name, UpgradeOrder order, bool again, Done<void> done) = 0;
    virtual void check(Done<std::vector<EngineFact>> done) = 0;
    /// Asks another box, which is to answer within 10 s.
    /// Errors: not_found: no such box; conflict: it is this one, or does not run; busy; timeout; cluster_away.
    virtual void ask(std::string box, BoxQuestion question, BoxAsker by, Done<BoxAnswer> done) = 0;
    /// Cancels a message of this box that is elsewhere.
    /// Errors: conflict: another box has it; cluster_away; not_found: boxes do not share it, or this
    ///         one may begin it itself.
    virtual void cancel(MessageId message, Done<MessageState> done) = 0;
    /// Answers when the engine has each opt-out, pause and cancelled batch that this box has kept before the call, so
    /// that every box obeys it within moments; after accept_wait_ms: `here`.
    virtual void follow_rules(Done<Kept> done) = 0;
};

}  // namespace smsrack::ports
