#include "firmware-host/migration_trial.hpp"

#include "db/backup.hpp"
#include "db/connection.hpp"
#include "db/migrate.hpp"
#include "db/set_aside.hpp"
#include "firmware-host/successor.hpp"
#include "src/config/settings.hpp"

#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <limits>
#include <sys/wait.h>
#include <system_error>
#include <utility>

namespace smsrack::host {
namespace {

Result<> run_trial(const std::string& binary, const std::filesystem::path& copy) {
    const serial::OwnedFd nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
    const auto pid = start_program({binary, "--try-migration", copy.string()}, nothing.get());
    if (!pid) {
        return std::unexpected(pid.error());
    }
    int status = 0;
    while (::waitpid(*pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (status != 0) {
        return fail(Errc::conflict,
                    "the migration was tried on a copy: " + binary + " " + ending_text(status) +
                        "; its words are in the log of the service, the database is untouched");
    }
    return {};
}

void remove_copy(const std::filesystem::path& copy) {
    std::error_code ignored;
    for (const char* const end : {"", "-wal", "-shm"}) {
        std::filesystem::remove(copy.string() + end, ignored);
    }
}

Result<> try_on_copy(const std::string& binary, const std::filesystem::path& state_dir) {
    const auto copy = state_dir / "upgrade-trial.db";
    remove_copy(copy);
    if (const auto made = db::backup(state_dir / config::database_name, copy, {}); !made) {
        return fail(Errc::storage, "no copy for the migration's trial: " + made.error().context);
    }
    auto tried = run_trial(binary, copy);
    remove_copy(copy);
    return tried;
}

}  // namespace

MigrationTrial::MigrationTrial(const std::string& binary, const std::filesystem::path& state_dir,
                               Executor& loop, Done done)
    : done_(std::make_shared<Done>(std::move(done))),
      thread_([binary, state_dir, &loop, weak = std::weak_ptr(done_)] {
          loop.post([weak, tried = try_on_copy(binary, state_dir)] {
              if (const auto told = weak.lock()) {
                  (*told)(tried);
              }
          });
      }) {}

Result<> migrate_copy(const std::filesystem::path& copy) {
    auto connection = db::Connection::open(copy, {});
    if (!connection) {
        return std::unexpected(std::move(connection.error()));
    }
    if (auto migrated = db::migrate(**connection, db::migrations()); !migrated) {
        return migrated;
    }
    return db::quick_check(**connection, copy, std::numeric_limits<std::uintmax_t>::max());
}

}  // namespace smsrack::host
