/// An outgoing message: what intake stores and the lines send.
///
/// Unit:    times are UTC milliseconds; `ttl` ends at `expires_at`.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/clock_move.hpp"
#include "src/base/ids.hpp"
#include "src/base/members.hpp"
#include "src/base/result.hpp"
#include "src/sms/level.hpp"
#include "src/sms/message_states.hpp"
#include "src/sms/outcome.hpp"
#include "src/sms/port_address.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace smsrack {

/// Row of a batch's label in the store; 0: none.
using BatchId = Id<struct BatchTag, std::int64_t>;

/// How many messages may go to one number, as the submit was checked; nullopt: any number.
struct RecipientLimits {
    std::optional<std::uint32_t> per_hour = {};  ///< within any 60 minutes
    std::optional<std::uint32_t> per_day = {};   ///< within any 24 hours
};

/// What a front end may have open, as the submit was checked; nullopt: any number.
struct ClientLimits {
    std::optional<std::int64_t> buffered_max = {};  ///< results that it has not acknowledged
    std::optional<std::int64_t> waiting_max = {};   ///< messages not at their end
};

/// Of a note, which a client gives a message and gets back with it: enough for the addresses and the
/// references of another protocol. Octets of UTF-8; each event in memory may have one.
inline constexpr std::size_t note_octets_max = 512;

/// Of the parts of a longer message that its client has cut itself.
using PartSetId = Id<struct PartSetTag, std::int64_t>;

/// Place of such a part. It is one segment, and its header has the place.
struct PartPlace {
    std::uint8_t total = 2;
    std::uint8_t number = 1;  ///< from 1
    SMSRACK_MEMBERS(total, number);
};

/// What is said, and how: enough to make the PDUs again at any time.
struct MessageBody {
    std::string to;         ///< normalised
    std::string text = {};  ///< UTF-8, when not `is_data`
    std::string data = {};  ///< octets, when `is_data`
    bool is_data = false;
    bool report = true;                              ///< ask for status reports
    std::optional<std::uint8_t> message_class = {};  ///< 0..3
    std::optional<PortAddress> ports = {};           ///< 16-bit application ports
    std::optional<PartPlace> part = {};              ///< of a longer message; nullopt: it is whole
    /// Further elements of the user data header, in octets; well-formed, and none of them says a
    /// place in a longer message.
    std::string elements = {};
    /// TP-PID: 0x41 to 0x47, a phone keeps the newest message of a sender with it; 0: a usual message.
    std::uint8_t pid = 0;
    SMSRACK_MEMBERS_NAMED("to, text, data, is_data, report, class, ports", to, text, data, is_data,
                          report, message_class, ports);
    SMSRACK_LATER_MEMBERS(part, elements, pid);
};

/// As a modem tells it; one of the two may be empty.
struct SimCard {
    std::string iccid = {};
    std::string imsi = {};
    bool operator==(const SimCard&) const = default;
};

/// A validated submit, before it is on disk.
struct NewMessage {
    MessageBody body;
    Level level = 3;
    std::string group = "default";
    std::uint8_t segments = 1;  ///< as counted by intake
    std::string ref = {};       ///< idempotency key; empty: none
    /// Hash of the whole request: same ref with another one is ref_conflict.
    std::uint64_t fingerprint = 0;
    WallTime created_at = {};
    WallTime expires_at = {};
    std::optional<WallTime> not_before = {};
    std::uint64_t text_hash = 0;   ///< hash of (to, text) for the duplicate window
    bool check_duplicate = false;  ///< refuse when the same text_hash is younger than the window
    bool admitted = true;    ///< false: only the first answer to its ref is given, if there is one
    std::string batch = {};  ///< label; empty: none
    RecipientLimits limits = {};
    std::string client = {};  ///< name of the front end that brought it; empty: none
    std::string note = {};    ///< what the client wants back with its results; empty: none
    OwnerId owner = {};       ///< account that brought it
    ClientLimits client_limits = {};
    bool client_if_known = false;  ///< no request named it: it counts only if it is known already
    bool sticky = false;           ///< by the SIM that sent to this recipient before, while it can
    std::optional<SimCard> by = {};  ///< by this SIM, while it can
    /// With [cluster]: any box of the fleet may send it. Parts and the rack's own messages stay here.
    bool shared = false;
    bool self_sms = false;  ///< the rack's own, to one of its SIMs: no front end hears of it
    /// With `body.part`: the parts with one key, of one client to one number, are one message.
    std::string part_key = {};
    bool waits_for_parts = false;       ///< `not_before` is the time to wait for its siblings
    std::optional<Error> refused = {};  ///< by a rule: only a ref known from before is answered
};

/// More than these decide nothing; a message is tried a few times.
inline constexpr std::size_t past_attempts_max = 64;

/// How an attempt of a message ended that was made before it was loaded.
struct PastAttempt {
    std::uint8_t segment = 0;
    OutcomeKind outcome = OutcomeKind::unknown;
    Cause cause = {};
    SMSRACK_MEMBERS(segment, outcome, cause);
};

/// One message in memory, loaded from the store for sending.
struct OutMessage {
    MessageId id = {};
    MessageBody body;
    Level level = 3;
    GroupId group = {};
    WallTime created_at = {};
    WallTime queued_at = {};  ///< since when it waits: accepted, or its `not_before`
    /// While it is queued: the event that made it so or gave it its content; its place in the
    /// store's order.
    EventSeq queued_by = {};
    WallTime expires_at = {};
    std::uint16_t attempts = 0;  ///< submits begun so far, over all segments
    std::uint16_t failures = 0;  ///< transient failures so far (retry_limit counts these)
    std::optional<std::uint16_t> concat_ref = {};  ///< fixed at the first attempt of a long message
    std::vector<MessageState> segments = {};  ///< empty before the first attempt; else one each
    SimId pinned_sim = {};               ///< of the segments already taken by the network; 0: none
    std::vector<PastAttempt> past = {};  ///< the newest first, past_attempts_max at most
    bool without_validity = false;       ///< a service centre refused it for its validity period
    bool scheduled = false;              ///< its wait began after `created_at`
    std::chrono::nanoseconds served{0};  ///< in modems' hands, since it was loaded
    BatchId batch = {};
    bool sticky = false;        ///< by the SIM that its recipient knows, while that can
    SimId known_sim = {};       ///< with sticky: that SIM; 0: none was sent to it yet
    bool sim_is_named = false;  ///< with sticky: its client or its siblings chose `known_sim`
    bool self_sms = false;      ///< not by the SIM that it goes to, while another one can
    PartSetId part_set = {};    ///< 0: it is no part of a longer message
    SMSRACK_MEMBERS(id, body, level, group, created_at, expires_at, attempts, failures, concat_ref,
                    segments, pinned_sim, past, without_validity);
    SMSRACK_LATER_MEMBERS(self_sms, queued_by);
};

/// It is not to be begun any more. A step of the machine's clock counts before it was looked at where it may be a pause of the machine.
[[nodiscard]] inline bool is_over(const OutMessage& message, const Clock& clock) {
    const bool is_short = message.expires_at - message.created_at < short_life;
    return message.expires_at <= (is_short ? clock.latest_wall() : clock.wall());
}

}  // namespace smsrack
