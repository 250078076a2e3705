/// Questions to the store on one read connection; each object is one snapshot.
///
/// Threads: one thread at a time.
/// Errors:  storage; not_found where said.
#pragma once

#include "db/engine/connection.hpp"
#include "src/ports/store_reader.hpp"

namespace smsrack::db {

class Queries final : public ports::StoreReader {
public:
    /// Begins the snapshot; it ends with the object. `connection` outlives it.
    explicit Queries(Connection& connection);
    Queries(const Queries&) = delete;
    Queries& operator=(const Queries&) = delete;
    ~Queries() override;

    [[nodiscard]] Result<std::vector<OutMessage>> queued(GroupId group, Level level, EventSeq after,
                                                         std::size_t limit) override;
    [[nodiscard]] Result<std::optional<WallTime>> next_due(WallTime after) override;
    [[nodiscard]] Result<std::vector<ports::UncertainAttempt>> uncertain(
        std::optional<WallTime> overdue_at, std::size_t limit) override;
    [[nodiscard]] Result<ports::Expected> expects(SimId sim, WallTime now,
                                                  AttemptId settled) override;
    [[nodiscard]] Result<std::optional<WallTime>> longest_waiting() override;
    [[nodiscard]] Result<OutMessage> out_message(MessageId id) override;

    [[nodiscard]] Result<std::vector<ports::MessageRow>> messages(
        const ports::MessageFilter& filter) override;
    [[nodiscard]] Result<ports::FoundMessages> find_messages(const ports::MessageFilter& filter,
                                                             const ports::Wanted& wanted) override;
    [[nodiscard]] Result<ports::MessageDetail> message(MessageId id) override;
    [[nodiscard]] Result<ports::MessageRow> message_row(MessageId id) override;
    [[nodiscard]] Result<std::vector<ports::InboxRow>> inbox(
        const ports::InboxFilter& filter) override;
    [[nodiscard]] Result<ports::FoundInbox> find_inbox(const ports::InboxFilter& filter,
                                                       const ports::Wanted& wanted) override;
    [[nodiscard]] Result<ports::InboxRow> inbox_row(InboxId id) override;
    [[nodiscard]] Result<ports::FoundConversations> conversations(
        const ports::ConversationPage& page) override;
    [[nodiscard]] Result<std::vector<ports::Said>> said(
        const std::string& number, const ports::ConversationPage& page) override;
    [[nodiscard]] Result<std::vector<Event>> events(EventSeq after, std::size_t limit) override;
    [[nodiscard]] Result<EventSeq> last_event() override;
    [[nodiscard]] Result<std::vector<Event>> events_of(EventScope of, EventSeq after,
                                                       std::size_t limit) override;
    [[nodiscard]] Result<std::vector<ports::ClientRow>> clients(const std::string& after,
                                                                std::size_t limit) override;
    [[nodiscard]] Result<ports::ClientRow> client(const std::string& name) override;
    [[nodiscard]] Result<std::vector<ports::RefusalCount>> refusals(const std::string& client,
                                                                    std::size_t limit) override;
    [[nodiscard]] Result<std::map<std::string, std::int64_t>> refused_messages() override;

    [[nodiscard]] Result<std::vector<ports::Pause>> pauses() override;
    [[nodiscard]] Result<std::vector<ports::BatchRow>> batches(BatchId before,
                                                               std::size_t limit) override;
    [[nodiscard]] Result<ports::BatchRow> batch(const std::string& name) override;
    [[nodiscard]] Result<std::vector<ports::OptOutRow>> opt_outs(const std::string& after,
                                                                 std::size_t limit) override;
    [[nodiscard]] Result<std::optional<ports::OptOutRow>> opt_out(
        const std::string& number) override;

private:
    Connection& db_;
};

}  // namespace smsrack::db
