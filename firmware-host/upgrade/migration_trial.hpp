/// Tries the new program's migration on a copy of the database before anything is handed over to
/// it.
///
/// Threads: made and ended on the loop thread; the copying has a thread of its own. `done` is called on the loop. What is
///          under way at its end is broken off.
/// Errors:  storage (no room for a copy); conflict (the program could not migrate it).
#pragma once

#include "firmware-host/system/trusted_program.hpp"
#include "src/base/executor.hpp"
#include "src/base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>

namespace smsrack::host {

class MigrationTrial {
public:
    using Done = std::move_only_function<void(Result<>)>;

    /// `program` and `loop` outlive the object. After its end `done` is not called any more.
    MigrationTrial(const TrustedProgram& program, const std::filesystem::path& state_dir,
                   Executor& loop, Done done);

private:
    std::shared_ptr<Done> done_;  // of the loop thread; the job that calls it has a weak one
    std::jthread thread_;
};

/// Checks that a copy of a database of this size, and what its migration writes next to it, leave
/// the service room to continue. storage: they would not.
[[nodiscard]] Result<> room_for_trial(std::uintmax_t database, std::uintmax_t available);

/// Takes away what a trial left that ended with the power: it has the texts of all messages.
void remove_trial(const std::filesystem::path& state_dir);

/// What `smsrackd --try-migration FILE` does: brings the copy to the schema of this program, and reads all of it.
[[nodiscard]] Result<> migrate_copy(const std::filesystem::path& copy);

}  // namespace smsrack::host
