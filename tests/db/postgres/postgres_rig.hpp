/// A server with the schema, and boxes that are connected to it.
#pragma once

#include "db/postgres/postgres_engine.hpp"
#include "firmware-host/process/system_clock.hpp"
#include "tests/db/postgres/server.hpp"
#include "tests/db/postgres/session.hpp"
#include "tests/fleet/conformance/engine_rig.hpp"
#include "tests/support/quiet_log.hpp"

#include <array>
#include <chrono>
#include <memory>
#include <string>

namespace smsrack::test {

/// Makes an empty database, the role `owner` that owns it, and the role `box` that boxes use.
void prepare_roles(const PostgresServer& server, const std::string& name);
/// From now on each commit of the server waits for this standby. Throws where it does not follow within 20 s.
void make_synchronous(const PostgresServer& server, const std::string& standby);
/// Makes an empty database and its roles, as above, with the schema.
void prepare_database(const PostgresServer& server, const std::string& name);

class PostgresRig final : public EngineRig {
public:
    static constexpr std::chrono::milliseconds lease{15'000};

    /// In a new database of `server`.
    explicit PostgresRig(const PostgresServer& server);
    /// In a database that has the schema, over these connection strings.
    PostgresRig(const std::string& control, const std::array<std::string, box_count>& boxes,
                std::chrono::milliseconds lease_of_boxes = lease);
    ~PostgresRig() override;

    [[nodiscard]] ports::ClusterEngine& box(std::size_t index) override {
        return *boxes_.at(index);
    }
    [[nodiscard]] postgres::PostgresEngine& engine(std::size_t index) { return *boxes_.at(index); }
    [[nodiscard]] bool run_until(const std::function<bool()>& done) override;
    void pass(std::chrono::milliseconds time) override;
    void hold_commits(std::size_t index, bool hold) override;
    /// As the superuser.
    [[nodiscard]] Session& control() { return control_; }
    [[nodiscard]] bool connect_all();

private:
    PostgresRig(const std::string& database, const PostgresServer& server);

    smsrack::host::SystemClock clock_;
    QuietLog log_;
    Session control_;
    std::array<std::unique_ptr<postgres::PostgresEngine>, box_count> boxes_;
};

}  // namespace smsrack::test
