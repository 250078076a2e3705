/// What a box keeps of the messages that the boxes of a fleet share: commands and questions.
///
/// A message that another box may begin has the state `elsewhere`; a firm one is `queued`. So nothing
/// that sends has to ask for more than the state. Each message has one row on this box and one place
/// in the fleet (FleetStage), both changed in one transaction.
/// All ids here are those of the fleet, which the accepting box gave out. The row of another box's
/// message has an own number on this box (FleetRow::row), so that rows and events stay in order of
/// time; what is shown of it has the fleet's id (Event::origin, MessageRow::origin).
///
/// Time:    all times are by this box's clock: the caller translates what another box has dated.
/// Threads, Errors: as CommandPort and QuestionPort. Without [cluster] nothing posts these.
#pragma once

#include "src/base/box_ids.hpp"
#include "src/ports/command.hpp"
#include "src/ports/engine_id.hpp"
#include "src/ports/question.hpp"
#include "src/ports/shared_rule.hpp"
#include "src/ports/trigger_store.hpp"
#include "src/sms/fleet_stage.hpp"
#include "src/sms/inbound.hpp"
#include "src/sms/message.hpp"
#include "src/sms/sim_usage.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace smsrack::ports {

/// Messages in one command: some milliseconds of the writing thread.
inline constexpr std::size_t fleet_batch_max = 192;

/// Keeps what the engine has answered about messages: where they are, and how safely it has them.
/// What is firm or has ended here stays so, and only `kept` is noted of it, and the epoch of a firm
/// one that has none. Answers those that are at `stage` now.
struct NoteShared {
    using Answer = std::vector<MessageId>;
    std::vector<MessageId> messages = {};
    FleetStage stage = FleetStage::away;  ///< away, held or firm
    std::optional<Kept> kept = {};        ///< nullopt: as it is known already
    Epoch epoch = {};                     ///< under which this box holds them; 0: it does not
    BoxNumber box = {};                   ///< that has them, where it is known and another one
    WallTime at = {};
    /// An event message.kept of each that the engine did not have before, and was accepted before this: its client
    /// was answered `here`.
    WallTime told_before = {};
};

/// A message of another box, which the engine has given to this one.
struct TakenMessage {
    MessageId id = {};  ///< the fleet's; of another box
    /// As its box accepted it, dated by this box's clock. It has no client, account or ref here.
    NewMessage message;
};

/// Keeps the rows of other boxes' messages as held. One that is known already is held again, if this
/// box has neither begun nor ended it. Answers the stage of each, in order.
struct TakeIn {
    using Answer = std::vector<FleetStage>;
    std::vector<TakenMessage> messages = {};
    Epoch epoch = {};
};

/// Queues messages that this box holds, or with epoch 0 those that it accepted and that no engine can have: from
/// the commit on it may begin them. In a cancelled batch they are cancelled. Answers those that are firm now.
struct MakeFirm {
    using Answer = std::vector<MessageId>;
    std::vector<MessageId> messages = {};
    Epoch epoch = {};
    WallTime at = {};
};

/// Makes firm messages of which nothing was begun `elsewhere` again, so that none of them can be begun
/// here any more. Answers those that are held now.
struct Lend {
    using Answer = std::vector<MessageId>;
    std::vector<MessageId> messages = {};
    WallTime at = {};
};

/// What another box made of a message that this one accepted. `state`: uncertain or an end; or
/// elsewhere, where it was uncertain and certainly was not sent. Nothing changes if the message has
/// this state already. Answers its state.
/// Errors: not_found; conflict: this box may begin it, or has begun it, or its state can't follow, or the
///         engine may have it where it is `only_here`.
struct EndElsewhere {
    using Answer = MessageState;
    MessageId message = {};
    MessageState state = MessageState::sent;
    Cause cause = {};
    std::string detail = {};
    BoxNumber box = {};
    WallTime at = {};
    bool only_here = false;  ///< only if no engine can have it
    /// It is as if its client had not handed it in: its ref and its text are free again.
    bool forgets_ref = false;
};

/// The engine knows how these ended.
struct NoteSettled {
    using Answer = void;
    std::vector<MessageId> messages = {};
};

/// Removes the rows of other boxes' messages that this box does not have any more (stage away) and of
/// which it has begun nothing. Answers how many.
struct LetGo {
    using Answer = std::size_t;
    std::vector<MessageId> messages = {};
};

/// From now on the rules of this box are those of the fleet that it is number `box` of: the others get its opt-outs and
/// cancelled batches. Again with the same number: changes nothing.
struct ShareRules {
    using Answer = void;
    BoxNumber box;
    bool again = false;  ///< all once more, and those of the others too: the engine was restored
};

