#include "tools/smsrack/webhooks/config_append.hpp"

#include "src/config/settings.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/whole_file.hpp"

#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace smsrack::cli {
namespace {

namespace fs = std::filesystem;

std::unexpected<Failure> refused(const Error& error) {
    const bool not_allowed = error.code == Errc::not_allowed;
    return failure(not_allowed ? ExitCode::not_allowed : ExitCode::failed,
                   printable(error.context) + (not_allowed ? "; do this as root" : ""));
}

}  // namespace

Outcome<std::string> with_table(const std::string& file, std::string_view table) {
    const auto before = read_small_file(file);
    if (!before) {
        return refused(before.error());
    }
    std::string text = *before;
    text += text.empty() || text.ends_with('\n') ? "\n" : "\n\n";
    text += table;
    const auto checked = config::load_settings(text, file);
    if (checked) {
        return text;
    }
    Failure problem{.code = ExitCode::bad_data,
                    .message = file + ": nothing was changed; the service would not start with it"};
    for (const config::ConfigProblem& one : checked.error().problems) {
        problem.details.push_back(printable(checked.error().line_of(one)));
    }
    return std::unexpected(std::move(problem));
}

Outcome<> replace_config(const std::string& file, std::string_view text) {
    std::error_code error;
    const fs::path real = fs::canonical(file, error);  // a link stays one
    struct stat about {};
    if (error || ::stat(real.c_str(), &about) != 0) {
        return failure(ExitCode::failed,
                       printable(file) + ": " + std::generic_category().message(errno));
    }
    constexpr mode_t rights = 07777;
    const auto group = ::geteuid() == 0 ? std::optional(about.st_gid) : std::nullopt;
    if (const auto written =
            write_whole_file(real, text, Existing::replace, about.st_mode & rights, group);
        !written) {
        return refused(written.error());
    }
    if (::geteuid() == 0 && ::chown(real.c_str(), about.st_uid, about.st_gid) != 0) {
        return failure(ExitCode::failed, printable(file) + ": its owner can't be kept: " +
                                             std::generic_category().message(errno));
    }
    return ExitCode::done;
}

}  // namespace smsrack::cli
