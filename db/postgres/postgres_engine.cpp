#include "db/postgres/postgres_engine.hpp"

#include <utility>
#include <variant>

namespace smsrack::postgres {

Result<std::unique_ptr<PostgresEngine>> PostgresEngine::make(const PostgresSettings& settings,
                                                             const Clock& clock, Log& log) {
    const auto pq = PqLibrary::load();
    if (!pq) {
        return std::unexpected(pq.error());
    }
    const auto times = EngineTimes::of(settings.lease);
    auto plan = connect_plan(**pq, settings.conninfo, times, settings.box);
    if (!plan) {
        return std::unexpected(std::move(plan.error()));
    }
    return std::unique_ptr<PostgresEngine>(
        new PostgresEngine(**pq, *std::move(plan), times, clock, log));
}

PostgresEngine::PostgresEngine(const PqLibrary& pq, std::vector<ConnectValues> hosts,
                               EngineTimes times, const Clock& clock, Log& log)
    : waiter_(clock),
      loop_(pq, std::move(hosts), times, waiter_, clock, log),
      worker_("engine", loop_, waiter_, clock) {}

PostgresEngine::~PostgresEngine() {
    stop();
}

void PostgresEngine::stop() {
    worker_.stop();
    loop_.close();
}

void PostgresEngine::take(Call&& call) {
    std::visit(
        [this]<typename Command>(ports::Posted<Command>&& posted) {
            loop_.post(std::make_unique<JobOf<Command>>(std::move(posted)));
        },
        std::move(call));
}

}  // namespace smsrack::postgres