/// The engine has these of OwnRule::number.
struct NoteRulesKept {
    using Answer = void;
    std::vector<std::int64_t> numbers = {};
};

/// Obeys what the engine has up to `mark`, in order. A rule that was changed here and that the engine does not have
/// yet stays as it is.
struct ObeyRules {
    using Answer = void;
    std::vector<OperatorRule> rules = {};
    ReadMark mark = {};
    WallTime heard = {};  ///< there are no more; unset: there may be
};

/// A status report that speaks of no message of the box that got it: its SIM has sent from another one.
struct StrayReport {
    std::int64_t number = 0;   ///< in the order of arrival
    std::string card = {};     ///< card_name() of the SIM
    StatusReport report = {};  ///< `sim` is the number of the box that got it
};

/// Keeps a status report that another box got, and applies it, where it speaks of a message that this box has sent.
/// Answers whether it does. Again: as it was.
struct TakeReport {
    using Answer = bool;
    StrayReport stray;
};

/// Reports up to this number have no place here, or the other boxes got them.
struct NoteStraysTold {
    using Answer = void;
    std::int64_t number = 0;
};

/// What this box knows of the engine that it has its seat in.
struct EngineMemory {
    EngineId engine = {};
    std::int64_t beats = 0;  ///< of this box, that were answered
};

struct KeepEngine {
    using Answer = void;
    EngineMemory memory;
};

/// Marks as not in the engine what has not ended, in a page of rows behind `after`.
struct PutAgain {
    struct Page {
        MessageId last = {};                  ///< 0: there is none behind it
        std::vector<MessageId> settled = {};  ///< in it: the engine may have forgotten their ends
        std::vector<MessageId> expired = {};  ///< of them: own ones that no box sends any more
    };
    using Answer = Page;
    MessageId after = {};
    WallTime now = {};
    std::size_t limit = 0;
};

/// Marks as not in the engine messages that are settled: it has forgotten their ends.
struct PutEndsAgain {
    using Answer = void;
    std::vector<MessageId> messages = {};
};

/// What a SIM has sent from this box.
struct SimCount {
    SimUsage usage = {};  ///< with the number of recipients of its month
    /// Hashes, of that month; where they were asked for.
    std::vector<std::uint64_t> recipients = {};
};

/// What the fleet has told of a SIM that is in this box, in the words of src/cluster; empty: nothing any more.
struct KeepSimShare {
    using Answer = void;
    std::string iccid = {};
    std::string form = {};
};

/// Which SIM a recipient knows, as the engine has it. A SIM that was never here is passed over.
struct NoteKnownSims {
    struct Known {
        std::string to = {};
        std::string iccid = {};
    };
    using Answer = void;
    std::vector<Known> known = {};
    WallTime at = {};
};

/// Where one message is.
struct FleetRow {
    MessageId id = {};   ///< the fleet's
    MessageId row = {};  ///< this box's number of it: the order and cursor of all lists
    FleetStage stage = FleetStage::here;
    Kept kept = Kept::here;
    Epoch epoch = {};
    BoxNumber box = {};  ///< another one that has or had it; 0: none is known
    MessageState state = MessageState::elsewhere;
    bool is_begun = false;  ///< here: an attempt of it is on disk
    std::string detail = {};
    /// FleetReader::known_sim() of one that was sent by a sticky route; of at_stage(ended) alone.
    std::string known_sim = {};
};

/// What a trigger's message claims in the engine: its recipient and its topic, once over all boxes.
struct SharedPair {
    std::string words = {};  ///< trigger, topic and number; empty: no trigger made the message
    /// How long its trigger keeps it; nullopt: for ever.
    std::optional<std::chrono::seconds> retain = {};
};

/// A pair that this box has claimed, and whose message was perhaps sent.
struct OwnPair {
    Pair pair = {};          ///< the cursor of own_pairs()
    std::string words = {};  ///< as SharedPair
    MessageId message = {};
    WallTime claimed_at = {};
};

struct OwnPairs {
    std::vector<OwnPair> pairs = {};
    std::optional<Pair> last = {};  ///< that was looked at; nullopt: none is behind `after`
};

struct StrayReports {
    std::vector<StrayReport> reports = {};
    std::int64_t last = 0;  ///< that was looked at
    bool has_more = false;
};

/// A message that no engine can have.
struct LoneRow {
    MessageId id = {};
    std::string group = {};
    Level level = 3;
};

struct LonePage {
    std::vector<LoneRow> rows = {};
    MessageId last = {};  ///< that was looked at; 0: none is behind `after`
};

