#include "db/store_parts.hpp"

#include "db/engine/migrate.hpp"
#include "db/engine/reserve.hpp"
#include "db/upkeep/before_migration.hpp"
#include "db/upkeep/clock_record.hpp"
#include "db/upkeep/join_fleet.hpp"
#include "db/upkeep/set_aside.hpp"
#include "db/write/slots.hpp"

#include <utility>

namespace smsrack::db {
namespace {

std::filesystem::path lock_file(const std::filesystem::path& database) {
    return std::filesystem::path(database).replace_filename("lock");
}

std::filesystem::path answers_file(const std::filesystem::path& database) {
    return std::filesystem::path(database).replace_filename("answers");
}

/// A large database keeps its pages: to rewrite it would delay the start by minutes.
void use_new_page_size(Connection& connection, const std::filesystem::path& path,
                       std::uintmax_t octets_max) {
    std::error_code unknown;
    const auto octets = std::filesystem::file_size(path, unknown);
    if (!unknown && octets <= octets_max && connection.page_octets() != new_page_octets) {
        (void)connection.rewrite_pages();  // the next start tries again
    }
}

Result<std::unique_ptr<Connection>> open_whole(const SqliteStoreSettings& settings,
                                               const CountedDisk* disk) {
    auto connection =
        Connection::open(settings.path, {.may_create = true,
                                         .cache_kib = settings.writer_cache_kib,
                                         .disk = disk != nullptr ? disk->name() : nullptr});
    if (!connection) {
        return connection;
    }
    const auto version = known_version(**connection, migrations());
    if (!version) {
        return std::unexpected(version.error());
    }
    Result<> ready;
    if (!settings.taken_over.closed_well) {  // otherwise nothing was cut off
        ready = quick_check(**connection, settings.path, settings.quick_check_max);
    }
    if (ready && *version > 0 && static_cast<std::size_t>(*version) < migrations().size()) {
        ready = keep_before_migration(settings.path, *version);
    }
    ready = ready ? migrate(**connection, migrations()) : ready;
    if (!ready) {
        return std::unexpected(std::move(ready.error()));
    }
    if (!settings.taken_over.closed_well) {  // else the lines wait
        use_new_page_size(**connection, settings.path, settings.rewrite_max);
    }
    return connection;
}

/// SQLite says so; a database that is whole but another program's is left alone.
bool is_broken(const Error& error) {
    return error.code == Errc::damaged_database && error.detail != 0;
}

Result<std::unique_ptr<StoreParts>> begin(const SqliteStoreSettings& settings,
                                          const StoreSurroundings& around) {
    auto disk = around.stats != nullptr ? std::make_unique<CountedDisk>(*around.stats) : nullptr;
    auto connection = open_whole(settings, disk.get());
    if (!connection) {
        return std::unexpected(std::move(connection.error()));
    }
    return guarded([&]() -> Result<std::unique_ptr<StoreParts>> {
        if (around.guard != nullptr) {
            around.guard->not_before(newest_row(**connection),
                                     reckoning_of(**connection, settings.boot));
        }
        if (auto joined = join_fleet(**connection, settings.box); !joined) {
            return std::unexpected(std::move(joined.error()));
        }
        forget_other_slots(**connection, settings.slots);
        auto parts =
            std::make_unique<StoreParts>(settings, around, std::move(disk), *std::move(connection));
        parts->write.recover(parts->answers, settings.taken_over.in_hand);
        parts->answers.begin_anew();
        return parts;
    });
}

/// Without a log the database is read as it lies: the file that shares the index of a log could not
/// be made.
Result<std::unique_ptr<StoreParts>> begin_reading(const SqliteStoreSettings& settings,
                                                  const StoreSurroundings& around,
                                                  const Error& why) {
    const bool immutable = !has_log(settings.path);
    auto connection = Connection::open(
        settings.path,
        {.read_only = true, .immutable = immutable, .cache_kib = settings.writer_cache_kib});
    if (!connection) {
        return std::unexpected(std::move(connection.error()));
    }
    const auto version = known_version(**connection, migrations());
    if (!version || static_cast<std::size_t>(*version) != migrations().size()) {
        return std::unexpected(version ? why : version.error());  // it would have to be migrated
    }
    return guarded([&]() -> Result<std::unique_ptr<StoreParts>> {
        if (around.guard != nullptr) {
            around.guard->not_before(newest_row(**connection),
                                     reckoning_of(**connection, settings.boot));
        }
        auto parts = std::make_unique<StoreParts>(settings, around, nullptr, *std::move(connection),
                                                  immutable);
        parts->write.only_read(why);
        parts->reads_only = true;
        return parts;
    });
}

}  // namespace

StoreParts::StoreParts(SqliteStoreSettings given, const StoreSurroundings& around,
                       std::unique_ptr<CountedDisk> disk_given,
                       std::unique_ptr<Connection> connection, bool immutable)
    : settings(std::move(given)),
      clock(around.clock),
      readers(around.readers),
      disk(std::move(disk_given)),
      answers(answers_file(settings.path), settings.boot),
      write(std::move(connection), settings, around.rules, around.listener, around.clock,
            around.log, around.guard),
      batcher({.intake_waiting_max = settings.intake_waiting_max,
               .share_within = settings.share_within},
              write, around.waiter, around.clock),
      pool(settings.path,
           {.connections_max = settings.readers_max,
            .idle_max = settings.reader_idle,
            .cache_kib = settings.reader_cache_kib,
            .immutable = immutable},
           around.clock) {
    if (around.stats != nullptr) {
        batcher.count_in(*around.stats);
    }
}

Result<std::unique_ptr<StoreParts>> open_parts(const SqliteStoreSettings& settings,
                                               const StoreSurroundings& around) {
    auto lock = settings.taken_over.lock >= 0
                    ? Result<StateLock>(StateLock::adopt(settings.taken_over.lock))
                    : StateLock::take(lock_file(settings.path));
    if (!lock) {
        return std::unexpected(std::move(lock.error()));
    }
    std::filesystem::path damaged;
    forget_kept(settings.path, around.clock.wall());
    auto parts = begin(settings, around);
    if (!parts && is_broken(parts.error())) {
        auto renamed = set_aside(settings.path, around.clock.wall());
        if (!renamed) {
            return fail(Errc::damaged_database,
                        parts.error().context + "; " + renamed.error().context);
        }
        damaged = *std::move(renamed);
        around.log.error("database_set_aside", {{"why", parts.error().context},
                                                {"file", damaged.string()},
                                                {"begun", "a new, empty one"}});
        parts = begin(settings, around);
    }
    if (!parts && settings.may_read_only && has_no_room(parts.error())) {
        const Error why = parts.error();
        parts = begin_reading(settings, around, why);
        if (!parts && give_reserve_back(settings.path)) {
            parts = begin_reading(settings, around, why);
        }
        if (parts) {
            around.log.error("store_reads_only", {{"why", why.context}});
        } else {
            parts = std::unexpected(why);
        }
    }
    if (!parts) {
        return std::unexpected(std::move(parts.error()));
    }
    if (settings.may_read_only && !(*parts)->reads_only) {
        keep_reserve(settings.path);
    }
    (*parts)->lock.emplace(*std::move(lock));
    (*parts)->damaged = std::move(damaged);
    return parts;
}

}  // namespace smsrack::db
