/// The engine's schema, as numbered steps that only add: each is applied once, in order, in a transaction of its own.
///
/// The table schema_steps has those that were applied; schema_reader the oldest schema whose programs may use what they made.
/// Threads: the caller's; it blocks.
/// Errors:  closed: the engine can't be reached. newer_database: it is for later releases only. not_allowed: the role may not make
///          what a step makes. bad_config: libpq, the connection string, or PostgreSQL before 15. internal: a step failed; the ones
///          before it stay.
#pragma once

#include "src/base/result.hpp"

#include <span>
#include <string>
#include <string_view>

namespace smsrack::postgres {

struct SchemaStep {
    int number = 0;  ///< from 1, without gaps
    std::string_view name = {};
    std::string_view sql = {};
};

/// Those of db/postgres/schema, in order.
[[nodiscard]] std::span<const SchemaStep> schema_steps();

/// Brings the database of `conninfo` to the last step. Its role becomes the owner: it is not the one that boxes use at run time.
/// Answers how many steps were applied. Several at once take turns.
[[nodiscard]] Result<int> migrate(const std::string& conninfo);

}  // namespace smsrack::postgres
