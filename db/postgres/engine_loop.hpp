/// The engine's thread: keeps one connection to the primary, and gives it the commands of this box in order.
///
/// Bound:   queue_max commands wait; more are answered queue_full. While the engine is away none waits: each is answered closed.
/// Time:    between attempts to connect it waits longer and longer (EngineTimes). An answer has its time, and one second for each
///          4,000 octets asked: a link of 64 kbit/s needs half of that.
/// Threads: post() and is_connected() from any; the rest is the engine's.
#pragma once

#include "db/postgres/connect_plan.hpp"
#include "db/postgres/engine_times.hpp"
#include "db/postgres/job_window.hpp"
#include "db/postgres/pq_link.hpp"
#include "db/postgres/socket_waiter.hpp"
#include "src/base/log.hpp"
#include "src/base/mailbox.hpp"
#include "src/base/worker.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::postgres {

class EngineLoop final : public Stepper {
public:
    static constexpr std::size_t queue_max = 256;

    /// All outlive the object. `hosts`: at least one.
    EngineLoop(const PqLibrary& pq, std::vector<ConnectValues> hosts, EngineTimes times,
               SocketWaiter& waiter, const Clock& clock, Log& log);

    void post(std::unique_ptr<EngineJob> job) { posted_.push(std::move(job)); }
    [[nodiscard]] bool is_connected() const {
        return is_connected_.load(std::memory_order_relaxed);
    }

    /// ports::ClusterEngine::on_notice().
    void on_notice(std::function<void(ports::EngineNotice)> noticed) {
        noticed_ = std::move(noticed);
    }

    SteadyTime step(SteadyTime now) override;
    /// Ends the connection; what is open is unknown, what waits is closed. After the thread has ended.
    void close();

private:
    void take_posted(SteadyTime now);
    void take(std::unique_ptr<EngineJob> job, SteadyTime now);
    void connect(SteadyTime now);
    void watch_connecting(SteadyTime now);
    void read_results(SteadyTime now);
    void on_result(const Rows& rows);
    void send_next(SteadyTime now);
    void lose(SteadyTime now, std::string why);
    [[nodiscard]] SteadyTime deadline() const;

    const PqLibrary& pq_;
    const std::vector<ConnectValues> hosts_;
    const EngineTimes times_;
    SocketWaiter& waiter_;
    Log& log_;
    std::function<void(ports::EngineNotice)> noticed_ = {};
    Mailbox<std::unique_ptr<EngineJob>> posted_;
    std::vector<std::unique_ptr<EngineJob>> taken_ = {};
    Jobs queue_ = {};
    JobWindow window_ = {};
    std::unique_ptr<PqLink> link_ = {};
    std::size_t host_ = 0;          // of the next attempt
    std::size_t attempts_ = 0;      // since the last good connection
    SteadyTime next_attempt_ = {};  // without a link
    SteadyTime limit_ = never;      // of the answer or the attempt
    bool knows_schema_ = false;     // of this connection
    // An earlier connection may have left a transaction open, or was to an engine that knew more.
    bool must_enter_ = false;
    bool is_told_ = false;  // the log has the loss
    std::string why_away_ = "not connected yet";
    std::atomic<bool> is_connected_ = false;
};

}  // namespace smsrack::postgres
