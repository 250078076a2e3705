/// The truth that the boxes of a fleet share: which box has each message, what was claimed for each
/// (number, topic), the operator's rules, and mail between boxes.
///
/// Words: a message is *waiting* (no box has it), *held* (one box has it, another box gets it if
/// that one dies), *firm* (held, and its box may begin it without asking) or *ended*. The *epoch* is
/// the number of a box's right to write: it grows when another box takes its work, and when
/// the box enters again. A *beat* says that a box runs.
/// Safety: each command of a seat is one transaction that is refused where the epoch of its seat is not
/// the newest of its box. Firm is never given to another box but by TakeFirm and SettleMessages,
///         and in a rebuild by PutMessages and NotePutBack.
/// Time:    the engine's own clock decides nothing, and no two machines' clocks are compared.
/// Threads: post() from any thread. A completion runs on the engine's thread, and only hands over.
///          Commands of one box are carried out in the order of their post(). A lost connection is
///          made again with EnterFleet, so that what the box held and does not know of is waiting.
/// Errors:  closed: certainly nothing was done. outcome_unknown: it was done or not, also where the
///          commit came with a warning: ask again by id (FindMessages) and conclude nothing before.
///          conflict with detail epoch_outdated: the epoch is not the newest of this box; nothing was
///          done. storage: the engine's disk is full; nothing was done. queue_full: too many commands
///          wait; nothing was done. bad_encoding: a text is not UTF-8, or has a NUL; nothing was done.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/ids.hpp"
#include "src/base/result.hpp"
#include "src/ports/command.hpp"
#include "src/ports/engine_id.hpp"
#include "src/ports/engine_sims.hpp"
#include "src/ports/seat.hpp"
#include "src/ports/shared_rule.hpp"
#include "src/ports/trigger_store.hpp"
#include "src/sms/level.hpp"
#include "src/sms/message.hpp"
#include "src/sms/message_states.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::ports {

/// Of messages, rules and mail in one command.
inline constexpr std::size_t engine_batch_max = 256;

/// Error::detail of the conflict of a seat that is not the newest of its box.
inline constexpr int epoch_outdated = 2;

/// Who a box is. `key` is its secret; the engine keeps only a hash of it.
struct BoxName {
    std::string name = {};
    std::string key = {};
};

/// Registers a box; the same name and key again get the same number. One that has a number has something to put
/// back, perhaps; and an engine without boxes is in the place of another one, so it is in doubt.
/// Errors: conflict: the name belongs to another key, the number to another box, or a box without one comes in
///         doubt or amid a rebuild, when numbers may be forgotten. queue_full: all numbers are given out.
struct RegisterBox {
    using Answer = BoxNumber;
    BoxName who;
    std::string site = {};
    BoxNumber number = {};  ///< that another engine gave it, and that is in its ids; 0: any
};

/// What a box finds as it enters.
struct Entry {
    Seat seat = {};
    EngineId engine = {};
    std::int64_t beats = 0;    ///< that the engine has counted of this box, this entry included
    WallTime wall = {};        ///< BoxReport::wall, as it said it last; 0: it did not
    bool is_doubted = false;   ///< Doubt came after the last Rebuild
    bool has_put_back = true;  ///< this box, all that it has, since the last Rebuild
    bool all_have = true;      ///< so has each that is waited for
};

/// Takes the seat of a box: its epoch grows by 1, what it held becomes waiting, what was firm stays
/// its own. It counts as a beat: so no box that saw the one before takes its firm messages now.
/// Errors: not_allowed: no such box, or another key, or it has left. newer_database: `release` is
///         older than the engine's schema allows; the context names the release that is needed.
struct EnterFleet {
    using Answer = Entry;
    BoxName who;
    Epoch after = {};           ///< the newest that it knows of its own: the next one is higher
    std::uint32_t release = 0;  ///< number of the newest schema that the program knows
};

/// The numbers are stored: never change one.
enum class BoxLife : std::uint8_t {
    running = 0,
    draining = 1,  ///< gives back what it has not begun, takes nothing new
    parked = 2,    ///< drained, and switched off by the policy of scaling
    dead = 3,      ///< an operator's word that it will not send again
    left = 4,      ///< it is no part of the fleet any more
};
inline constexpr std::array<std::string_view, 5> box_life_names{"running", "draining", "parked",
                                                                "dead", "left"};

/// What a box says of itself with each beat.
struct BoxReport {
    std::string version = {};
    std::int64_t modems = 0;    ///< that can send
    double messages_per_s = 0;  ///< measured, of all its modems
    std::int64_t awaits_reports = 0;
    bool engine_node = false;
    WallTime wall = {};  ///< its clock, as it sent the beat; 0: as before
};

