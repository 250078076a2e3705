/// The trigger engine: takes events, and sends at most one message for each pair of number and
/// topic.
///
/// An event's verdict comes from the filter, the cache of confirmed pairs, and the exact index, in this order. A new pair is claimed in
/// the transaction that makes its message. offer() is answered when all its events are decided, and what they promise is on disk:
/// so a feed that waits for its answers waits for the disk, and one whose answer never came may come again whole.
/// Time:    `step` is due at the time that it returns; after each call here at once.
/// Threads: the loop thread; answers of the store come through `loop`.
/// Errors:  as Door.
/// Source:  [Welcome], docs/papers.md 4.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/executor.hpp"
#include "src/base/log.hpp"
#include "src/base/result.hpp"
#include "src/base/worker.hpp"
#include "src/intake/intake.hpp"
#include "src/ports/trigger_store.hpp"
#include "src/trigger/door.hpp"
#include "src/trigger/loop_answers.hpp"
#include "src/trigger/settings.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::dedup {
class ConfirmedPairs;
}  // namespace smsrack::dedup

namespace smsrack::trigger {

class Feed;
class Walk;

struct EngineParts {
    ports::TriggerStore& store;
    intake::Intake& intake;
    Executor& loop;
    const Clock& clock;
    Log& log;
    std::function<void(SteadyTime at)> alarm = {};  ///< step() is due earlier than it last said
};

class Engine final : public Stepper, public Door {
public:
    /// All of `parts` outlive the engine and what it has asked of them. Begins to read the index.
    Engine(std::vector<TriggerSettings> triggers, EngineSettings settings, EngineParts parts);
    ~Engine() override;

    [[nodiscard]] const EventForm* form(std::string_view trigger) const override;
    [[nodiscard]] Result<> offer(std::string_view trigger, std::span<const Event> events,
                                 ports::Done<Counts> done) override;
    void on_room(std::function<void()> room) override;
    [[nodiscard]] EngineView view() const override;
    void trace(std::string_view trigger, std::string_view number, std::string_view topic,
               ports::Done<Trace> done) override;
    [[nodiscard]] Result<> start_rebuild() override;

    /// No more events are taken; those that the store does not have are answered `closed`.
    void close();
    /// Nothing that was offered is unanswered.
    [[nodiscard]] bool idle() const;

    SteadyTime step(SteadyTime now) override;

private:
    [[nodiscard]] Feed* feed(std::string_view name) const;
    SteadyTime load_again(SteadyTime now);
    [[nodiscard]] bool is_time_again(SteadyTime now);
    SteadyTime rebuild_nightly(SteadyTime now);

    const EngineSettings settings_;
    const EngineParts parts_;
    const std::shared_ptr<dedup::ConfirmedPairs> cache_;
    std::vector<std::unique_ptr<Feed>> feeds_;
    std::unique_ptr<Walk> walk_;
    std::optional<WallTime> rebuild_at_ = {};
    SteadyTime load_at_ = SteadyTime::min();
    SteadyTime again_at_ = never;
    LoopAnswers answers_;
};

}  // namespace smsrack::trigger
