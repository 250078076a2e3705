/// A desk, lines and their world: what a part of the dispatcher needs, without the dispatcher.
#pragma once

#include "src/dispatch/desk.hpp"
#include "src/dispatch/dispatch_address.hpp"
#include "src/dispatch/lines.hpp"
#include "tests/support/error_table.hpp"
#include "tests/support/held_commands.hpp"
#include "tests/support/held_store.hpp"
#include "tests/support/manual_clock.hpp"
#include "tests/support/manual_executor.hpp"
#include "tests/support/quiet_log.hpp"
#include "tests/support/seeded_random.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace smsrack::test {

/// One group without a message, and lines as they are added.
struct DeskRig {
    explicit DeskRig(std::size_t places = 100) : slots(places) {
        desk.add_group(GroupId{1}, "default", 2);
        lines.add_group();
    }

    ManualClock clock;
    QuietLog log;
    HeldStore store;
    HeldCommands<ports::ControlStore> control;
    ManualExecutor pool;
    SeededRandom random{1};
    codec::SendCodec codec{{}, clock, random};
    queue::OutSlots slots;
    SemaphoreWaiter waiter;
    stats::Stats stats;
    dispatch::FlowMeter flow{clock};
    line::LineBoard board;
    dispatch::DispatchAddress address{waiter};
    dispatch::DispatchWorld world{.store = store,
                                  .codec_pool = pool,
                                  .codec = codec,
                                  .slots = slots,
                                  .address = address,
                                  .clock = clock,
                                  .random = random,
                                  .errors = error_table,
                                  .stats = stats,
                                  .flow = flow,
                                  .board = board,
                                  .log = log,
                                  .control = &control};
    dispatch::DispatchBox& mailbox = address.mailbox();
    dispatch::Desk desk{{}, world, mailbox};
    dispatch::Lines lines{{}, error_table};
    std::vector<dispatch::DispatchMail> mail;  ///< that is not for the desk

    [[nodiscard]] SteadyTime now() const { return clock.steady(); }
    /// A line that is ready.
    ModemId line(SimId sim, std::uint16_t group = 0) {
        const ModemId id = board.add("m" + std::to_string(lines.size()), "/dev/null", "default");
        lines.add(group, std::nullopt);
        (void)lines.become_ready(id, sim, now());
        return id;
    }
    /// Of this group, tried before, and due.
    [[nodiscard]] OutMessage message(std::int64_t id, Level level = 3) const {
        OutMessage message;
        message.id = MessageId{id};
        message.group = GroupId{1};
        message.level = level;
        message.body.to = "+33612345678";
        message.body.text = "hello";
        message.created_at = message.queued_at = clock.wall();
        message.expires_at = clock.wall() + std::chrono::hours(24);
        message.attempts = 1;
        return message;
    }
    /// The network took its first segment with this SIM.
    [[nodiscard]] OutMessage begun(std::int64_t id, SimId sim) const {
        OutMessage begun = message(id);
        begun.body.text = std::string(200, 'x');
        begun.pinned_sim = sim;
        begun.segments = {MessageState::sent, MessageState::queued};
        return begun;
    }
    /// The store gives these when it is asked for what is due.
    void due(std::vector<OutMessage> messages) {
        desk.take_due();
        store.answer<ports::TakeDue>(std::move(messages));
        deliver();
        store.reads.clear();
        mail.clear();
    }
    /// A message of this kind that is in memory, and not in a queue: its slot.
    queue::SlotNumber adopt(OutMessage message) {
        return desk.adopt({.message = std::move(message)});
    }
    void deliver() {
        std::vector<dispatch::DispatchMail> came;
        mailbox.take_all(came);
        for (dispatch::DispatchMail& one : came) {
            if (auto* loaded = std::get_if<dispatch::Loaded>(&one)) {
                desk.loaded(*loaded, now());
            } else if (auto* taken = std::get_if<dispatch::DueTaken>(&one)) {
                desk.due_taken(*taken, now());
            } else if (auto* finished = std::get_if<dispatch::Finished>(&one)) {
                desk.release(finished->slot);
            } else {
                mail.push_back(std::move(one));
            }
        }
    }
    template <typename Mail>
    [[nodiscard]] std::size_t count() const {
        std::size_t count = 0;
        for (const dispatch::DispatchMail& one : mail) {
            count += std::holds_alternative<Mail>(one) ? 1 : 0;
        }
        return count;
    }
};

}  // namespace smsrack::test
