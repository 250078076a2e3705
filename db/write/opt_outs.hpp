/// Numbers that want nothing more.
///
/// A subscriber is found however operators write the number: by its last digits, and then as ports/reports compare numbers.
/// Threads: those of the connection; writes on the writing thread.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/writer.hpp"
#include "src/ports/control_store.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::db {

[[nodiscard]] std::optional<ports::OptOutRow> find_opt_out(Connection& db, std::string_view number);
[[nodiscard]] std::vector<ports::OptOutRow> list_opt_outs(Connection& db, const std::string& after,
                                                          std::size_t limit);

[[nodiscard]] bool apply(Writer& writer, const ports::OptOut& command);
[[nodiscard]] bool apply(Writer& writer, const ports::OptIn& command);
/// False: it is there already.
[[nodiscard]] bool add_opt_out(Connection& db, const ports::OptOutRow& row);
/// All ways to write it; answers those that were there.
[[nodiscard]] std::vector<std::string> remove_opt_out(Connection& db, const std::string& number);

/// The same by a person's word: the boxes of a fleet obey it, too.
bool opt_out(Writer& writer, const ports::OptOutRow& row);
/// `tells_always`: also where this box has none of it; another one may. Else strangers could let the engine grow.
bool opt_in(Writer& writer, const std::string& number, WallTime at, bool tells_always);

}  // namespace smsrack::db
