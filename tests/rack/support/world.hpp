/// A whole rack on one thread, in simulated time: the real core, drivers and store, modelled
/// modems, and a clock that the test controls.
///
/// Nothing in it waits: run() steps the components that have something to do, and moves the clock
/// to the next deadline when none has.
#pragma once

#include "db/sqlite_store.hpp"
#include "firmware-host/rack.hpp"
#include "firmware-host/upgrade/hand_over.hpp"
#include "src/intake/intake.hpp"
#include "src/trigger/engine.hpp"
#include "tests/rack/support/hand_executor.hpp"
#include "tests/rack/support/model_port.hpp"
#include "tests/rack/support/power_disk.hpp"
#include "tests/support/manual_clock.hpp"
#include "tests/support/quiet_log.hpp"
#include "tests/support/seeded_random.hpp"
#include "tests/support/temp_dir.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::test {

struct WorldSettings {
    unsigned modems = 2;
    std::uint64_t seed = 1;
    unsigned baud = 115'200;
    std::chrono::microseconds service = std::chrono::milliseconds(500);
    bool exponential = false;
    std::chrono::microseconds disk{0};  ///< what a transaction takes, where the world wanders
    std::size_t sim_places = 50;
    bool no_sr = false;           ///< modems without the memory SR: their reports come directly
    bool power_lines = false;     ///< the board can switch each modem off and on
    std::string toml = {};        ///< further sections of the configuration
    std::string modem_toml = {};  ///< further lines of each [[modem]]
    unsigned numbers = 0;         ///< this many [[modem]] name the number of their SIM
    std::int32_t box = 0;  ///< number in a fleet, whose boxes share what is accepted; 0: none
    std::filesystem::path folder = TempDir::memory();  ///< where its own is made
};

class World {
public:
    explicit World(WorldSettings settings);
    ~World();
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    /// Until `done` holds; false when the simulated `limit` passed first.
    bool run(std::chrono::milliseconds limit, const std::function<bool()>& done);
    bool run_until_ready();
    void run_for(std::chrono::milliseconds time) {
        (void)run(time, [] { return false; });
    }

    /// As run(), but the components that would be threads take their turns in an order that is
    /// drawn again for each round, and `done` is asked after each turn: whatever order a scheduler
    /// could choose, some seed has it.
    bool wander(SteadyTime until, const std::function<bool()>& done);

    /// Asks intake, and waits for the answer.
    Result<ports::Accepted> ask(const intake::SubmitRequest& request);
    /// Accepts it, durable; the id.
    MessageId send(const intake::SubmitRequest& request);
    MessageId send(std::string to, std::string text);
    /// All of them at once; their ids, in this order.
    std::vector<MessageId> send_all(const std::vector<intake::SubmitRequest>& requests);
    /// Asks intake; the caller that runs the world gets the answer.
    void submit(const intake::SubmitRequest& request, ports::Done<ports::Accepted> done);
    /// The same as send(), also where it is refused.
    Result<ports::Accepted> submit(const intake::SubmitRequest& request);
    /// Durable when they return; false: it was so already.
    bool pause(ports::PauseScope scope, const std::string& name = {});
    bool resume(ports::PauseScope scope, const std::string& name = {});
    void cancel_batch(const std::string& name);
    /// Another text, checked as intake checks it; ttl_s and the like are taken from the request.
    Result<ports::Accepted> replace(MessageId id, const intake::SubmitRequest& request);
    [[nodiscard]] ports::BatchRow batch(const std::string& name);
    /// Those that this box may begin now.
    std::vector<MessageId> make_firm(const std::vector<MessageId>& ids);
    /// Those of which it has begun nothing, and does not.
    std::vector<MessageId> lend(const std::vector<MessageId>& ids);
    /// A client comes, and has taken its events up to `taken`.
    ports::ClientRow arrive(const std::string& client, std::optional<EventSeq> taken = {});
    /// What it has not taken, oldest first.
    [[nodiscard]] std::vector<Event> results(const ports::ClientRow& client, std::size_t limit);
    [[nodiscard]] MessageState state(MessageId id);
    /// All of them are in this state now. Each state is a query: so it begins with the one that was not the last time, and asking
    /// after every step costs one for each step, not one for each message.
    [[nodiscard]] bool all_are(const std::vector<MessageId>& ids,
                               const std::function<bool(MessageState)>& right);
    [[nodiscard]] bool all_are(const std::vector<MessageId>& ids, MessageState state) {
        return all_are(ids, [state](MessageState is) { return is == state; });
    }
    [[nodiscard]] ports::MessageDetail detail(MessageId id);
    [[nodiscard]] std::vector<ports::InboxRow> inbox();
    /// What a line and its modem said last.
    [[nodiscard]] std::string dialogue(const std::string& line) const;
    [[nodiscard]] const ports::RackView& rack() const;
    [[nodiscard]] const stats::Stats& stats() const;
    /// Those of this process.
    [[nodiscard]] notify::EventStream& stream();
    /// The database, as the processes of the world see it.
    [[nodiscard]] std::filesystem::path store_file() const;
    /// All that an unnamed subscriber would be given, oldest first.
    [[nodiscard]] std::vector<Event> events();
    /// Of this filter, newest first.
    [[nodiscard]] std::vector<ports::MessageRow> list(const ports::MessageFilter& filter);
    [[nodiscard]] SteadyTime starves_since() const;
    /// Runs n turns, each of one component that would be a thread, so that a test can stop between
    /// any two of them.
    void run_turns(std::size_t turns);
    [[nodiscard]] trigger::Engine& triggers();
    /// How many messages the store has, in all states.
    [[nodiscard]] std::int64_t messages() const;
    /// Offers the events, and waits until all are decided.
    trigger::Counts feed(std::string_view trigger, std::span<const trigger::Event> events);
    /// Offers them; the caller that runs the world gets the answer.
    Result<> offer(std::string_view trigger, std::span<const trigger::Event> events,
                   ports::Done<trigger::Counts> done);
    [[nodiscard]] std::optional<ports::PairRow> pair(std::string_view trigger,
                                                     std::string_view topic,
                                                     std::string_view number);
    /// An operator's order, carried out; a refusal is an error of the test.
    ports::GateAnswer gate(const std::string& line, ports::GateOrder order);
    /// The same; false: it is not answered within `limit`.
    bool is_gate_answered(const std::string& line, ports::GateOrder order,
                          std::chrono::milliseconds limit);
    /// An operator's order to a modem; the caller that runs the world gets the answer.
    Result<> by_hand(const std::string& line, ports::HandOrder order, ports::HandDone done);
    /// A self-SMS by order; what became of the order.
    Result<ports::SelfSmsOrdered> order_self_sms();
    /// Of the scaling controller, oldest first.
    [[nodiscard]] std::vector<ports::KeptDecision> decisions();