/// Rows at each stage but settled, and those that are not in the engine yet.
struct FleetCounts {
    std::array<std::int64_t, fleet_stage_count> stages = {};  ///< settled ones are not counted: 0
    std::int64_t kept_here = 0;
    std::int64_t own_rules = 0;  ///< as FleetReader::own_rules()
};

/// What keeps a box from being switched off although it has no work.
struct BoxTies {
    bool reports = false;    ///< its SIMs await some
    bool sticky = false;     ///< recipients know its SIMs
    AttemptId settled = {};  ///< for the next question: nothing is awaited up to this one
};

struct TiesQuestion {
    WallTime now = {};
    std::optional<WallTime> sticky_since = {};  ///< nullopt: recipients do not count
    std::vector<std::string> iccids = {};       ///< of the SIMs in its modems
    AttemptId settled = {};
};

class FleetReader : public Interface {
public:
    /// Those at this stage (not settled) with a `row` above `after`, in that order.
    [[nodiscard]] virtual Result<std::vector<FleetRow>> at_stage(FleetStage stage, MessageId after,
                                                                 std::size_t limit) = 0;
    /// Those that the engine does not have yet, likewise.
    [[nodiscard]] virtual Result<std::vector<FleetRow>> kept_here(MessageId after,
                                                                  std::size_t limit) = 0;
    /// Those of them that an engine may have had: neither `here`, nor queued or sent before one answered.
    [[nodiscard]] virtual Result<std::vector<FleetRow>> put_again(MessageId after,
                                                                  std::size_t limit) = 0;
    /// A page behind `after` of those that the engine can't have and this box may not begin yet: of these levels,
    /// the highest first. None that a trigger has made.
    [[nodiscard]] virtual Result<LonePage> lone(MessageId after, Level lowest, Level highest) = 0;
    /// Those that are elsewhere and whose time is over, likewise.
    [[nodiscard]] virtual Result<std::vector<FleetRow>> overdue(WallTime now, MessageId after,
                                                                std::size_t limit) = 0;
    /// In order of `ids`, by the fleet's id; nullopt: no such row.
    [[nodiscard]] virtual Result<std::vector<std::optional<FleetRow>>> find(
        std::span<const MessageId> ids) = 0;
    /// The message as it was accepted, to put it into the engine. not_found.
    [[nodiscard]] virtual Result<NewMessage> content(MessageId id) = 0;
    [[nodiscard]] virtual Result<SharedPair> pair(MessageId id) = 0;
    [[nodiscard]] virtual Result<FleetCounts> counts() = 0;
    /// What the engine does not have yet, in order.
    [[nodiscard]] virtual Result<std::vector<OwnRule>> own_rules(std::size_t limit) = 0;
    [[nodiscard]] virtual Result<RulesPlace> rules_place() = 0;
    /// ICCID of the SIM that sent last to this recipient by a sticky route; empty: none did.
    [[nodiscard]] virtual Result<std::string> known_sim(const std::string& to) = 0;
    [[nodiscard]] virtual Result<SimCount> sim_count(const std::string& iccid,
                                                     bool with_recipients) = 0;
    [[nodiscard]] virtual Result<BoxTies> ties(const TiesQuestion& question) = 0;
    /// Those that have sent something from this box, the latest month first.
    [[nodiscard]] virtual Result<std::vector<std::string>> used_sims(std::size_t limit) = 0;
    /// In a page behind `after` those that came before `until`; `after` 0: behind NoteStraysTold.
    [[nodiscard]] virtual Result<StrayReports> stray_reports(std::int64_t after, WallTime until,
                                                             std::size_t limit) = 0;
    /// nullopt: this box had no seat yet.
    [[nodiscard]] virtual Result<std::optional<EngineMemory>> engine() = 0;
    /// Claimed `since` then, in a page of pairs behind `after`.
    [[nodiscard]] virtual Result<OwnPairs> own_pairs(Pair after, WallTime since,
                                                     std::size_t limit) = 0;
    /// KeepSimShare::form; empty: there is none.
    [[nodiscard]] virtual Result<std::string> sim_share(const std::string& iccid) = 0;
};

class FleetStore
    : public CommandPort<NoteShared, TakeIn, MakeFirm, Lend, EndElsewhere, NoteSettled, LetGo,
                         ShareRules, NoteRulesKept, ObeyRules, KeepSimShare, NoteKnownSims,
                         KeepEngine, PutAgain, PutEndsAgain, TakeReport, NoteStraysTold>,
      public QuestionPort<FleetReader> {};

}  // namespace smsrack::ports
