/// The interface between a modem's thread and the rest of the rack: what a line reports, and what
/// it is ordered to do.
///
/// Threads: LineListener's calls come on the line's thread, Acknowledger's from any; both only hand
/// over.
#pragma once

#include "src/base/ids.hpp"
#include "src/base/interface.hpp"
#include "src/base/result.hpp"
#include "src/ports/modem.hpp"
#include "src/sms/outcome.hpp"

#include <chrono>
#include <cstdint>
#include <optional>

namespace smsrack::ports {

/// The end of one segment's submit on a line.
struct SegmentDone {
    std::uint32_t slot = 0;
    std::uint8_t segment = 0;
    AttemptId attempt = {};  ///< 0: no attempt was written, so nothing can have left
    SubmitOutcome outcome = {};
    bool pdu_sent = false;
    /// Why no attempt was written: conflict (cancelled meanwhile) or storage.
    std::optional<Error> begin_error = {};
    std::chrono::nanoseconds took{0};  ///< from AT+CMGS to the modem's answer
    std::chrono::nanoseconds rest{0};  ///< pacing: how long the line must be left alone
    bool returned = true;  ///< the slot is dispatch's again and the line is free; false: the next
                           ///< segment follows
    /// The line has taken the next message by itself: it is not free.
    std::optional<std::uint32_t> next_slot = {};
};

/// A segment that was given up as unknown, and its answer that came all the same.
struct LateSegment {
    AttemptId attempt = {};
    MessageId message = {};
    std::uint8_t segment = 0;
    SubmitOutcome outcome = {};
};

class LineListener : public Interface {
public:
    virtual void line_ready(ModemId line, SimId sim) = 0;
    virtual void line_lost(ModemId line) = 0;
    virtual void segment_done(ModemId line, SegmentDone done) = 0;
    virtual void late_answer(ModemId line, LateSegment late) = 0;
    /// What the port reported of the attempt that an earlier process left open.
    virtual void earlier_attempt(ModemId line, SubmitOutcome outcome) = 0;
};

/// One line, as the receive codec answers it.
class Acknowledger : public Interface {
public:
    /// The PDU is durable: the modem may forget it.
    virtual void acknowledge(std::uint32_t token) = 0;
    /// It could not be kept now (disk full): offer it to the codec again after a pause.
    virtual void not_kept(std::uint32_t token) = 0;
};

}  // namespace smsrack::ports
