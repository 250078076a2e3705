/// Reports what changes about a line: to the board, to the log and as an event.
///
/// Time:    wall; the injected Clock.
/// Threads: the dispatch thread.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/ids.hpp"
#include "src/base/log.hpp"
#include "src/dispatch/dispatch_store.hpp"
#include "src/line/line_board.hpp"
#include "src/ports/line_gate.hpp"

#include <chrono>
#include <string>

namespace smsrack::dispatch {

class LineNews {
public:
    /// All outlive the object.
    LineNews(line::LineBoard& board, Log& log, DispatchStore& store, const Clock& clock)
        : board_(board), log_(log), store_(store), clock_(clock) {}

    /// `holds`: something is in flight, or the rest of a long message waits for the line.
    void gate(ModemId line, ports::LineGate gate, bool holds);
    /// Its gate is shut, and it holds nothing any more.
    void drained(ModemId line, ports::LineGate gate);
    /// The SIM was refused too often; the log has the cause only where that has just happened.
    void refused(ModemId line, Cause cause, std::chrono::milliseconds pause);
    void cools(ModemId line, std::chrono::nanoseconds left);
    void cooled(ModemId line);

private:
    void event(ModemId line, std::string detail);

    line::LineBoard& board_;
    Log& log_;
    DispatchStore& store_;
    const Clock& clock_;
};

}  // namespace smsrack::dispatch
