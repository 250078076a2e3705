/// A store of box 7 of a fleet, and what the engine would say to it.
#pragma once

#include "src/base/box_ids.hpp"
#include "src/ports/fleet_store.hpp"
#include "tests/db/store_fixture.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::test {

struct FleetFixture : StoreFixture {
    explicit FleetFixture(std::int32_t number = 7)
        : StoreFixture({.box = BoxNumber{number}, .capacity = 1'000}) {
        rules.shares_rules = true;
    }

    [[nodiscard]] NewMessage shared_message(std::string text = "hello") const {
        NewMessage m = message("+33612345678", std::move(text));
        m.shared = true;
        return m;
    }
    MessageId shared() { return accepted(shared_message()); }
    /// The id of another box's message.
    [[nodiscard]] static MessageId guest_id(std::int32_t box, std::int64_t number = 1) {
        return MessageId{before_ids_of(BoxNumber{box}) + number};
    }
    FleetStage take_in(MessageId id, Epoch epoch = Epoch{3}) {
        return take_in(id, shared_message(), epoch);
    }
    FleetStage take_in(MessageId id, NewMessage m, Epoch epoch = Epoch{3}) {
        const auto stages = ask(ports::TakeIn{{{.id = id, .message = std::move(m)}}, epoch});
        REQUIRE(stages);
        return stages->at(0);
    }
    /// Whether the message is at `stage` now.
    bool note(MessageId id, FleetStage stage, Kept kept = Kept::cluster) {
        return !ask(ports::NoteShared{
                        .messages = {id}, .stage = stage, .kept = kept, .epoch = Epoch{3}})
                    ->empty();
    }
    bool make_firm(MessageId id) {
        return !ask(ports::MakeFirm{{id}, Epoch{3}, clock.wall()})->empty();
    }
    bool lend(MessageId id) { return !ask(ports::Lend{{id}, clock.wall()})->empty(); }
    Result<MessageState> told(MessageId id, MessageState state, std::string detail = "") {
        return ask(ports::EndElsewhere{.message = id,
                                       .state = state,
                                       .detail = std::move(detail),
                                       .box = BoxNumber{2},
                                       .at = clock.wall()});
    }
    /// A firm message that this box has accepted.
    MessageId firm() {
        const MessageId id = shared();
        REQUIRE(note(id, FleetStage::held));
        REQUIRE(make_firm(id));
        return id;
    }
    ports::FleetRow place(MessageId id) {
        const auto rows = look<ports::FleetReader>(
            [id](ports::FleetReader& r) { return r.find(std::vector{id}); });
        REQUIRE(rows);
        REQUIRE(rows->at(0));
        return *rows->at(0);
    }
    FleetStage stage(MessageId id) { return place(id).stage; }
    std::vector<MessageId> at(FleetStage stage) {
        std::vector<MessageId> ids;
        const auto read = [stage](ports::FleetReader& r) { return r.at_stage(stage, {}, 100); };
        const auto rows = look<ports::FleetReader>(read);
        for (const ports::FleetRow& row : *rows) {
            ids.push_back(row.id);
        }
        return ids;
    }
    std::vector<MessageId> kept_here() {
        std::vector<MessageId> ids;
        const auto read = [](ports::FleetReader& r) { return r.kept_here({}, 100); };
        const auto rows = look<ports::FleetReader>(read);
        for (const ports::FleetRow& row : *rows) {
            ids.push_back(row.id);
        }
        return ids;
    }
    ports::FleetCounts counts_of_fleet() {
        return look<ports::FleetReader>([](ports::FleetReader& r) { return r.counts(); }).value();
    }
    std::vector<OutMessage> queued() {
        const GroupId group = store->group_id("default").value();
        return look([group](ports::StoreReader& r) { return r.queued(group, 3, {}, 100); }).value();
    }
};

}  // namespace smsrack::test
