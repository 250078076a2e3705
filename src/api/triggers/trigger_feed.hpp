/// Streams events, one per line, into one trigger. Reads no faster than the engine decides.
///
/// Answered once, at the end: how many events were accepted, what became of them, and up to which
/// line all are decided. What was offered and is not answered is kept as text, so another process
/// can resume at any point: an event that comes twice is a repeat.
/// Bound:   trigger::chunks_max chunks of text_wanted + one read of the session with the engine, and as much again before it; then
///          the body is not read on. It waits for the store, and for overload to pass.
/// Threads: loop thread.
/// Errors:  storage, closed: with what was decided until then; a line that is no event is counted, and hurts no other.
#pragma once

#include "src/api/call.hpp"
#include "src/api/events/event_line.hpp"
#include "src/api/triggers/trigger_feed_mark.hpp"
#include "src/api/triggers/trigger_feeds.hpp"
#include "src/base/state_table.hpp"
#include "src/wire/ndjson.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::api {

enum class FeedState : std::uint8_t {
    reading,
    ending,  ///< the body has ended; what is left of it is decided
    over,    ///< the client has its answer or is gone, or another process has the feed
};
enum class FeedEvent : std::uint8_t { body_ended, left };

inline constexpr std::array feed_rules{
    Rule{FeedState::reading, FeedEvent::body_ended, FeedState::ending},
    Rule{FeedState::reading, FeedEvent::left, FeedState::over},
    Rule{FeedState::ending, FeedEvent::left, FeedState::over},
};
static_assert(!next(feed_rules, FeedState::over, FeedEvent::body_ended));

class TriggerFeed final : public std::enable_shared_from_this<TriggerFeed> {
public:
    /// Some 2,500 events; a smaller chunk is offered only where none is under way.
    static constexpr std::size_t text_wanted = 128UL * 1024;

    /// Null, and answered, where the trigger is not there.
    [[nodiscard]] static std::unique_ptr<wire::BodyReader> begin(trigger::Door& door,
                                                                 TriggerFeeds& feeds,
                                                                 std::string trigger,
                                                                 wire::ResponderPtr responder);

    /// Resumes one that another process has begun. Null if its body had ended. Null, with the
    /// connection cut, if the mark is not of this version or the trigger does not exist any more.
    [[nodiscard]] static std::unique_ptr<wire::BodyReader> resume(trigger::Door& door,
                                                                  TriggerFeeds& feeds,
                                                                  std::string_view mark,
                                                                  wire::ResponderPtr responder);

    struct Parts {
        trigger::Door& door;
        TriggerFeeds& feeds;
        wire::ResponderPtr responder;
    };
    TriggerFeed(Parts parts, const trigger::EventForm& form, FeedLeft left);

    void data(std::string_view piece);
    void end();
    void stopped();
    void aborted();
    void go_on();

    /// Octets of events that are here; for the test of the bound.
    [[nodiscard]] std::size_t octets_held() const;

private:
    struct Chunk {
        std::uint64_t number = 0;
        wire::LinePlace begin = {};
        std::string text = {};
        std::uint64_t last_line = 0;
        trigger::Counts unreadable = {};
        std::optional<trigger::Counts> answer = {};
    };

    enum class Offered : std::uint8_t { nothing, some, no_room };
    [[nodiscard]] Offered offer_some();
    void apply(FeedEvent event);
    void read_chunk(Chunk& chunk);
    void take_line(const wire::LineSplitter::Line& line, Chunk& chunk);
    [[nodiscard]] Result<> offer(const Chunk& chunk);
    void take_back_last();
    void answered(std::uint64_t chunk, Result<trigger::Counts> counts);
    void count_decided();
    void fail_with(Error error);
    void answer_if_done();
    void say_where();
    [[nodiscard]] std::string mark();

    const Parts parts_;
    const std::string trigger_;
    EventLineReader reader_;
    wire::LineSplitter splitter_;
    std::string text_;                    // read from the socket, not split yet
    std::vector<trigger::Event> events_;  // of the chunk that is being read
    std::deque<Chunk> chunks_;  // with the engine, oldest first; those answered wait for older ones
    std::uint64_t next_chunk_ = 1;
    std::uint64_t decided_line_;  // up to here all are decided,
    trigger::Counts counts_;      // and this became of them
    std::optional<Error> failure_;
    FeedState state_;
    bool offering_ = false;  // answers may come meanwhile
};

}  // namespace smsrack::api
