/// Questions to the store, each on one consistent snapshot.
///
/// Threads: one thread at a time; every call waits for the disk.
/// Errors:  storage.
#pragma once

#include "src/base/box_ids.hpp"
#include "src/base/interface.hpp"
#include "src/base/result.hpp"
#include "src/ports/notes.hpp"
#include "src/ports/pause.hpp"
#include "src/ports/refusals.hpp"
#include "src/sms/event.hpp"
#include "src/sms/fleet_stage.hpp"
#include "src/sms/inbound.hpp"
#include "src/sms/message.hpp"
#include "src/sms/outcome.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace smsrack::ports {

/// One attempt whose outcome is unknown.
struct UncertainAttempt {
    AttemptId attempt = {};
    MessageId message = {};
    std::uint8_t segment = 0;
    std::string modem = {};
    SimId sim = {};
    WallTime started_at = {};
    std::uint16_t attempts = 0;
    /// it was open when this process opened the store: its line is asked for evidence
    bool recovered = false;
};

struct MessageFilter {
    std::optional<MessageState> state = {};
    std::optional<Level> level = {};
    std::string to = {};  ///< normalised; empty: any
    std::string ref = {};
    std::string group = {};              ///< name; empty: any
    std::string batch = {};              ///< label; empty: any
    std::string client = {};             ///< name; empty: any
    std::optional<OwnerId> owner = {};   ///< nullopt: any account
    std::optional<WallTime> since = {};  ///< created at or after
    std::optional<WallTime> until = {};  ///< created before
    MessageId before = {};               ///< only older ones (cursor); 0: from the newest
    std::size_t limit = 100;
    bool with_body = true;  ///< false: MessageRow::body stays empty, which keeps a long page small
};

struct MessageRow {
    MessageId id = {};      ///< on this box: the order and the cursor of lists
    MessageId origin = {};  ///< the id that clients know, where another box accepted it; 0: `id`
    std::string to = {};
    MessageState state = MessageState::queued;
    Level level = 3;
    std::uint8_t segments = 1;
    std::string modem = {};  ///< of the last attempt
    std::string group = {};
    std::string ref = {};
    std::string batch = {};   ///< label; empty: none
    std::string client = {};  ///< name of who brought it; empty: none
    /// account that brought it; nullopt: not known (an old row)
    std::optional<OwnerId> owner = {};
    WallTime created_at = {};
    WallTime updated_at = {};
    WallTime expires_at = {};
    /// not_before, next_attempt_at, or when the uncertain policy applies
    std::optional<WallTime> due_at = {};
    bool partial = false;
    Cause cause = {};         ///< of the last trouble
    std::string detail = {};  ///< its word ("outcome_unknown", "ttl" ...)
    MessageBody body = {};
    std::string note = {};  ///< from its client; empty: none, or without `with_body`
};

/// The id that clients know the message by.
[[nodiscard]] inline MessageId shown_id(const MessageRow& row) {
    return row.origin == MessageId{} ? row.id : row.origin;
}

struct AttemptRow {
    AttemptId id = {};
    std::uint16_t number = 0;  ///< from 1, over the whole message
    std::uint8_t segment = 0;  ///< from 0
    std::string modem = {};
    WallTime started_at = {};
    std::optional<WallTime> ended_at = {};
    SubmitOutcome outcome = {.kind = OutcomeKind::open};
    std::vector<AttemptNote> notes = {};  ///< oldest first; of message() alone
};

struct SegmentRow {
    std::uint8_t index = 0;  ///< from 0
    MessageState state = MessageState::queued;
    std::optional<std::uint8_t> tp_mr = {};
    std::optional<std::uint8_t> tp_status = {};  ///< of the last report
    std::optional<WallTime> reported_at = {};
    std::optional<WallTime> discharge = {};  ///< by the service centre's clock: when it reached the
                                             ///< phone, or was given up
};

/// Of a message that the boxes of a fleet share: where it is, as this box knows.
struct FleetStanding {
    FleetStage stage = FleetStage::here;
    Kept kept = Kept::here;
    Epoch epoch = {};           ///< under which this box has it; 0: it does not
    BoxNumber box = {};         ///< another one that has or had it; 0: none is known
    std::string box_name = {};  ///< of the box that has it, where a caller knows it
};

struct MessageDetail {
    MessageRow message;
    std::optional<SimCard> by = {};  ///< the SIM that its client named; nullopt: any
    std::vector<SegmentRow> segments;
    std::vector<AttemptRow> attempts;  ///< oldest first
    std::vector<Event> history;        ///< oldest first
    std::optional<FleetStanding> fleet = {};
};

