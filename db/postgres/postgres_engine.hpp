/// The engine of a fleet on PostgreSQL: one connection of one box, asynchronous.
///
/// After a connection was lost, commands of a seat are answered closed until EnterFleet was carried out: it waits for what the
/// lost connection may have left open, and finds out whether it is the same engine.
/// Threads: one of its own, `engine`, between start() and stop(); post() as the port says.
/// Errors:  as the port says. While the engine is away every command is answered closed at once, with the reason.
#pragma once

#include "db/postgres/engine_loop.hpp"
#include "src/base/worker.hpp"
#include "src/ports/cluster_engine.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace smsrack::postgres {

struct PostgresSettings {
    std::string conninfo = {};  ///< one or several hosts; no password in it
    std::string box = {};       ///< its name, for those who look at the engine's connections
    std::chrono::milliseconds lease{15'000};
};

class PostgresEngine final : public ports::ClusterEngine {
public:
    /// `clock` and `log` outlive the object.
    /// Errors: bad_config: libpq is not installed, or does not understand the connection string.
    [[nodiscard]] static Result<std::unique_ptr<PostgresEngine>> make(
        const PostgresSettings& settings, const Clock& clock, Log& log);
    ~PostgresEngine() override;

    void on_notice(std::function<void(ports::EngineNotice)> noticed) override {
        loop_.on_notice(std::move(noticed));
    }
    void start() { worker_.start(); }
    /// Commands on their way are answered outcome_unknown, those that wait closed.
    void stop();

    [[nodiscard]] bool is_connected() const { return loop_.is_connected(); }

private:
    PostgresEngine(const PqLibrary& pq, std::vector<ConnectValues> hosts, EngineTimes times,
                   const Clock& clock, Log& log);
    void take(Call&& call) override;

    SocketWaiter waiter_;
    EngineLoop loop_;
    Worker worker_;
};

}  // namespace smsrack::postgres
