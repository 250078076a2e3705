/// One connection to one host of the engine, that never blocks (but for the name of the host, which libpq looks up itself).
///
/// Threads: the engine's.
#pragma once

#include "db/postgres/connect_plan.hpp"
#include "db/postgres/rows.hpp"
#include "src/ports/cluster_engine.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace smsrack::postgres {

class PqLink {
public:
    enum class State : std::uint8_t { connecting, open, lost };

    /// Begins to connect. `on_warning` is called within next(), before the result that the warning belongs to.
    PqLink(const PqLibrary& pq, const ConnectValues& values, std::function<void()> on_warning);
    PqLink(const PqLink&) = delete;
    PqLink& operator=(const PqLink&) = delete;
    ~PqLink() = default;

    /// Does what the socket allows now.
    void step();
    [[nodiscard]] State state() const { return state_; }
    [[nodiscard]] std::string why_lost() const;

    /// Only where nothing is asked. With `secret` for the place $1, if that is not empty.
    void send(const std::string& text, const std::string& secret = {});
    /// nullopt: it is not there yet, or is_done().
    [[nodiscard]] std::optional<Rows> next();
    /// What was notified since this was asked last, on the channels that it listens to; each once.
    [[nodiscard]] std::set<ports::EngineNotice> take_notices();
    /// All results of what was sent are there.
    [[nodiscard]] bool is_done() const { return !is_asked_; }
    /// The engine refuses all but a ROLLBACK.
    [[nodiscard]] bool must_roll_back() const {
        return pq_.transaction_status(connection_.get()) == PQTRANS_INERROR;
    }

    [[nodiscard]] int socket() const { return pq_.socket(connection_.get()); }
    [[nodiscard]] bool wants_to_write() const { return wants_to_write_; }

private:
    static void on_notice(void* self, const PGresult* notice);
    void connect();

    const PqLibrary& pq_;
    std::function<void()> on_warning_;
    std::unique_ptr<PGconn, void (*)(PGconn*)> connection_;
    State state_ = State::connecting;
    bool wants_to_write_ = true;
    bool is_asked_ = false;
};

}  // namespace smsrack::postgres
