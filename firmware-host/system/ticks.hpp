/// Periodic work of the service: old rows lose number and text and are later removed; incomplete
/// messages are released.
///
/// Small steps: a step that found its limit comes again at once, after the lines' writes.
/// Threads: the loop thread; the work is the store's.
#pragma once

#include "firmware-host/net/loop.hpp"
#include "src/base/clock.hpp"
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

class Ticks {
public:
    /// All outlive the object.
    Ticks(TickSettings settings, net::Loop& loop, ports::Store& store, const Clock& clock);

private:
    void remove_old();
    void anonymise();
    void release_incomplete();

    const TickSettings settings_;
    net::Loop& loop_;
    ports::Store& store_;
    const Clock& clock_;
    std::vector<net::LoopWatchPtr> watches_;
};

}  // namespace smsrack::host