struct InboxRow {
    InboxId id = {};
    std::string from = {};
    std::string to = {};  ///< own number, may be empty
    std::string modem = {};
    InboundText content = {};
    std::string scts_text = {};
    WallTime received_at = {};
    std::uint8_t segments = 1;
    bool incomplete = false;
    bool undecodable = false;  ///< content.data is the raw PDU
    /// an equal one came before, and it is unknown whether it is the same
    bool maybe_repeat = false;
    std::optional<std::uint8_t> message_class = {};
    std::optional<PortAddress> ports = {};
    std::optional<Waiting> waiting = {};
    InboxId replaces = {};    ///< an older row that this one replaces; 0: none
    MessageId reply_to = {};  ///< the newest message sent to that number by that SIM; 0: none

    friend bool operator==(const InboxRow&, const InboxRow&) = default;
};

struct InboxFilter {
    std::optional<WallTime> since = {};  ///< received at or after
    std::optional<WallTime> until = {};  ///< received before
    InboxId after = {};                  ///< only newer ones (cursor); 0: from the oldest
    std::size_t limit = 100;
    /// of texts and data; one more row than reaches this is the last
    std::size_t bytes_max = SIZE_MAX;
};

/// Whether a search wants a row with this number and text (empty if the row has octets).
using Wanted = std::function<bool(std::string_view number, std::string_view text)>;

/// Most rows that one step of a search looks at: some 50 ms of one reader.
inline constexpr std::size_t search_rows_max = 10'000;

/// A step of a search. It may have found nothing, and the search still continues.
template <typename Row, typename RowId>
struct Found {
    std::vector<Row> rows = {};
    RowId next = {};  ///< the cursor that continues; 0: every row was looked at
};
using FoundMessages = Found<MessageRow, MessageId>;
using FoundInbox = Found<InboxRow, InboxId>;

/// One message of a conversation. Sent and received ones have ids of one sequence.
using Said = std::variant<InboxRow, MessageRow>;
[[nodiscard]] inline std::int64_t id_of_said(const Said& said) {
    return std::visit([](const auto& row) { return row.id.value; }, said);
}

/// A number that is in the inbox, and what was said last, by it or to it.
struct Conversation {
    std::string number = {};
    Said last = {};
    std::int64_t sent = 0;      ///< messages to it, also those that were removed since
    std::int64_t received = 0;  ///< likewise
    std::int64_t cursor = 0;    ///< continues behind it
};
using FoundConversations = Found<Conversation, std::int64_t>;

struct ConversationPage {
    std::int64_t before = 0;  ///< only older ones (cursor): id of a message; 0: from the newest
    std::size_t limit = 100;
};

/// How many rows each state has, by the number of MessageState.
using StateCounts = std::array<std::int64_t, message_state_count>;

/// One label of messages.
struct BatchRow {
    BatchId id = {};
    std::string name = {};
    WallTime created_at = {};
    std::optional<WallTime> paused_at = {};
    std::optional<WallTime> cancelled_at = {};  ///< it takes no more messages
    bool cancelling = false;                    ///< some are still to be cancelled
    StateCounts counts = {};                    ///< of its rows in the store
};

/// A number that wants nothing more.
struct OptOutRow {
    std::string number = {};
    WallTime at = {};
    InboxId inbox = {};  ///< the answer that said so; 0: a person did
};

/// A front end that has a name.
struct ClientRow {
    ClientId id = {};
    std::string name = {};
    WallTime created_at = {};
    WallTime seen_at = {};      ///< when it came or acknowledged last
    EventSeq cursor = {};       ///< it has taken its events up to this one
    std::int64_t buffered = 0;  ///< its events behind that
    std::int64_t waiting = 0;   ///< its messages scheduled, queued, sending or uncertain
    std::int64_t lost = 0;      ///< events removed for their age before it took them
    std::optional<WallTime> blocked_at = {};
};

/// What is on its way to a SIM.
struct Expected {
    bool anything = false;
    /// up to this one none will be waited for any more: the next question begins behind it
    AttemptId settled = {};
};