    /// The process dies (nothing that is in memory is kept) and restarts with what is on the disk;
    /// the modems keep running. `toml`: from now on these are the further sections of the
    /// configuration.
    void crash_and_restart(std::optional<std::string> toml = {});
    /// The box loses its power, and comes back: what was not synced is kept, lost or torn. The modems live on.
    void lose_power();
    /// The same, in the middle of what the store does: after `operations` more writes, syncs and
    /// removals of files, or after `turns` turns at the latest. True: it was in the middle.
    bool lose_power_after(std::uint64_t operations, std::size_t turns);
    /// The process leaves everything to another one, through the text of a hand-over; the modems do not notice. False, and
    /// nothing was done: the lines did not come within `limit` to where they can be left.
    bool hand_over(std::chrono::milliseconds limit = std::chrono::seconds(30));
    /// Lines that the process before has left to this one as they were, and submits in the network's hand with them.
    [[nodiscard]] std::size_t taken_over() const { return taken_over_; }
    [[nodiscard]] std::size_t taken_in_hand() const { return taken_in_hand_; }
    /// While held, the disk accepts no write; pending writes wait in memory.
    void hold_disk(bool held) { disk_held_ = held; }

    ManualClock clock;
    QuietLog log;
    bool may_begin_shared = true;  ///< what the fleet says of messages that boxes share
    ModelRack modems;
    PowerDisk disk{{"pin.key"}};

private:
    /// The answer to one call, whose argument is the completion.
    template <typename T, typename Call>
    Result<T> ask(Call call) {
        auto answer = std::make_shared<std::optional<Result<T>>>();
        call(ports::Done<T>([answer](Result<T> result) { answer->emplace(std::move(result)); }));
        (void)run(std::chrono::seconds(1), [&] { return answer->has_value(); });
        return answer->value();
    }
    template <typename Command>
    Result<typename Command::Answer> post(Command command);
    template <typename Reader, typename Question>
    auto look(Question question);
    void start(host::HandOver left = {});
    using Part = std::function<bool()>;
    [[nodiscard]] std::vector<Part> parts();
    [[nodiscard]] std::vector<Part> threads();
    void add_common(std::vector<Part>& parts);
    bool step_all();
    [[nodiscard]] std::filesystem::path state_dir() const;

    void start_anew(const std::filesystem::path& dead);
    void go_on(std::size_t turns, const std::function<bool()>& done);

    struct Process;
    WorldSettings settings_;
    SeededRandom random_;
    TempDir dir_{settings_.folder};
    int lives_ = 0;       // each has its own folder
    unsigned boots_ = 0;  // of the box
    std::size_t taken_over_ = 0;
    std::size_t taken_in_hand_ = 0;
    bool disk_held_ = false;
    std::size_t first_asked_ = 0;  // by all_are()
    SteadyTime deadline_ = never;
    std::unique_ptr<Process> process_;  // its files are closed before the disk goes
};

}  // namespace smsrack::test
