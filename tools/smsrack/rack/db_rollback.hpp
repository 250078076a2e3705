/// `smsrack db schema` and `smsrack db rollback SCHEMA`: which versions can use the database, and the
/// way to one that cannot.
///
/// Errors:  failed: the database can't be read, no copy that the other version can use is there, or messages would be lost and the operator
///          has not agreed.
#pragma once

#include "tools/smsrack/command_group.hpp"

namespace smsrack::cli {

void declare_db_rollback(const CommandGroup& db);

}  // namespace smsrack::cli
