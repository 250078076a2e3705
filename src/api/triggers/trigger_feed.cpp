#include "src/api/triggers/trigger_feed.hpp"

#include "src/api/problem.hpp"
#include "src/api/text.hpp"
#include "src/api/triggers/trigger_json.hpp"
#include "src/wire/shared_body.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::api {
namespace {

bool is_within(std::string_view piece, const std::string& text) {
    return piece.data() >= text.data() && piece.data() < text.data() + text.size();
}

}  // namespace

std::unique_ptr<wire::BodyReader> TriggerFeed::begin(trigger::Door& door, TriggerFeeds& feeds,
                                                     std::string trigger,
                                                     wire::ResponderPtr responder) {
    const auto* const form = door.form(trigger);
    if (form == nullptr) {
        responder->send(problem(no_such_trigger(&door, trigger)));
        return nullptr;
    }
    auto feed = std::make_shared<TriggerFeed>(
        Parts{.door = door, .feeds = feeds, .responder = std::move(responder)}, *form,
        FeedLeft{.trigger = std::move(trigger)});
    feed->say_where();
    return std::make_unique<wire::SharedBody<TriggerFeed>>(std::move(feed));
}

std::unique_ptr<wire::BodyReader> TriggerFeed::resume(trigger::Door& door, TriggerFeeds& feeds,
                                                      std::string_view mark,
                                                      wire::ResponderPtr responder) {
    auto left = read_feed_mark(mark);
    const auto* const form = left ? door.form(left->trigger) : nullptr;
    if (form == nullptr) {
        responder->cut();
        return nullptr;
    }
    auto feed = std::make_shared<TriggerFeed>(
        Parts{.door = door, .feeds = feeds, .responder = std::move(responder)}, *form,
        *std::move(left));
    feed->say_where();
    feed->go_on();
    return feed->state_ != FeedState::reading
               ? nullptr
               : std::make_unique<wire::SharedBody<TriggerFeed>>(std::move(feed));
}

TriggerFeed::TriggerFeed(Parts parts, const trigger::EventForm& form, FeedLeft left)
    : parts_(std::move(parts)),
      trigger_(std::move(left.trigger)),
      reader_(form, trigger::chunk_events_max),
      splitter_(left.place),
      text_(std::move(left.text)),
      decided_line_(left.place.number),
      counts_(std::move(left.counts)),
      state_(left.ended ? FeedState::ending : FeedState::reading) {}

void TriggerFeed::apply(FeedEvent event) {
    state_ = next(feed_rules, state_, event).value_or(state_);
}

/// Anywhere: a feed whose body has ended may still wait for overload to pass.
void TriggerFeed::say_where() {
    parts_.responder->resumable([weak = weak_from_this()] {
        const auto self = weak.lock();
        return self ? self->mark() : std::string();
    });
}

void TriggerFeed::data(std::string_view piece) {
    if (!failure_) {
        text_ += piece;
        go_on();
    }
}

void TriggerFeed::end() {
    apply(FeedEvent::body_ended);
    const bool within_line = text_.empty() ? splitter_.within_line() : !text_.ends_with('\n');
    if (within_line && !failure_) {
        text_ += '\n';
    }
    go_on();
}

void TriggerFeed::stopped() {
    parts_.responder->resumable(nullptr);
    fail_with({.code = Errc::closed,
               .context = "the service stops; continue after the last line that was decided"});
    answer_if_done();
}

void TriggerFeed::aborted() {
    apply(FeedEvent::left);
    text_.clear();
}

void TriggerFeed::go_on() {
    if (offering_ || state_ == FeedState::over) {
        return;  // the running call resumes
    }
    Offered offered = offer_some();
    while (offered == Offered::some) {
        offered = offer_some();
    }
    parts_.responder->pause_body(offered == Offered::no_room);
    parts_.responder->holds(octets_held());
    answer_if_done();
}

TriggerFeed::Offered TriggerFeed::offer_some() {
    const bool worth_it =
        text_.size() >= text_wanted || chunks_.empty() || state_ != FeedState::reading;
    if (failure_ || text_.empty() || !worth_it) {
        return Offered::nothing;
    }
    chunks_.push_back(
        {.number = next_chunk_++, .begin = splitter_.place(), .text = std::exchange(text_, {})});
    read_chunk(chunks_.back());
    offering_ = true;
    const auto offered = offer(chunks_.back());
    offering_ = false;
    if (!offered && offered.error().code == Errc::busy) {
        take_back_last();
        parts_.feeds.wait_for_room(shared_from_this());
        return Offered::no_room;
    }
    if (!offered) {
        chunks_.pop_back();
        fail_with(offered.error());
        return Offered::nothing;
    }
    count_decided();
    return Offered::some;
}

