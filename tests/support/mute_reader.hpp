/// A reader without answers: the base of a test's reader, which overrides what is asked.
///
/// Errors:  storage, to every question.
#pragma once

#include "src/ports/store_reader.hpp"

namespace smsrack::test {

class MuteReader : public ports::StoreReader {
public:
    [[nodiscard]] Result<std::vector<OutMessage>> queued(GroupId, Level, EventSeq,
                                                         std::size_t) override {
        return why();
    }
    [[nodiscard]] Result<std::optional<WallTime>> next_due(WallTime) override { return why(); }
    [[nodiscard]] Result<ports::Expected> expects(SimId, WallTime, AttemptId) override {
        return why();
    }
    [[nodiscard]] Result<std::vector<ports::UncertainAttempt>> uncertain(std::optional<WallTime>,
                                                                         std::size_t) override {
        return why();
    }
    [[nodiscard]] Result<std::optional<WallTime>> longest_waiting() override { return why(); }
    [[nodiscard]] Result<OutMessage> out_message(MessageId) override { return why(); }
    [[nodiscard]] Result<std::vector<ports::MessageRow>> messages(
        const ports::MessageFilter&) override {
        return why();
    }
    [[nodiscard]] Result<ports::FoundMessages> find_messages(const ports::MessageFilter&,
                                                             const ports::Wanted&) override {
        return why();
    }
    [[nodiscard]] Result<ports::MessageDetail> message(MessageId) override { return why(); }
    [[nodiscard]] Result<ports::MessageRow> message_row(MessageId) override { return why(); }
    [[nodiscard]] Result<std::vector<ports::InboxRow>> inbox(const ports::InboxFilter&) override {
        return why();
    }
    [[nodiscard]] Result<ports::FoundInbox> find_inbox(const ports::InboxFilter&,
                                                       const ports::Wanted&) override {
        return why();
    }
    [[nodiscard]] Result<ports::InboxRow> inbox_row(InboxId) override { return why(); }
    [[nodiscard]] Result<ports::FoundConversations> conversations(
        const ports::ConversationPage&) override {
        return why();
    }
    [[nodiscard]] Result<std::vector<ports::Said>> said(const std::string&,
                                                        const ports::ConversationPage&) override {
        return why();
    }
    [[nodiscard]] Result<std::vector<Event>> events(EventSeq, std::size_t) override {
        return why();
    }
    [[nodiscard]] Result<EventSeq> last_event() override { return why(); }
    [[nodiscard]] Result<std::vector<Event>> events_of(EventScope, EventSeq, std::size_t) override {
        return why();
    }
    [[nodiscard]] Result<std::vector<ports::ClientRow>> clients(const std::string&,
                                                                std::size_t) override {
        return why();
    }
    [[nodiscard]] Result<ports::ClientRow> client(const std::string&) override { return why(); }
    [[nodiscard]] Result<std::vector<ports::RefusalCount>> refusals(const std::string&,
                                                                    std::size_t) override {
        return why();
    }
    [[nodiscard]] Result<std::map<std::string, std::int64_t>> refused_messages() override {
        return why();
    }
    [[nodiscard]] Result<std::vector<ports::Pause>> pauses() override { return why(); }
    [[nodiscard]] Result<std::vector<ports::BatchRow>> batches(BatchId, std::size_t) override {
        return why();
    }
    [[nodiscard]] Result<ports::BatchRow> batch(const std::string&) override { return why(); }
    [[nodiscard]] Result<std::vector<ports::OptOutRow>> opt_outs(const std::string&,
                                                                 std::size_t) override {
        return why();
    }
    [[nodiscard]] Result<std::optional<ports::OptOutRow>> opt_out(const std::string&) override {
        return why();
    }

private:
    [[nodiscard]] static std::unexpected<Error> why() { return fail(Errc::storage, "mute"); }
};

}  // namespace smsrack::test
