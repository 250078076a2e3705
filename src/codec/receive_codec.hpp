/// The inbound codec stage: decodes a PDU into a segment of a message or a status report, and gives
/// it to the store.
///
/// One job at a time for each receive queue, so that a line's PDUs keep their order. The receive
/// buffer queue is lane `line` of the store's writer
/// (docs/decisions/0040-queues-and-pools-of-the-papers.md). A PDU is deleted from the modem only
/// after its commit. What can't be decoded is kept raw.
/// Threads: pdus_wait() on the line's thread; jobs on the codec pool; completions on the store's writing thread.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/executor.hpp"
#include "src/base/log.hpp"
#include "src/ports/line.hpp"
#include "src/ports/store.hpp"
#include "src/queue/receive_queue.hpp"
#include "src/sms/address.hpp"
#include "src/stats/stats.hpp"

#include <atomic>
#include <deque>
#include <functional>
#include <string>

namespace smsrack::codec {

/// All outlive the codec.
struct ReceiveWorld {
    Executor& pool;
    ports::Store& store;
    const Clock& clock;
    stats::Stats& stats;
    Log& log;
};

/// What is known of a line besides what it receives.
struct ReceivingLine {
    std::string name = {};
    NumberPlan plan = {};                          ///< by which national numbers are read there
    std::function<std::string()> own_number = {};  ///< any thread; empty where not known
};

class ReceiveCodec {
public:
    explicit ReceiveCodec(ReceiveWorld world) : world_(world) {}

    /// In the order of ModemId, before the threads start. What is received is acknowledged to the line.
    void add_line(ReceivingLine about, queue::ReceiveQueue& received, ports::Acknowledger& line);

    /// The receive queue of this line has one PDU more.
    void pdus_wait(ModemId line);

private:
    struct Line {
        ReceivingLine about;
        queue::ReceiveQueue& received;
        ports::Acknowledger& acknowledger;
        std::atomic<unsigned> waiting = 0;  // PDUs announced and not yet taken
    };

    void run(ModemId id);
    void keep(ModemId id, const queue::ReceivedOctets& pdu);
    void keep_segment(ModemId id, std::uint32_t token, InboundSegment segment);
    void keep_report(ModemId id, std::uint32_t token, StatusReport report);
    void not_kept(std::string_view event, ModemId id, std::uint32_t token, const Error& why);

    ReceiveWorld world_;
    std::deque<Line> lines_;
};

}  // namespace smsrack::codec
