/// What a batch changes in addition to its rows: the sequence, the counts by state, the events and who has
/// new work.
///
/// Threads: the writing thread; counts() by any.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/connection.hpp"
#include "src/ports/store.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::db {

/// A message in this state is still to be sent, or is on its way to the network.
[[nodiscard]] constexpr bool is_work(MessageState state) {
    return state == MessageState::queued || state == MessageState::sending;
}

/// It has not ended, and the network has not taken it for certain.
[[nodiscard]] constexpr bool awaits_end(MessageState state) {
    return state == MessageState::scheduled || is_work(state) || state == MessageState::uncertain ||
           state == MessageState::elsewhere;
}

class Ledger {
public:
    /// `connection` outlives the object.
    explicit Ledger(Connection& connection);

    /// The next number of the one sequence. A batch that fails does not give its numbers back.
    [[nodiscard]] std::int64_t next_number() { return ++sequence_; }
    [[nodiscard]] std::int64_t last_number() const { return sequence_; }

    /// The numbers continue above `number`.
    void skip_to(std::int64_t number) { sequence_ = std::max(sequence_, number); }

    void count(MessageState state, Level level, std::int64_t by);
    /// Segments that come to the work of this group and level, or leave it. `of`: the message's batch.
    void count_work(GroupId group, Level level, std::int64_t segments, BatchId of) {
        batch_work_moved_[{group, level}] += segments;
        if (of != BatchId{}) {
            work_of_batches_moved_[{of, {group, level}}] += segments;
        }
    }
    /// The same for a message's batch; none: nothing.
    void count(BatchId batch, MessageState state, std::int64_t by);
    struct ClientMove {
        std::int64_t buffered = 0;
        std::int64_t waiting = 0;
        std::int64_t lost = 0;
    };
    /// The same for the client that brought a message; none: nothing.
    void count(ClientId client, const ClientMove& by);
    void count(ClientId client, MessageState state, std::int64_t by);
    /// What is counted and not in its row yet.
    [[nodiscard]] ClientMove moved(ClientId client) const;
    /// Into the rows of the clients, as far as counted.
    void write_clients();
    /// Into the rows of the batches, as far as counted.
    void write_batches();
    [[nodiscard]] std::int64_t waiting() const;  ///< awaits_end(), this batch included

    /// Writes the row of an event and tells it after the commit. `prev`: the one before, of the
    /// same message.
    EventSeq append(Event event, EventSeq prev);
    /// A message.received, told with its row. `answers`: Event::answers.
    void append_received(WallTime at, ports::InboxRow row, ClientId answers);
    /// The first event of a message, whose row is the message itself.
    void append_first(Event event) {
        count(event.client, {.buffered = 1});
        events_.push_back(std::move(event));
    }
    /// This message became queued: the listener hears that work waits.
    void work_waits(GroupId group, Level level, MessageId message) {
        const auto [place, is_first] = work_.try_emplace({group, level}, message);
        place->second = is_first ? message : MessageId{};
    }
    /// It is queued no more. Where it was the only one, a line has it: nothing waits.
    void work_began(GroupId group, Level level, MessageId message) {
        const auto place = work_.find({group, level});
        if (place != work_.end() && place->second == message) {
            work_.erase(place);
        }
    }
    /// A service.notice.
    void notice(WallTime at, std::string detail);
    /// The listener gets all pauses after the commit.
    void pauses_changed() { pauses_changed_ = true; }

    void begin();       ///< a batch; what an unfinished one has counted is forgotten
    void write_head();  ///< last in the transaction
    void committed();
    /// After committed(): the events in order of seq, then who has work.
    void tell(ports::StoreListener& listener);
    void rolled_back() { begin(); }

    [[nodiscard]] ports::StateCounts counts() const;
    [[nodiscard]] ports::LevelCounts queued() const;
    [[nodiscard]] std::int64_t queued_messages() const;  ///< of all levels
    /// Segments queued or sending, but for those of batches that are held.
    [[nodiscard]] ports::LevelCounts work(GroupId group) const;

private:
    using Place = std::pair<GroupId, Level>;
    struct Counts {
        ports::StateCounts states = {};
        ports::LevelCounts queued = {};
        friend bool operator==(const Counts&, const Counts&) = default;
    };

    void read_work();
    void write_work();
    void note_held();
    void look_at_held();

    Connection& connection_;
    std::int64_t sequence_ = 0;
    std::int64_t sequence_written_ = 0;
    Counts batch_counts_ = {};  // with this batch
    std::vector<Event> events_ = {};
    std::vector<ports::InboxRow> received_ = {};  // of those that are message.received
    std::map<Place, MessageId> work_ = {};        // the one that came; 0: several. Bound: as below
    std::map<Place, std::int64_t> batch_work_moved_ = {};  // bound: groups times levels
    std::map<std::pair<BatchId, Place>, std::int64_t> work_of_batches_moved_ = {};
    std::map<BatchId, ports::StateCounts> batches_ = {};  // changes not written; of this batch
    std::map<ClientId, ClientMove> clients_ = {};         // likewise; bound: clients in the store
    std::set<BatchId> held_ = {};  // as of the last commit; bound: batches in the store
    std::optional<std::map<GroupId, ports::LevelCounts>> held_work_then_ = {};  // with this batch
    bool pauses_changed_ = false;
    std::vector<ports::Pause> pauses_ = {};                  // with this batch, where they changed
    mutable std::mutex mutex_;                               // guards what follows
    Counts counts_ = {};                                     // as of the last commit
    std::map<GroupId, ports::LevelCounts> group_work_ = {};  // likewise
    std::map<GroupId, ports::LevelCounts> held_work_ = {};   // likewise; the part of held batches
};

}  // namespace smsrack::db
