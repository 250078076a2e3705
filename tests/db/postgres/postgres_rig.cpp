#include "tests/db/postgres/postgres_rig.hpp"

#include "db/postgres/postgres_schema.hpp"
#include "tests/support/wait_for.hpp"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <stdexcept>

namespace smsrack::test {
namespace {

using namespace std::chrono_literals;

/// At the commit of a change, a box waits while the test has the lock of its name.
constexpr const char* commit_gate = R"(
CREATE FUNCTION smsrack.wait_at_commit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(7, hashtext(current_setting('application_name')));
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER gate AFTER INSERT OR UPDATE ON smsrack.rules DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION smsrack.wait_at_commit();
CREATE CONSTRAINT TRIGGER gate AFTER INSERT ON smsrack.mail DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION smsrack.wait_at_commit();
)";

std::string new_database(const PostgresServer& server) {
    static std::atomic<int> count = 0;
    const std::string name = fmt::format("fleet{}", ++count);
    prepare_database(server, name);
    return name;
}

std::string box_name(std::size_t index) {
    return "box" + std::to_string(index);
}

}  // namespace

void prepare_roles(const PostgresServer& server, const std::string& name) {
    Session admin(server.conninfo());
    if (admin.ask("SELECT count(*) FROM pg_roles WHERE rolname = 'owner'") == "0") {
        admin.ask("CREATE ROLE owner LOGIN CREATEROLE");
        admin.ask("CREATE ROLE smsrack_box NOLOGIN");
        admin.ask("CREATE ROLE box LOGIN IN ROLE smsrack_box, pg_monitor");
    }
    admin.ask("CREATE DATABASE " + name + " OWNER owner");
}

void make_synchronous(const PostgresServer& server, const std::string& standby) {
    Session admin(server.conninfo());
    admin.ask("ALTER SYSTEM SET synchronous_standby_names = '" + standby + "'");
    admin.ask("SELECT pg_reload_conf()");
    const bool follows = wait_for(20s, [&] {
        return admin.number("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") >
               0;
    });
    if (!follows) {
        throw std::runtime_error("the standby " + standby + " does not follow");
    }
}

void prepare_database(const PostgresServer& server, const std::string& name) {
    prepare_roles(server, name);
    if (auto done = postgres::migrate(server.conninfo(name, "owner")); !done) {
        throw std::runtime_error(done.error().context);
    }
}

PostgresRig::PostgresRig(const PostgresServer& server)
    : PostgresRig(new_database(server), server) {}

PostgresRig::PostgresRig(const std::string& database, const PostgresServer& server)
    : PostgresRig(server.conninfo(database),
                  {server.conninfo(database, "box"), server.conninfo(database, "box"),
                   server.conninfo(database, "box")}) {
    control_.ask(commit_gate);
}

PostgresRig::PostgresRig(const std::string& control,
                         const std::array<std::string, box_count>& boxes,
                         std::chrono::milliseconds lease_of_boxes)
    : control_(control) {
    for (std::size_t i = 0; i < box_count; ++i) {
        auto engine = postgres::PostgresEngine::make(
            {.conninfo = boxes.at(i), .box = box_name(i), .lease = lease_of_boxes}, clock_, log_);
        if (!engine) {
            throw std::runtime_error(engine.error().context);
        }
        boxes_.at(i) = *std::move(engine);
        boxes_.at(i)->start();
    }
    if (!connect_all()) {
        throw std::runtime_error("the boxes do not connect");
    }
}

PostgresRig::~PostgresRig() {
    for (auto& box : boxes_) {
        box->stop();
    }
}

bool PostgresRig::connect_all() {
    return run_until([&] {
        return std::ranges::all_of(boxes_, [](const auto& box) { return box->is_connected(); });
    });
}

bool PostgresRig::run_until(const std::function<bool()>& done) {
    return wait_for(60s, done);
}

void PostgresRig::pass(std::chrono::milliseconds time) {
    (void)wait_for(time, [] { return false; });
}

void PostgresRig::hold_commits(std::size_t index, bool hold) {
    control_.ask(fmt::format("SELECT pg_advisory_{}lock(7, hashtext('smsrack {}'))",
                             hold ? "" : "un", box_name(index)));
}

}  // namespace smsrack::test
