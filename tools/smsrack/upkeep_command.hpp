/// `smsrack reload` and `smsrack upgrade BINARY`: change the configuration or the version while the
/// service keeps running.
#pragma once

#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"

#include <string>

namespace smsrack::cli {

struct ReloadOptions {};

struct UpgradeOptions {
    std::string binary = {};
    bool yes = false;
};

/// bad_data: the file is refused, with file, line and key of each fault; nothing was changed.
[[nodiscard]] Outcome<> run(const ReloadOptions& options, Context& context);
/// failed: why not; the version that ran stays.
[[nodiscard]] Outcome<> run(const UpgradeOptions& options, Context& context);

}  // namespace smsrack::cli