struct BoxRow {
    BoxNumber box = {};
    std::string name = {};
    std::string site = {};
    BoxLife life = BoxLife::running;
    Epoch epoch = {};
    /// Counted; a box that watches it judges its pace by its own steady clock.
    std::int64_t beats = 0;
    BoxReport report = {};
    std::int64_t held = 0;
    std::int64_t firm = 0;
    bool has_put_back = true;    ///< as Entry
    bool is_waited_for = false;  ///< before any box takes something
};

struct Fleet {
    std::vector<BoxRow> boxes = {};  ///< by number
    std::int64_t waiting = 0;
    bool two_disks = false;  ///< a synchronous standby has what is committed
    bool has_rules = true;   ///< ReadRules behind the mark of the beat finds some
    bool has_mail = true;    ///< so does ReadMail; both perhaps not at once
};

/// Counts a beat of this box. The marks: up to which it has read.
struct Beat {
    using Answer = Fleet;
    Seat seat;
    BoxReport report = {};
    ReadMark rules = {};
    ReadMark mail = {};
};

/// The numbers are stored: never change one.
enum class SharedStage : std::uint8_t { waiting = 0, held = 1, firm = 2, ended = 3 };
inline constexpr std::array<std::string_view, 4> shared_stage_names{"waiting", "held", "firm",
                                                                    "ended"};

/// A message as the engine has it. What the engine decides by has a member; the rest is `form`.
struct SharedMessage {
    MessageId id = {};  ///< given by the box that accepted it
    std::string group = {};
    Level level = 3;
    std::string batch = {};         ///< label; empty: none
    std::string sticky_iccid = {};  ///< the SIM that its recipient knows; empty: any
    /// As a new message: the engine knows better which SIM that is, where any box has sent to the recipient.
    bool is_sticky = false;
    std::string form = {};  ///< the message itself, in the words of src/cluster
};

/// What must hold of a new message over all boxes, checked in the transaction that keeps it.
struct SharedChecks {
    std::string ref = {};           ///< with its scope: the client or account; empty: none
    std::uint64_t fingerprint = 0;  ///< of the request: the same ref with another one is a conflict
    std::string recipient = {};     ///< hash of the number, in hexadecimal digits
    bool heeds_opt_out = true;      ///< false: its group or level is exempt
    std::uint64_t text_hash = 0;    ///< of (to, text); 0: not compared
    std::chrono::milliseconds duplicate_window{0};  ///< 0: not compared
    RecipientLimits limits = {};
    std::string client = {};  ///< empty: none
    std::optional<std::int64_t> client_waiting_max = {};
    /// "trigger topic number": claimed in this transaction; empty: none.
    std::string pair = {};
    /// Its last claim is as if it was not; nullopt: never.
    std::optional<std::chrono::seconds> pair_free_after = {};
};

struct PutMessage {
    SharedMessage message = {};
    SharedChecks checks = {};
    /// waiting, or held or firm by the seat: firm only where the box has it on its disk.
    SharedStage stage = SharedStage::waiting;
    /// Put back as firm, and certainly begun: it is the seat's, also where another box has put it back as firm.
    bool is_begun = false;
};

enum class PutOutcome : std::uint8_t {
    kept,
    repeated,  ///< the same ref and fingerprint: `first` has the first answer
    ref_conflict,
    opted_out,
    duplicate,
    recipient_limit,
    client_limit,
    batch_cancelled,
    seen,  ///< the pair was claimed before, by `first`
};

struct PutAnswer {
    PutOutcome outcome = PutOutcome::kept;
    MessageId first = {};  ///< of the message that is in the way; kept: the message's own
};

struct PutAnswers {
    std::vector<PutAnswer> messages = {};  ///< in the order of the command
    bool two_disks = false;                ///< a synchronous standby has the commit on its disk
};

/// Keeps messages, each for itself, in order. A message whose id is known already is answered `kept`
/// and left as it is: so an unknown outcome is asked about by the same command again. But what is put as firm becomes
/// firm by the seat, unless it is firm by another box which has put it back: its box has begun it, perhaps. And it
/// gets the ref that it lacks.
struct PutMessages {
    using Answer = PutAnswers;
    Seat seat;
    std::vector<PutMessage> messages = {};
};

struct TakeWish {
    std::string group = {};
    Level lowest = 0;  ///< and those above
    std::size_t limit = 0;
};

