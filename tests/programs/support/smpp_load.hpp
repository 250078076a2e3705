/// A load of SMPP sessions that submit messages until each was accepted and had its receipt.
///
/// A submit that is answered with ESME_RTHROTTLED or ESME_RMSGQFUL is repeated after a pause. A submit whose session
/// ends before the answer is repeated after the next bind.
/// Threads: one of its own; all members may be called from any thread.
#pragma once

#include "src/smpp/pdu.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace smsrack::test {

struct SmppLoadPlan {
    struct Session {
        std::string account;
        std::size_t window = 0;  ///< submits in flight; 0: it only receives
        smpp::Command kind = smpp::Command::bind_transceiver;
    };

    std::uint16_t port = 0;
    std::vector<Session> sessions = {};
    std::size_t messages = 0;
    std::size_t first = 0;  ///< message n goes to the number +336 and n + first
    /// The load ends when each message had a receipt; false: when each was accepted.
    bool wants_receipts = true;
    /// From a receipt to its answer, so that some are without one at any moment.
    std::chrono::milliseconds answers_after{0};
    /// A session that ends is bound again; false: its end is a fault.
    bool survives_ends = false;
};

/// What happened to one message.
struct LoadMessage {
    std::string number = {};                 ///< no other message goes to it
    std::string id = {};                     ///< of the answer ESME_ROK
    std::size_t unanswered = 0;              ///< its submits that lost their session unanswered
    std::vector<std::string> receipts = {};  ///< `stat` of each
    /// If a second receipt came: how long before the end of its session the first one was taken.
    std::chrono::milliseconds repeated_age{0};
};

struct LoadReport {
    std::vector<LoadMessage> messages = {};
    std::vector<std::string> faults = {};  ///< sentences; those beyond 20 are only counted
    std::size_t fault_count = 0;
    std::size_t throttled = 0;  ///< answers ESME_RTHROTTLED
    std::size_t full = 0;       ///< answers ESME_RMSGQFUL
    std::size_t binds = 0;
    std::size_t early = 0;      ///< receipts that came before the answer to their submit
    std::size_t strangers = 0;  ///< receipts of submits that never had an answer
    double seconds = 0;         ///< until the last submit was accepted
    std::vector<double> answer_ms = {};
};

/// Of a load that runs.
struct LoadCounts {
    std::atomic<std::size_t> accepted = 0;
    std::atomic<std::size_t> in_flight = 0;
    std::atomic<std::size_t> ended = 0;
};

class SmppLoad {
public:
    /// Begins to bind and to submit.
    explicit SmppLoad(SmppLoadPlan plan);

    [[nodiscard]] std::size_t accepted() const { return counts_.accepted; }
    /// Submits without an answer, at the end of its last turn.
    [[nodiscard]] std::size_t in_flight() const { return counts_.in_flight; }
    /// Messages that had a receipt.
    [[nodiscard]] std::size_t ended() const { return counts_.ended; }
    [[nodiscard]] bool is_done() const { return done_; }
    /// Stops it if it is not done; what came of it.
    [[nodiscard]] const LoadReport& end();

private:
    void run(const std::stop_token& stop);

    const SmppLoadPlan plan_;
    LoadReport report_;
    LoadCounts counts_;
    std::atomic<bool> done_ = false;
    std::jthread thread_;
};

}  // namespace smsrack::test
