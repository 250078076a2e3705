/// Which PIN was entered into which SIM, and what the SIM said: a wrong one is tried once, ever.
///
/// A try whose outcome was never heard (power cut, modem gone) may be made again only where the
/// card still has as many attempts left as before it: a wrong PIN costs one, a right one or none
/// entered does not. So no value fails twice, and a power cut at the wrong moment does not leave a
/// SIM locked.
/// Threads: the writing thread.
/// Errors:  StorageFailure (inside db).
/// Source:  3GPP TS 31.101 11.1.9: a wrong PIN counts down, a right one sets the counter back.
#pragma once

#include "db/engine/writer.hpp"
#include "src/base/clock.hpp"
#include "src/base/result.hpp"
#include "src/ports/sim_commands.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace smsrack::db {

/// True: it may be entered after the commit.
[[nodiscard]] bool apply(Writer& writer, const ports::BeginPinTry& command);

void apply(Writer& writer, const ports::EndPinTry& command);

/// When the PIN was entered that this card refused, if that was the last one that was tried with it; nullopt if none
/// was. Of a database that a service may be using.
/// Threads: any.
/// Errors:  not_found, storage.
[[nodiscard]] Result<std::optional<WallTime>> last_pin_refused(
    const std::filesystem::path& database, const std::string& card);

}  // namespace smsrack::db
