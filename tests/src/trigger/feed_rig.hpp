/// The desk of a feed with events that wait there, for the tests of the feed's parts.
#pragma once

#include "src/trigger/feed_desk.hpp"
#include "tests/support/held_commands.hpp"
#include "tests/support/manual_clock.hpp"
#include "tests/support/manual_executor.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::test {

/// Keeps commands and questions; the rows that its reader finds are those of `rows`.
class HeldTriggerStore final : public HeldCommands<ports::TriggerStore> {
public:
    std::map<ports::Pair, ports::PairRow> rows = {};
    std::vector<std::vector<ports::Pair>> asked = {};  // by the questions that were answered
    std::deque<Job> reads = {};

    /// Answers the oldest question.
    void answer_read() { take_read()(&reader_); }
    void fail_read() { take_read()(fail(Errc::storage, "the test says so")); }

private:
    class Reader final : public ports::TriggerReader {
    public:
        explicit Reader(HeldTriggerStore& store) : store_(store) {}

        [[nodiscard]] Result<std::vector<std::optional<ports::PairRow>>> find(
            std::span<const ports::Pair> pairs) override {
            store_.asked.emplace_back(pairs.begin(), pairs.end());
            std::vector<std::optional<ports::PairRow>> found;
            for (const ports::Pair& pair : pairs) {
                const auto row = store_.rows.find(pair);
                found.push_back(row == store_.rows.end() ? std::nullopt
                                                         : std::optional(row->second));
            }
            return found;
        }
        [[nodiscard]] Result<std::vector<ports::PairRow>> pairs(ports::Pair, std::size_t) override {
            return fail(Errc::storage, "no feed asks this");
        }
        [[nodiscard]] Result<std::vector<ports::TopicName>> topics() override {
            return fail(Errc::storage, "no feed asks this");
        }

    private:
        HeldTriggerStore& store_;
    };

    void read(Job job) override { reads.push_back(std::move(job)); }
    Job take_read() {
        Job oldest = std::move(reads.front());
        reads.pop_front();
        return oldest;
    }

    Reader reader_{*this};
};

struct FeedRig {
    ManualClock clock;
    ManualExecutor loop;
    HeldTriggerStore store;
    trigger::FeedDesk desk;
    std::vector<std::string> answers;  // of chunks, as said_by() has them
    std::uint64_t lines = 0;

    explicit FeedRig(trigger::TriggerSettings settings = {.name = "welcome",
                                                          .template_text = "Hi, {topic}"})
        : desk(std::move(settings), HashKey{},
               std::make_shared<dedup::ConfirmedPairs>(std::size_t{1} << 20U, HashKey{}), clock) {}

    /// "2 new, 1 seen", or the error.
    static std::string said_by(const Result<trigger::Counts>& counts) {
        if (!counts) {
            return std::string(errc_name(counts.error().code));
        }
        std::string said;
        for (std::size_t i = 0; i < trigger::verdict_count; ++i) {
            if (counts->by_verdict.at(i) > 0) {
                said += (said.empty() ? "" : ", ") + std::to_string(counts->by_verdict.at(i)) +
                        " " + std::string(trigger::verdict_names.at(i));
            }
        }
        return said;
    }
    [[nodiscard]] ports::Done<trigger::Counts> keep_answer() {
        return [this](Result<trigger::Counts> counts) { answers.push_back(said_by(counts)); };
    }

    trigger::Wanted* follow(const trigger::Chunk& chunk, std::int64_t number,
                            std::string_view topic = "paris", dedup::Held held = dedup::Held::no,
                            SteadyTime fresh_until = never) {
        const trigger::Event event{.line = ++lines, .number = {}, .topic = topic};
        return desk.follow({.place = *desk.book.find(topic),
                            .number = number,
                            .event = &event,
                            .asker = {.chunk = chunk.id, .line = event.line},
                            .fresh_until = fresh_until},
                           held);
    }
    /// A chunk of one event; null: its pair is in flight already.
    trigger::Wanted* want(std::int64_t number, std::string_view topic = "paris",
                          dedup::Held held = dedup::Held::no, SteadyTime fresh_until = never) {
        const trigger::Chunk* const chunk = desk.open(keep_answer());
        const std::uint64_t id = chunk->id;
        trigger::Wanted* const wanted = follow(*chunk, number, topic, held, fresh_until);
        desk.close_one(id);
        return wanted;
    }
    /// The store has this number for the topic.
    void name(std::string_view topic, std::int32_t id) {
        desk.book.number(desk.book.find(topic)->pair_topic, ports::TopicId{id});
    }
    [[nodiscard]] trigger::TopicBook::PairTopic& topic(std::string_view name) {
        return desk.book.pair_topic(*desk.book.known(name));
    }
    [[nodiscard]] trigger::TriggerView shown() const {
        trigger::TriggerView view;
        desk.tally.show(view);
        return view;
    }
};

}  // namespace smsrack::test