/// Gives waiting messages to the seat, which holds them from then on: of each wish those of the highest level
/// first, then the longest waiting. A message with a sticky SIM goes to the box that
/// has it in a modem of the message's group; to any box where that one is `absent` or does not run, or none has the SIM, or
/// the message is older than `sticky_wait`.
struct TakeMessages {
    using Answer = std::vector<SharedMessage>;
    Seat seat;
    std::vector<TakeWish> wishes = {};
    /// Boxes that have been silent for `sticky_wait`.
    std::vector<BoxNumber> absent = {};
    std::chrono::seconds sticky_wait{300};
};

/// Makes firm what the seat holds. Answers those that are firm and the seat's now: the others it has not.
struct FirmMessages {
    using Answer = std::vector<MessageId>;
    Seat seat;
    std::vector<MessageId> messages = {};
};

/// Gives back what the seat holds or has firm, and has certainly not begun. Answers those that are
/// not the seat's any more.
struct GiveBack {
    using Answer = std::vector<MessageId>;
    Seat seat;
    std::vector<MessageId> messages = {};
};

struct Settlement {
    MessageId message = {};
    MessageState state = MessageState::sent;
    bool unbegun = false;     ///< nothing of it was begun: expired or cancelled as it waited
    bool frees_pair = false;  ///< it certainly was not sent: its pair is free again
    /// The SIM that its recipient knows from now on; empty: as before.
    std::string sticky_iccid = {};
};

/// Ends messages. What the box has begun ends wherever it is, also after TakeFirm, unless another box
/// has it firm; what it has not begun ends where it waits, or is held or firm by this box. A later settlement of
/// the same message only changes its state, that of one that was not begun changes nothing. Answers those that it ended or that had ended.
struct SettleMessages {
    using Answer = std::vector<MessageId>;
    Seat seat;
    std::vector<Settlement> messages = {};
};

/// Takes the work of a silent box: its epoch grows, what it held becomes waiting. Firm stays firm.
/// Answers how many became waiting.
/// Errors: conflict: it beat again, or its epoch is another one; nothing was done.
struct TakeOver {
    using Answer = std::size_t;
    Seat seat;               ///< of the box that takes the work
    Seat from;               ///< the silent box, as it was seen
    std::int64_t beats = 0;  ///< of it, as it was seen
};

/// Decides the firm messages of a box that certainly begins nothing more: makes them waiting
/// again (policy `resend`), or ends them failed. Answers those.
/// Errors: conflict: as TakeOver.
struct TakeFirm {
    using Answer = std::vector<MessageId>;
    Seat seat;
    Seat from;
    std::int64_t beats = 0;
    bool resend = false;
    std::size_t limit = 0;
};

/// Changes the life of a box by an operator's word, which ends what the policy of scaling has decided about it. The epoch of a
/// box that is dead or left grows.
/// Errors: not_found; conflict: it has messages and would leave.
struct SetLife {
    using Answer = void;
    Seat seat;
    std::string name = {};
    BoxLife life = BoxLife::running;
};

/// What a box said last of its work, in the words of src/cluster.
struct BoxLoad {
    BoxNumber box = {};
    std::string form = {};
};

/// What the policy of scaling decided last, whichever box it was.
struct FleetDecision {
    /// One more with each, and where a person's word ends one; 0: there was none.
    std::int64_t number = 0;
    BoxNumber by = {};
    BoxNumber box = {};  ///< whose life it changed; 0: a person has decided about it since
    BoxLife life = BoxLife::running;
    std::string form = {};
};

struct FleetLoad {
    std::vector<BoxLoad> boxes = {};  ///< by number, of those that have not left
    FleetDecision decision = {};
};

/// Keeps what this box says of its work. Answers what all boxes said, and the newest decision.
struct ShareLoad {
    using Answer = FleetLoad;
    Seat seat;
    std::string form = {};
};

/// A decision of the policy of scaling: changes the life of a box, if none was made behind `after` and the box has the
/// life `from`. So of several boxes that decide at once one does. Answers its number.
/// Errors: conflict: it was not so, and nothing was done; also where there is no such box.
struct DecideLife {
    using Answer = std::int64_t;
    Seat seat;
    std::int64_t after = 0;
    BoxNumber box = {};
    BoxLife from = BoxLife::running;
    BoxLife to = BoxLife::running;
    std::string form = {};
};

/// This box knows of something that the engine has forgotten: it was restored from a backup, or is another
/// one. Nothing is taken from it any more before a Rebuild: what waits there may have been sent. The seats of all
/// other boxes are outdated.
struct Doubt {
    using Answer = void;
    Seat seat;
};

/// By a person's word: each box puts back what it has, and none takes anything before all have. All seats are
/// outdated, and what was firm is so only until its box has put back what it has.
struct Rebuild {
    using Answer = void;
    Seat seat;
};

