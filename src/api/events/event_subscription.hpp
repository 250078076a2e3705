/// One client's event stream: of all events, of those of the messages of its client name, or of
/// those of its account.
///
/// Reads on from its place: in the tail of EventStream while that reaches back so far, else in the
/// store. The next batch is written when the client has taken the one before and its account has room for it; the session
/// cuts a client that takes nothing for write_time.
/// Threads: loop thread; lasts as long as the answer.
#pragma once

#include "src/api/api.hpp"
#include "src/api/events/event_batch.hpp"
#include "src/notify/event_stream.hpp"
#include "src/notify/front_ends.hpp"
#include "src/ports/store_reader.hpp"
#include "src/sms/event.hpp"
#include "src/wire/http_message.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::api {

/// The subscriber, and the events that it may see.
struct Listener {
    std::string name = {};  ///< of its client; empty: it gave none
    ClientId id = {};
    bool all = false;  ///< with a name: it wants what others brought too, and what comes in
    InboxShare inbox = InboxShare::none;  ///< with a name, without `all`
    /// Without a name: it sees the messages of this account alone.
    std::optional<OwnerId> account = {};

    [[nodiscard]] EventScope scope() const {
        return all ? EventScope{} : EventScope{.client = id, .owner = account, .inbox = inbox};
    }
};

class EventSubscription final : public notify::EventSubscriber,
                                public notify::FrontEndConnection,
                                public std::enable_shared_from_this<EventSubscription> {
public:
    static constexpr std::size_t batch_bytes = 128UL * 1024;  ///< room that a batch needs

    /// `types`: names of events; empty: all of them.
    EventSubscription(const ApiParts& parts, wire::ResponderPtr responder,
                      std::set<std::string> types, Listener listener);
    ~EventSubscription() override = default;

    /// `after`: the last event that the client has seen; nullopt: only what comes from now on. An id above the newest event is
    /// of another database (restored, or set aside): then all events of this one.
    void start(std::optional<EventSeq> after);
    /// The same for the named client of this row: after `taken` if it has acknowledged that, else
    /// after its cursor. With `all`, an id above the newest event and a row that has acknowledged
    /// nullopt: all events.
    void start_named(const ports::ClientRow& row, std::optional<EventSeq> taken);

    /// Resumes an answer whose head was sent by another process, from its mark(). False: the mark
    /// is invalid, belongs to a named client of another database, or to a client that the caller
    /// may not use any more.
    [[nodiscard]] static bool resume(const ApiParts& parts, const Caller& caller,
                                     std::string_view mark, wire::ResponderPtr responder);

    void events_wait() override { pump(); }
    void end_with(std::string_view word) override;

private:
    using Question = std::function<Result<EventBatch>(ports::StoreReader&)>;

    /// "events 4711 message.sent,modem.state", "client billing 17 own 4711 message.sent,"; instead
    /// of "own" also "all", "own+replies" or "own+all", of which an earlier version reads "own".
    [[nodiscard]] std::string mark() const;
    void listen();
    void stop();
    void pump();
    /// Reads one batch where it can be had; false where there is none, or it comes later.
    [[nodiscard]] bool pump_one();
    void ask_store(Question question);
    void take(const Result<EventBatch>& batch);
    void write(const EventBatch& batch);
    void begin_answer(EventSeq newest);
    [[nodiscard]] EventSeq subscribe();
    [[nodiscard]] EventScope scope() const { return client_.scope(); }
    [[nodiscard]] std::optional<EventBatch> from_tail() const;
    /// Adds the rows of received messages from what came with the events; false if some is missing.
    [[nodiscard]] bool add_told_rows(EventBatch& batch) const;

    const ApiParts& parts_;
    wire::ResponderPtr responder_;
    const std::set<std::string> types_;
    Listener client_;
    EventSeq seen_ = {};    // everything up to here was written, or is not wanted
    bool asking_ = false;   // an answer of the store is on its way
    bool waiting_ = false;  // for the client to take what it has
    bool stopped_ = false;
};

}  // namespace smsrack::api
