#include "db/postgres/postgres_schema.hpp"

#include "db/postgres/rows.hpp"
#include "db/postgres/sql_error.hpp"
#include "db/postgres/statements.hpp"

#include <array>
#include <fmt/format.h>
#include <memory>
#include <poll.h>

namespace smsrack::postgres {
namespace {

class Session {
public:
    Session(const PqLibrary& pq, const std::string& conninfo)
        : pq_(pq), connection_(nullptr, pq.finish) {
        const std::array words{"dbname", "target_session_attrs", "connect_timeout",
                               static_cast<const char*>(nullptr)};
        const std::array values{conninfo.c_str(), "read-write", "10",
                                static_cast<const char*>(nullptr)};
        connection_.reset(pq.connect_start(words.data(), values.data(), 1));
    }

    [[nodiscard]] Result<> open() {
        while (pq_.status(connection_.get()) != CONNECTION_BAD) {
            const auto wanted = pq_.connect_poll(connection_.get());
            if (wanted == PGRES_POLLING_OK) {
                return {};
            }
            if (wanted == PGRES_POLLING_FAILED) {
                break;
            }
            pollfd source{pq_.socket(connection_.get()),
                          static_cast<short>(wanted == PGRES_POLLING_READING ? POLLIN : POLLOUT),
                          0};
            constexpr int ms_max = 10'000;
            if (::poll(&source, 1, ms_max) == 0) {
                return std::unexpected(closed("it does not answer"));
            }
        }
        return std::unexpected(closed(pq_.error_message(connection_.get())));
    }

    /// Several statements; the rows of the last.
    [[nodiscard]] Result<Rows> run(const std::string& sql) {
        PGresult* const result = pq_.exec(connection_.get(), sql.c_str());
        if (result == nullptr) {
            return std::unexpected(closed(pq_.error_message(connection_.get())));
        }
        Rows rows(pq_, result);
        if (!rows.is_error()) {
            return rows;
        }
        Error error = error_of(rows.sqlstate(), rows.message());
        if (!rows.sqlstate().empty() && error.code == Errc::closed) {
            error.code = Errc::internal;
        }
        return std::unexpected(std::move(error));
    }

private:
    const PqLibrary& pq_;
    std::unique_ptr<PGconn, void (*)(PGconn*)> connection_;
};

constexpr const char* prepare =
    "SET client_min_messages = warning;"
    "BEGIN;"
    "SELECT pg_advisory_xact_lock(7359, 1);"
    "CREATE SCHEMA IF NOT EXISTS smsrack;"
    "CREATE TABLE IF NOT EXISTS smsrack.schema_steps (number int PRIMARY KEY, name text NOT NULL, "
    "applied_at timestamptz NOT NULL DEFAULT now());"
    "COMMIT;"
    "SET search_path = smsrack, pg_temp;"
    "SELECT current_setting('server_version_num')::int";

std::string step_sql(const SchemaStep& step) {
    return fmt::format(
        "BEGIN;"
        "SELECT pg_advisory_xact_lock(7359, 1);"
        "INSERT INTO smsrack.schema_steps (number, name) VALUES ({}, '{}');"
        "{};"
        "COMMIT",
        step.number, step.name, step.sql);
}

Result<int> newest_step(Session& session) {
    const auto rows = session.run("SELECT coalesce(max(number), 0) FROM smsrack.schema_steps");
    return rows ? Result<int>(static_cast<int>(rows->number(0, 0))) : std::unexpected(rows.error());
}

Result<> check_reader(Session& session) {
    const auto rows = session.run("SELECT max(oldest) FROM smsrack.schema_reader");
    if (rows && rows->number(0, 0) > known_schema()) {
        return fail(Errc::newer_database,
                    fmt::format("the engine needs a release with schema {}, this one has {}",
                                rows->number(0, 0), known_schema()));
    }
    return rows ? Result<>() : std::unexpected(rows.error());
}

}  // namespace

int known_schema() {
    return schema_steps().back().number;
}

Result<int> migrate(const std::string& conninfo) {
    const auto pq = PqLibrary::load();
    if (!pq) {
        return std::unexpected(pq.error());
    }
    Session session(**pq, conninfo);
    if (auto opened = session.open(); !opened) {
        return std::unexpected(std::move(opened.error()));
    }
    const auto version = session.run(prepare);
    if (!version) {
        return std::unexpected(version.error());
    }
    constexpr int oldest_server = 150'000;
    if (version->number(0, 0) < oldest_server) {
        return fail(Errc::bad_config, "the engine must be PostgreSQL 15 or later");
    }
    int applied = 0;
    for (const SchemaStep& step : schema_steps()) {
        const auto newest = newest_step(session);
        if (!newest) {
            return std::unexpected(newest.error());
        }
        if (*newest >= step.number) {
            continue;
        }
        if (auto done = session.run(step_sql(step)); !done) {
            // Another box was first: its step is there now.
            if (const auto again = session.run("ROLLBACK"); !again) {
                return std::unexpected(again.error());
            }
            if (const auto now = newest_step(session); now && *now >= step.number) {
                continue;
            }
            done.error().context =
                fmt::format("schema step {}: {}", step.number, done.error().context);
            return std::unexpected(std::move(done.error()));
        }
        ++applied;
    }
    if (auto may = check_reader(session); !may) {
        return std::unexpected(std::move(may.error()));
    }
    return applied;
}

}  // namespace smsrack::postgres
