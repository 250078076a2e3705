/// The trigger engine as its callers see it.
///
/// Threads: the loop thread; answers come on it too.
/// Errors:  not_found (no such trigger), conflict (its file of topics can't be used), busy
///          (chunks_max are under way; on_room() is called when to come back), closed
///          (the service ends; what was not answered may come again), storage (of a chunk: the disk
///          is full or failing; likewise).
#pragma once

#include "src/base/interface.hpp"
#include "src/base/result.hpp"
#include "src/ports/command.hpp"
#include "src/trigger/event.hpp"
#include "src/trigger/view.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>

namespace smsrack::trigger {

inline constexpr std::size_t chunk_events_max = 4'096;  ///< of one offer()
/// Of one trigger under way: some 6 MiB of events that wait.
inline constexpr std::size_t chunks_max = 8;

class Door : public Interface {
public:
    /// What this trigger reads of an event. Null: no such trigger. Valid as long as the engine.
    [[nodiscard]] virtual const EventForm* form(std::string_view trigger) const = 0;

    /// Takes chunk_events_max events at most; `done` is called once, perhaps before this returns.
    [[nodiscard]] virtual Result<> offer(std::string_view trigger, std::span<const Event> events,
                                         ports::Done<Counts> done) = 0;
    /// Called when a trigger that was busy is so no more. One listener for all.
    virtual void on_room(std::function<void()> room) = 0;

    [[nodiscard]] virtual EngineView view() const = 0;
    /// What is known of this number; `topic` empty: in all topics. bad_number, not_found (trigger or
    /// topic).
    virtual void trace(std::string_view trigger, std::string_view number, std::string_view topic,
                       ports::Done<Trace> done) = 0;

    /// Rebuilds filters and cache from the index, next to the serving ones. conflict: one is
    /// running.
    [[nodiscard]] virtual Result<> start_rebuild() = 0;
};

}  // namespace smsrack::trigger
