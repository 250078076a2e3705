#include "db/engine/migrate.hpp"

#include "src/base/check.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string>

namespace smsrack::db {
namespace {

// "smsr": tells our file from another program's
constexpr std::int64_t application_id = 0x736D7372;

void refuse_foreign(Connection& connection) {
    const auto tables = connection.scalar<std::int64_t>("SELECT count(*) FROM sqlite_schema", 0);
    if (tables != 0) {
        throw StorageFailure{{.code = Errc::damaged_database,
                              .context = "the file is a database of another program"}};
    }
}

void apply(Connection& connection, const Migration& step) {
    connection.script("BEGIN IMMEDIATE");
    try {
        connection.script(std::string(step.sql));
        connection.script(fmt::format("PRAGMA user_version = {}; PRAGMA application_id = {};",
                                      step.number, application_id));
        connection.script("COMMIT");
    } catch (StorageFailure& failure) {
        connection.roll_back();
        failure.error.context = fmt::format("migration {}: {}", step.name, failure.error.context);
        throw;
    }
}

/// Before migration 14 none but its own.
int oldest_reader(Connection& connection, int version) {
    const bool told = connection.scalar<std::int64_t>(
                          "SELECT count(*) FROM sqlite_schema WHERE name = 'schema_reader'", 0) > 0;
    return told ? connection.scalar<int>("SELECT oldest FROM schema_reader", version) : version;
}

}  // namespace

Result<int> known_version(Connection& connection, std::span<const Migration> steps) {
    return guarded([&]() -> Result<int> {
        const int version = connection.scalar<int>("PRAGMA user_version", 0);
        if (version == 0) {
            refuse_foreign(connection);
        } else if (connection.scalar<std::int64_t>("PRAGMA application_id", 0) != application_id) {
            return fail(Errc::damaged_database, "the file is a database of another program");
        }
        const int last = static_cast<int>(steps.size());
        if (version > last && oldest_reader(connection, version) > last) {
            return fail(Errc::newer_database,
                        fmt::format("the database has version {}, this program knows up to {}: use "
                                    "the newer program, or a backup",
                                    version, last));
        }
        return version;
    });
}

Result<> migrate(Connection& connection, std::span<const Migration> steps) {
    const Result<int> version = known_version(connection, steps);
    if (!version) {
        return std::unexpected(version.error());
    }
    const auto done = std::min(static_cast<std::size_t>(*version), steps.size());
    return guarded([&]() -> Result<> {
        for (const Migration& step : steps.subspan(done)) {
            SMSRACK_CHECK(step.number == 1 + (&step - steps.data()));
            apply(connection, step);
        }
        return {};
    });
}

}  // namespace smsrack::db