/// This box has put back all that it has: what else was firm by it waits. What waits may have been begun by a
/// box that was called dead meanwhile, so it becomes firm by that one, some at a time. Answers false while there is more
/// of it: then it comes again.
struct NotePutBack {
    using Answer = bool;
    Seat seat;
    std::size_t limit = 10'000;
};

struct ClaimedPair {
    std::string pair = {};  ///< as SharedChecks::pair
    MessageId message = {};
    std::chrono::seconds age{0};  ///< of the claim
};

/// Claims pairs for messages that have ended, or will. One that is claimed stays as it is.
struct PutPairs {
    using Answer = void;
    Seat seat;
    std::vector<ClaimedPair> pairs = {};
};

struct Whereabouts {
    MessageId message = {};
    SharedStage stage = SharedStage::waiting;
    Seat seat = {};  ///< held, firm: whose; ended: of the box that had it
    MessageState state = MessageState::queued;  ///< ended: how
    bool is_decided = false;  ///< ended: by TakeFirm, so that box may have sent it
};

/// Removes what the engine still knows of messages that ended longer ago, by its own clock: their
/// refs and texts are free again, and their ids are not known any more. So does it with the SIM that a recipient knows, and with letters that were not read. The
/// pairs stay. Answers how many messages.
struct ForgetEnded {
    using Answer = std::size_t;
    Seat seat;
    std::chrono::seconds older_than{0};
    std::size_t limit = 0;
};

/// Where these messages are; one that the engine does not know is left out.
struct FindMessages {
    using Answer = std::vector<Whereabouts>;
    Seat seat;
    std::vector<MessageId> messages = {};
};

/// One rule of the operator, or a recipient's wish: the newest row of each (kind, subject) holds.
struct SharedRule {
    RuleKind kind = RuleKind::opt_out;
    /// opt_out: as SharedChecks::recipient; otherwise OperatorRule::name.
    std::string subject = {};
    bool holds = true;  ///< false: it is over
    std::string form = {};
    std::int64_t number = 0;  ///< OwnRule::number
};

struct RulesKept {
    bool two_disks = false;  ///< as PutAnswers
};

/// Keeps rules, also where they were so before. One whose number is not above those that this box was answered for
/// is left out: so an unknown outcome is asked about by the same command again, and undoes nothing.
struct KeepRules {
    using Answer = RulesKept;
    Seat seat;
    std::vector<SharedRule> rules = {};
};

struct RulesRead {
    std::vector<SharedRule> rules = {};
    ReadMark mark = {};  ///< for the next question
};

/// Rules that changed behind `after`, none of which a later question could find before it.
struct ReadRules {
    using Answer = RulesRead;
    Seat seat;
    ReadMark after = {};
    std::size_t limit = 0;
};

/// From box to box: an end of another box's message, a status report, an answer.
struct Mail {
    BoxNumber to = {};
    std::string form = {};
};

/// `hurries`: the boxes are notified, since someone waits for it.
struct SendMail {
    using Answer = void;
    Seat seat;
    std::vector<Mail> mail = {};
    bool hurries = false;
};

struct MailRead {
    std::vector<std::string> mail = {};
    ReadMark mark = {};
};

/// Mail to the seat behind `after`; what is not behind it is removed. As ReadRules.
struct ReadMail {
    using Answer = MailRead;
    Seat seat;
    ReadMark after = {};
    std::size_t limit = 0;
};

/// One of the facts that `cluster check` looks at.
struct EngineFact {
    std::string name = {};  ///< such as "synchronous_commit"
    std::string value = {};
    bool good = true;
    std::string advice = {};  ///< where it is not
};

struct CheckEngine {
    using Answer = std::vector<EngineFact>;
};

/// Of rules, or of mail to a box.
struct EngineNotice {
    BoxNumber mail_to = {};  ///< 0: of rules
    friend auto operator<=>(const EngineNotice&, const EngineNotice&) = default;
};

/// See the head of the file.
class ClusterEngine
    : public CommandPort<RegisterBox, EnterFleet, Beat, PutMessages, NameSims, TakeMessages,
                         FirmMessages, GiveBack, SettleMessages, TakeOver, TakeFirm, SetLife,
                         ShareLoad, DecideLife, FindMessages, ForgetEnded, KeepRules, ReadRules,
                         SendMail, ReadMail, CheckEngine, Doubt, Rebuild, NotePutBack, PutPairs> {
public:
    /// `noticed` is called on the engine's thread when a box has kept rules, or has sent mail that hurries: within moments, or
    /// not at all where the connection was lost meanwhile. Before the first command, or after the last; empty: no more.
    virtual void on_notice(std::function<void(EngineNotice)> noticed) = 0;
};

}  // namespace smsrack::ports
