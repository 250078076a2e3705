/// The boxes of a rig, entered, and short words for what the cases ask.
#pragma once

#include "tests/fleet/conformance/engine_rig.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace smsrack::test {

struct FleetInRig {
    explicit FleetInRig(EngineRig& engine) : rig(engine) {
        for (std::size_t i = 0; i < EngineRig::box_count; ++i) {
            REQUIRE(ask(rig, i, ports::RegisterBox{.who = who(i), .site = "here"}));
            seats.push_back(enter(i));
        }
    }

    static ports::BoxName who(std::size_t box) {
        return {.name = "box" + std::to_string(box), .key = "key" + std::to_string(box)};
    }
    ports::Seat enter(std::size_t box) const { return entry(box).seat; }
    ports::Entry entry(std::size_t box) const {
        return must(ask(rig, box, ports::EnterFleet{.who = who(box), .release = release}));
    }

    /// ports::SharedRule::number of the next rule.
    std::int64_t next_rule() const { return ++rules; }

    static ports::PutMessage message(std::int64_t id,
                                     ports::SharedStage stage = ports::SharedStage::waiting) {
        return {
            .message = {.id = MessageId{id}, .group = "g", .form = "form of " + std::to_string(id)},
            .stage = stage};
    }
    Result<ports::PutAnswers> put(std::size_t box, std::vector<ports::PutMessage> messages) const {
        return ask(rig, box,
                   ports::PutMessages{.seat = seats.at(box), .messages = std::move(messages)});
    }
    /// Of one message.
    ports::PutAnswer put_one(std::size_t box, ports::PutMessage one) const {
        return must(put(box, {std::move(one)})).messages.at(0);
    }
    /// Some from `first` on, that nothing is in the way of.
    void keep(std::size_t box, std::int64_t first, std::int64_t count = 1,
              ports::SharedStage stage = ports::SharedStage::waiting) const {
        std::vector<ports::PutMessage> messages;
        for (std::int64_t id = first; id < first + count; ++id) {
            messages.push_back(message(id, stage));
        }
        const auto answers = must(put(box, std::move(messages)));
        for (const auto& answer : answers.messages) {
            REQUIRE(answer.outcome == ports::PutOutcome::kept);
        }
    }
    std::vector<std::int64_t> take(std::size_t box, std::size_t limit, Level lowest = 0,
                                   std::vector<ports::BoxNumber> absent = {}) const {
        ports::TakeMessages command{.seat = seats.at(box),
                                    .absent = std::move(absent),
                                    .sticky_wait = std::chrono::hours(24)};
        command.wishes.push_back({.group = "g", .lowest = lowest, .limit = limit});
        const auto messages = must(ask(rig, box, std::move(command)));
        std::vector<std::int64_t> taken;
        for (const auto& one : messages) {
            taken.push_back(one.id.value);
        }
        return taken;
    }
    static std::vector<std::int64_t> numbers(const std::vector<MessageId>& messages) {
        std::vector<std::int64_t> numbers;
        for (const MessageId one : messages) {
            numbers.push_back(one.value);
        }
        return numbers;
    }
    static std::vector<MessageId> ids(std::initializer_list<std::int64_t> numbers) {
        std::vector<MessageId> all;
        for (const std::int64_t number : numbers) {
            all.push_back(MessageId{number});
        }
        return all;
    }
    std::vector<std::int64_t> firm(std::size_t box,
                                   std::initializer_list<std::int64_t> messages) const {
        return numbers(must(
            ask(rig, box, ports::FirmMessages{.seat = seats.at(box), .messages = ids(messages)})));
    }
    std::vector<std::int64_t> give_back(std::size_t box,
                                        std::initializer_list<std::int64_t> messages) const {
        return numbers(
            must(ask(rig, box, ports::GiveBack{.seat = seats.at(box), .messages = ids(messages)})));
    }
    bool settle(std::size_t box, ports::Settlement end) const {
        const auto ended =
            must(ask(rig, box, ports::SettleMessages{.seat = seats.at(box), .messages = {end}}));
        return ended == std::vector{end.message};
    }
    /// Where a message is, asked by the third box; of one that the engine does not know: nullopt.
    std::optional<ports::Whereabouts> find(std::int64_t message) const {
        const auto found = must(ask(
            rig, 2, ports::FindMessages{.seat = seats.at(2), .messages = {MessageId{message}}}));
        return found.empty() ? std::nullopt : std::optional(found.front());
    }
    ports::SharedStage stage(std::int64_t message) const { return find(message).value().stage; }
    ports::Fleet beat(std::size_t box) const {
        return must(ask(rig, box, ports::Beat{.seat = seats.at(box)}));
    }
    /// As another box sees it.
    ports::BoxRow row(std::size_t box) const {
        for (const ports::BoxRow& one : beat(box == 2 ? 0 : 2).boxes) {
            if (one.box == seats.at(box).box) {
                return one;
            }
        }
        throw std::runtime_error("no such box");
    }
    Result<std::size_t> take_over(std::size_t by, std::size_t from) const {
        const auto seen = row(from);
        return ask(rig, by,
                   ports::TakeOver{.seat = seats.at(by),
                                   .from = {.box = seen.box, .epoch = seen.epoch},
                                   .beats = seen.beats});
    }

    static constexpr std::uint32_t release = 1'000'000;  // newer than any
    EngineRig& rig;
    std::vector<ports::Seat> seats = {};
    mutable std::int64_t rules = 0;
};

}  // namespace smsrack::test