class StoreReader : public Interface {
public:
    // -- for the dispatcher
    /// Queued messages of a group and level with a `queued_by` above `after`, in that order: who
    /// waits longest first.
    [[nodiscard]] virtual Result<std::vector<OutMessage>> queued(GroupId group, Level level,
                                                                 EventSeq after,
                                                                 std::size_t limit) = 0;
    /// When something falls due: a scheduled message, or one between two attempts whose time comes
    /// after `after`; nullopt if none waits.
    [[nodiscard]] virtual Result<std::optional<WallTime>> next_due(WallTime after) = 0;
    /// All attempts whose outcome is unknown, oldest first; with `overdue_at` only those whose time
    /// for the policy has come.
    [[nodiscard]] virtual Result<std::vector<UncertainAttempt>> uncertain(
        std::optional<WallTime> overdue_at, std::size_t limit) = 0;
    /// Is anything on its way to this SIM that must not be missed: a status report, the answer to a submit in doubt, or the
    /// rest of a long message? `settled`: of the answer before, for the same SIM; none: {}.
    [[nodiscard]] virtual Result<Expected> expects(SimId sim, WallTime now, AttemptId settled) = 0;
    /// Since when the queued message waits that waits longest; nullopt if none is queued. Those of paused batches do not count.
    [[nodiscard]] virtual Result<std::optional<WallTime>> longest_waiting() = 0;
    /// One message as the dispatcher needs it. not_found.
    [[nodiscard]] virtual Result<OutMessage> out_message(MessageId id) = 0;

    // -- for the API
    /// newest first
    [[nodiscard]] virtual Result<std::vector<MessageRow>> messages(const MessageFilter& filter) = 0;
    /// Newest first; looks at search_rows_max rows at most.
    [[nodiscard]] virtual Result<FoundMessages> find_messages(const MessageFilter& filter,
                                                              const Wanted& wanted) = 0;
    /// By either id of a message of another box. not_found.
    [[nodiscard]] virtual Result<MessageDetail> message(MessageId id) = 0;
    [[nodiscard]] virtual Result<MessageRow> message_row(MessageId id) = 0;  ///< likewise
    /// oldest first
    [[nodiscard]] virtual Result<std::vector<InboxRow>> inbox(const InboxFilter& filter) = 0;
    /// Oldest first; looks at search_rows_max rows at most.
    [[nodiscard]] virtual Result<FoundInbox> find_inbox(const InboxFilter& filter,
                                                        const Wanted& wanted) = 0;
    [[nodiscard]] virtual Result<InboxRow> inbox_row(InboxId id) = 0;  ///< not_found
    /// Those with the newest messages first.
    [[nodiscard]] virtual Result<FoundConversations> conversations(
        const ConversationPage& page) = 0;
    /// Of any number, newest first.
    [[nodiscard]] virtual Result<std::vector<Said>> said(const std::string& number,
                                                         const ConversationPage& page) = 0;
    /// oldest first
    [[nodiscard]] virtual Result<std::vector<Event>> events(EventSeq after, std::size_t limit) = 0;
    [[nodiscard]] virtual Result<EventSeq> last_event() = 0;
    /// Those of the messages that `of` brought (not all), oldest first.
    [[nodiscard]] virtual Result<std::vector<Event>> events_of(EventScope of, EventSeq after,
                                                               std::size_t limit) = 0;
    /// In order of name, behind `after`.
    [[nodiscard]] virtual Result<std::vector<ClientRow>> clients(const std::string& after,
                                                                 std::size_t limit) = 0;
    [[nodiscard]] virtual Result<ClientRow> client(const std::string& name) = 0;  ///< not_found
    /// Of the messages of this client, newest day first. A name of which no message was kept may
    /// have some.
    [[nodiscard]] virtual Result<std::vector<RefusalCount>> refusals(const std::string& client,
                                                                     std::size_t limit) = 0;
    /// Messages of each named client that rules have refused, as far as the rows go back.
    [[nodiscard]] virtual Result<std::map<std::string, std::int64_t>> refused_messages() = 0;

    // -- what a person has decided
    /// The rack's, then groups, then batches; those of batches that were cancelled too.
    [[nodiscard]] virtual Result<std::vector<Pause>> pauses() = 0;
    /// Newest first, with an id below `before` (0: from the newest).
    [[nodiscard]] virtual Result<std::vector<BatchRow>> batches(BatchId before,
                                                                std::size_t limit) = 0;
    [[nodiscard]] virtual Result<BatchRow> batch(const std::string& name) = 0;  ///< not_found
    /// In order of number, behind `after`.
    [[nodiscard]] virtual Result<std::vector<OptOutRow>> opt_outs(const std::string& after,
                                                                  std::size_t limit) = 0;
    /// Of the subscriber that has this number, however it was written.
    [[nodiscard]] virtual Result<std::optional<OptOutRow>> opt_out(const std::string& number) = 0;
};

}  // namespace smsrack::ports
