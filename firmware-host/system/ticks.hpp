/// Periodic work of the service: old rows lose number and text and are later removed; incomplete
/// messages are released; the signals at the end of each minute go into the history.
///
/// Small steps: a step that found its limit comes again at once, after the lines' writes.
/// Time:    steady, but for the minutes of the history, which are those of the wall clock.
/// Threads: the loop thread; the work is the store's.
#pragma once

#include "firmware-host/loop_timer.hpp"
#include "firmware-host/net/loop.hpp"
#include "src/base/clock.hpp"
#include "src/ports/rack_store.hpp"
#include "src/ports/rack_view.hpp"
#include "src/ports/store.hpp"

#include <chrono>
#include <optional>
#include <vector>

namespace smsrack::host {

struct TickSettings {
    std::chrono::days messages_keep{90};
    std::chrono::days inbox_keep{90};
    std::optional<std::chrono::days> messages_anonymise = {};  ///< absent: never
    std::optional<std::chrono::days> inbox_anonymise = {};
    /// Segments of a long message that never became whole.
    std::chrono::hours incomplete_after{24};
};

/// What the ticks work on; all outlive the Ticks.
struct TickWorld {
    net::Loop& loop;
    ports::Store& store;
    ports::RackStore& rack_store;
    const ports::RackView& rack;
    const Clock& clock;
};

class Ticks {
public:
    Ticks(TickSettings settings, TickWorld world);

private:
    void remove_old();
    void anonymise();
    void release_incomplete();
    [[nodiscard]] SteadyTime note_signals();

    const TickSettings settings_;
    const TickWorld world_;
    std::vector<net::LoopWatchPtr> watches_;
    LoopTimer minute_;
};

}  // namespace smsrack::host
