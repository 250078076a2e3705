/// The trigger engine: takes events, and sends at most one message for each pair of number and
/// topic.
///
/// An event's verdict comes from the filter, the cache of confirmed pairs, and the exact index, in this order. A new pair is claimed in
/// the transaction that makes its message. offer() is answered when all its events are decided, and what they promise is on disk:
/// so a feed that waits for its answers waits for the disk, and one whose answer never came may come again whole.
/// Time:    `step` is due at the time that it returns; after each call here at once.
/// Threads: the loop thread; answers of the store come through `loop`.
/// Errors:  not_found (no such trigger), conflict (its file of topics can't be used), busy
///          (chunks_max are under way; Listener::room() says when to come back), closed (the
///          service ends; what was not answered may come again), storage (of a chunk: the disk is
///          full or failing; likewise).
/// Source:  [Welcome], docs/papers.md 4.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/executor.hpp"
#include "src/base/log.hpp"
#include "src/base/result.hpp"
#include "src/base/worker.hpp"
#include "src/intake/intake.hpp"
#include "src/ports/trigger_store.hpp"
#include "src/trigger/event.hpp"
#include "src/trigger/settings.hpp"
#include "src/trigger/view.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::trigger {

inline constexpr std::size_t chunk_events_max = 4'096;  ///< of one offer()
/// Of one trigger under way: some 6 MiB of events that wait.
inline constexpr std::size_t chunks_max = 8;

struct EngineParts {
    ports::TriggerStore& store;
    intake::Intake& intake;
    Executor& loop;
    const Clock& clock;
    Log& log;
    std::function<void(SteadyTime at)> alarm = {};  ///< step() is due earlier than it last said
};

class Engine final : public Stepper {
public:
    /// All of `parts` outlive the engine and what it has asked of them. Begins to read the index.
    Engine(std::vector<TriggerSettings> triggers, EngineSettings settings, EngineParts parts);
    ~Engine() override;

    /// What this trigger reads of an event. Null: no such trigger. Valid as long as the engine.
    [[nodiscard]] const EventForm* form(std::string_view trigger) const;

    /// Takes chunk_events_max events at most; `done` is called once, perhaps before this returns.
    [[nodiscard]] Result<> offer(std::string_view trigger, std::span<const Event> events,
                                 ports::Done<Counts> done);
    /// Called when a trigger that was busy is so no more. One listener for all.
    void on_room(const std::function<void()>& room);

    [[nodiscard]] EngineView view() const;
    /// What is known of this number; `topic` empty: in all topics. bad_number, not_found (trigger or topic).
    void trace(std::string_view trigger, std::string_view number, std::string_view topic,
               ports::Done<Trace> done);

    /// Rebuilds filters and cache from the index, next to the serving ones. conflict: one is
    /// running.
    [[nodiscard]] Result<> start_rebuild();

    /// No more events are taken; those that the store does not have are answered `closed`.
    void close();
    /// Nothing that was offered is unanswered.
    [[nodiscard]] bool idle() const;

    SteadyTime step(SteadyTime now) override;

private:
    class Impl;
    const std::unique_ptr<Impl> impl_;
};

}  // namespace smsrack::trigger
