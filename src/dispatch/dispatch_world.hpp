/// What the dispatcher works with, and its settings.
#pragma once

#include "src/base/executor.hpp"
#include "src/base/guarded_clock.hpp"
#include "src/base/log.hpp"
#include "src/base/random.hpp"
#include "src/base/waiter.hpp"
#include "src/codec/send_codec.hpp"
#include "src/dispatch/cooling.hpp"
#include "src/dispatch/flow_meter.hpp"
#include "src/dispatch/retry.hpp"
#include "src/line/line_board.hpp"
#include "src/ports/control_store.hpp"
#include "src/ports/rack_store.hpp"
#include "src/ports/store.hpp"
#include "src/queue/out_slot.hpp"
#include "src/rules/quiet_hours.hpp"
#include "src/sms/ageing.hpp"
#include "src/stats/stats.hpp"

#include <chrono>
#include <cstddef>

namespace smsrack::dispatch {

/// Lines of each group that take only the top levels, so that one of these finds one free.
struct KeptLines {
    std::size_t lines = 0;  ///< of those that are ready; one is always left to all
    Level least = 0;        ///< the level that a message must have been accepted with
};

struct DispatchSettings {
    RetrySettings retry = {};
    std::chrono::milliseconds disconnect{
        30'000};  ///< how long a begun long message waits for its SIM
    CoolingSettings cooling = {};
    AgeingRules ageing = {};
    KeptLines kept = {};
};

/// All outlive the dispatcher.
struct DispatchWorld {
    ports::Store& store;
    Executor& codec_pool;
    codec::SendCodec& codec;
    queue::OutSlots& slots;
    Waiter& waiter;
    const Clock& clock;
    Random& random;
    const ErrorTable& errors;
    stats::Stats& stats;
    FlowMeter& flow;
    line::LineBoard& board;
    Log& log;
    GuardedClock* guard = nullptr;  ///< the clock; null: one that is never set
    /// keeps the operator's gates; null: they are not kept
    ports::RackStore* rack_store = nullptr;
    ports::ControlStore* control = nullptr;    ///< null: nothing is paused or cancelled
    const rules::QuietHours* quiet = nullptr;  ///< null: there are none
};

}  // namespace smsrack::dispatch
