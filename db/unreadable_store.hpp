/// The answer to every question when no read connection can be had.
///
/// Threads: one thread at a time.
/// Errors:  the one given, to every call.
#pragma once

#include "src/ports/store_reader.hpp"

#include <utility>

namespace smsrack::db {

class UnreadableStore : public ports::StoreReader {
public:
    explicit UnreadableStore(Error error) : error_(std::move(error)) {}

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
    [[nodiscard]] Result<OutMessage> out_message(MessageId) override { return why(); }
    [[nodiscard]] Result<std::vector<ports::MessageRow>> messages(
        const ports::MessageFilter&) override {
        return why();
    }
    [[nodiscard]] Result<ports::MessageDetail> message(MessageId) override { return why(); }
    [[nodiscard]] Result<std::vector<ports::InboxRow>> inbox(const ports::InboxFilter&) override {
        return why();
    }
    [[nodiscard]] Result<ports::InboxRow> inbox_row(InboxId) override { return why(); }
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
    [[nodiscard]] std::unexpected<Error> why() const { return std::unexpected(error_); }

    const Error error_;
};

}  // namespace smsrack::db