void TriggerFeed::read_chunk(Chunk& chunk) {
    reader_.forget();
    events_.clear();
    std::string_view rest = chunk.text;
    while (events_.size() < trigger::chunk_events_max) {
        const auto line = splitter_.next(rest);
        if (!line) {
            break;
        }
        take_line(*line, chunk);
    }
    text_ = rest;
    chunk.text.resize(chunk.text.size() - rest.size());
    chunk.last_line = splitter_.lines();
}

void TriggerFeed::take_line(const wire::LineSplitter::Line& line, Chunk& chunk) {
    const auto refuse = [&](std::string why) {
        chunk.unreadable.count(trigger::Verdict::bad);
        chunk.unreadable.sample(line.number, std::move(why));
    };
    if (line.too_long) {
        return refuse("a line of more than 64 KiB");
    }
    // A line of two pieces is the splitter's only until its next one.
    auto event =
        reader_.read(is_within(line.text, chunk.text) ? line.text : reader_.keep(line.text));
    if (!event) {
        return refuse(valid_text(event.error().context));
    }
    event->line = line.number;
    events_.push_back(*event);
}

Result<> TriggerFeed::offer(const Chunk& chunk) {
    const std::uint64_t number = chunk.number;
    if (events_.empty()) {
        answered(number, trigger::Counts());
        return {};
    }
    return parts_.door.offer(trigger_, events_,
                             [self = shared_from_this(), number](Result<trigger::Counts> counts) {
                                 self->answered(number, std::move(counts));
                                 self->go_on();
                             });
}

/// As if it had not been read.
void TriggerFeed::take_back_last() {
    Chunk& last = chunks_.back();
    splitter_ = wire::LineSplitter(std::move(last.begin));
    last.text += text_;
    text_ = std::move(last.text);
    chunks_.pop_back();
}

void TriggerFeed::answered(std::uint64_t chunk, Result<trigger::Counts> counts) {
    if (state_ == FeedState::over) {
        return;
    }
    if (!counts) {
        return fail_with(std::move(counts.error()));
    }
    const auto found = std::ranges::find(chunks_, chunk, &Chunk::number);
    if (found != chunks_.end()) {  // otherwise an older one has failed
        found->answer = *std::move(counts);
        count_decided();
    }
}

/// In the order of the lines.
void TriggerFeed::count_decided() {
    while (!offering_ && !chunks_.empty() && chunks_.front().answer) {
        const Chunk& first = chunks_.front();
        parts_.feeds.add_unreadable(trigger_, first.unreadable.of(trigger::Verdict::bad));
        counts_.add(first.unreadable);
        counts_.add(*first.answer);
        decided_line_ = first.last_line;
        chunks_.pop_front();
    }
}

/// What is with the engine may still be decided; there is no wait for it, since sending it again
/// does no harm.
void TriggerFeed::fail_with(Error error) {
    if (!failure_) {
        failure_ = std::move(error);
    }
    text_.clear();
}

void TriggerFeed::answer_if_done() {
    const bool done = failure_ || (state_ == FeedState::ending && text_.empty() && chunks_.empty());
    if (state_ == FeedState::over || !done) {
        return;
    }
    apply(FeedEvent::left);
    parts_.responder->pause_body(false);  // the rest is dropped
    parts_.responder->send(feed_answer(counts_, decided_line_, failure_));
}

std::string TriggerFeed::mark() {
    FeedLeft left{
        .trigger = trigger_, .counts = std::move(counts_), .ended = state_ == FeedState::ending};
    apply(FeedEvent::left);
    left.place = chunks_.empty() ? splitter_.place() : chunks_.front().begin;
    for (const Chunk& chunk : chunks_) {
        left.text += chunk.text;
    }
    left.text += text_;
    return feed_mark(left);
}

std::size_t TriggerFeed::octets_held() const {
    std::size_t octets = text_.size();
    for (const Chunk& chunk : chunks_) {
        octets += chunk.text.size();
    }
    return octets;
}

}  // namespace smsrack::api
