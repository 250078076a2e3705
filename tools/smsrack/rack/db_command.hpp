/// `smsrack db check` and `smsrack db backup FILE`: work on the database itself, whether the
/// service runs or not.
///
/// Errors:  bad_data where the database is damaged or says what it must not; failed where it can't be read or copied.
#pragma once

#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"
#include "tools/smsrack/rack/config_command.hpp"

#include <filesystem>
#include <string>

namespace CLI {
class App;
}

namespace smsrack::cli {

/// Which database: `database`, or else that of the configuration `config`.
struct DatabaseChoice {
    std::string config = usual_config;
    std::string database = {};
};

/// What is wrong with the configuration has been said when it fails.
[[nodiscard]] Outcome<std::filesystem::path> database_file(const DatabaseChoice& where,
                                                           Context& context);

/// The options --config and --db.
void add_database(CLI::App& app, DatabaseChoice& where);

}  // namespace smsrack::cli
