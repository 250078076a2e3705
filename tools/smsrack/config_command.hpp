/// `smsrack config check FILE` and `smsrack config show`: the configuration, without the service.
///
/// Errors:  bad_data where the file is not a configuration; all that is wrong is said, a line each.
#pragma once

#include "src/config/settings.hpp"
#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"

#include <string>
#include <string_view>

namespace smsrack::cli {

struct ConfigCheckOptions {
    std::string file = {};
};

struct ConfigShowOptions {
    std::string file = {};
};

[[nodiscard]] Outcome<> run(const ConfigCheckOptions& options, Context& context);
[[nodiscard]] Outcome<> run(const ConfigShowOptions& options, Context& context);

/// Reads a file and checks it; what is wrong has been said when it fails.
[[nodiscard]] Outcome<config::Settings> load_config(const std::string& file, Context& context);
/// The same of a text that is not in its file yet.
[[nodiscard]] Outcome<config::Settings> check_config(std::string_view text, const std::string& file,
                                                     Context& context);

}  // namespace smsrack::cli
