#include "firmware-host/upgrade/migration_trial.hpp"

#include "db/engine/connection.hpp"
#include "db/engine/migrate.hpp"
#include "db/upkeep/backup.hpp"
#include "db/upkeep/set_aside.hpp"
#include "firmware-host/upgrade/successor.hpp"
#include "src/config/service_settings.hpp"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <fcntl.h>
#include <fmt/format.h>
#include <limits>
#include <stop_token>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace smsrack::host {
namespace {

constexpr const char* copy_name = "upgrade-trial.db";

/// Ends the program when the trial is called off.
Result<> run_trial(const TrustedProgram& program, const std::filesystem::path& copy,
                   const std::stop_token& called_off) {
    const serial::OwnedFd nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
    const auto pid = start_program(program, {"--try-migration", copy.string()}, nothing.get());
    if (!pid) {
        return std::unexpected(pid.error());
    }
    const serial::OwnedFd process(static_cast<int>(::syscall(SYS_pidfd_open, *pid, 0)));
    const std::stop_callback end(called_off, [&process] {
        (void)::syscall(SYS_pidfd_send_signal, process.get(), SIGKILL, nullptr, 0);
    });
    int status = 0;
    while (::waitpid(*pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (status != 0) {
        return fail(Errc::conflict,
                    "the migration was tried on a copy: " + program.path() + " " +
                        ending_text(status) +
                        "; the service's log has its output, the database is unchanged");
    }
    return {};
}

Result<> try_on_copy(const TrustedProgram& program, const std::filesystem::path& state_dir,
                     const std::stop_token& called_off) {
    remove_trial(state_dir);
    const auto copy = state_dir / copy_name;
    const auto database = state_dir / config::database_name;
    std::error_code no_size;
    std::error_code no_space;
    const auto size = std::filesystem::file_size(database, no_size);
    const auto space = std::filesystem::space(state_dir, no_space);
    if (auto room = room_for_trial(no_size ? 0 : size, space.available); !no_space && !room) {
        room.error().context += " in " + state_dir.string();
        return room;
    }
    const auto go_on = [&](db::BackupProgress) {
        if (called_off.stop_requested()) {
            throw db::StorageFailure{{.code = Errc::closed, .context = "called off"}};
        }
    };
    if (const auto made = db::backup(database, copy, go_on); !made) {
        return fail(Errc::storage,
                    "can't copy the database for a trial migration: " + made.error().context);
    }
    auto tried = run_trial(program, copy, called_off);
    remove_trial(state_dir);
    return tried;
}

}  // namespace

Result<> room_for_trial(std::uintmax_t database, std::uintmax_t available) {
    constexpr std::uintmax_t mebi = std::uintmax_t{1024} * 1024;
    constexpr std::uintmax_t reserve = 32 * mebi;  // for messages that come meanwhile
    const std::uintmax_t needed = 2 * database + reserve;
    if (available >= needed) {
        return {};
    }
    return fail(
        Errc::storage,
        fmt::format(
            "can't copy the database for a trial migration: it needs {} MiB, and {} MiB are free",
            needed / mebi, available / mebi));
}

void remove_trial(const std::filesystem::path& state_dir) {
    std::error_code ignored;
    for (const char* const end : {"", "-wal", "-shm", "-journal", ".partial"}) {
        std::filesystem::remove((state_dir / copy_name).string() + end, ignored);
    }
}

MigrationTrial::MigrationTrial(const TrustedProgram& program,
                               const std::filesystem::path& state_dir, Executor& loop, Done done)
    : done_(std::make_shared<Done>(std::move(done))),
      thread_([&program, state_dir, &loop,
               weak = std::weak_ptr(done_)](const std::stop_token& called_off) {
          loop.post([weak, tried = try_on_copy(program, state_dir, called_off)] {
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
