#include "tools/smsrack/token_command.hpp"

#include "src/base/time_text.hpp"
#include "tools/client/unique_fd.hpp"
#include "tools/smsrack/json_fields.hpp"
#include "tools/smsrack/real_clock.hpp"
#include "tools/smsrack/table.hpp"
#include "tools/smsrack/whole_file.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace smsrack::cli {
namespace {

namespace fs = std::filesystem;
using access::Token;

constexpr mode_t file_mode = 0640;  // the service reads it, by its group
constexpr std::chrono::milliseconds hold_pause{50};
constexpr int hold_tries = 200;  // 10 s: a run takes some milliseconds

Failure failure_of(const Error& error) {
    const bool refused = error.code == Errc::not_allowed;
    return {.code = refused ? ExitCode::not_allowed : ExitCode::failed,
            .message = error.context + (refused ? "; do this as root" : "")};
}

/// While it is held, no other process changes the file. Only a process that may write to the folder
/// can hold it, and none waits for ever.
Outcome<client::UniqueFd> hold(const fs::path& file) {
    const std::string lock = file.string() + ".lock";
    client::UniqueFd fd(::open(lock.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
    bool held = fd && ::flock(fd.get(), LOCK_EX | LOCK_NB) == 0;
    for (int tries = 0; fd && !held && errno == EWOULDBLOCK && tries < hold_tries; ++tries) {
        std::this_thread::sleep_for(hold_pause);
        held = ::flock(fd.get(), LOCK_EX | LOCK_NB) == 0;
    }
    if (!held) {
        const int error = errno;
        if (error == EWOULDBLOCK) {
            return failure(
                ExitCode::try_later,
                file.string() + ": another `smsrack token` is running; nothing was changed");
        }
        return std::unexpected(
            failure_of({.code = error == EACCES ? Errc::not_allowed : Errc::storage,
                        .context = lock + ": " + std::generic_category().message(error)}));
    }
    return fd;
}

/// None where there is no file.
Outcome<std::vector<Token>> read_tokens(const fs::path& file) {
    const auto text = read_small_file(file);
    if (!text && text.error().code == Errc::not_found) {
        return std::vector<Token>{};
    }
    if (!text) {
        return std::unexpected(failure_of(text.error()));
    }
    auto tokens = access::tokens_of(*text);
    if (!tokens) {
        return failure(ExitCode::bad_data, file.string() + ": " + tokens.error().context);
    }
    return *std::move(tokens);
}

/// In the group of the folder, whose members may read what is in it.
Outcome<> write_tokens(const fs::path& file, const std::vector<Token>& tokens) {
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    struct stat about {};
    if (::stat(folder.c_str(), &about) != 0) {
        return failure(ExitCode::failed,
                       folder.string() + ": " + std::generic_category().message(errno));
    }
    const auto group = ::geteuid() == 0 ? std::optional(about.st_gid) : std::nullopt;
    if (const auto written =
            write_whole_file(file, text_of_tokens(tokens), Existing::replace, file_mode, group);
        !written) {
        return std::unexpected(failure_of(written.error()));
    }
    return ExitCode::done;
}

bool has(const std::vector<Token>& tokens, const std::string& name) {
    return std::ranges::find(tokens, name, &Token::name) != tokens.end();
}

std::string free_name(const std::vector<Token>& tokens, access::Role role) {
    for (int number = 1;; ++number) {
        std::string name = fmt::format("{}-{}", access::role_name(role), number);
        if (!has(tokens, name)) {
            return name;
        }
    }
}

Outcome<std::string> fresh_token() {
    std::array<std::byte, 32> chance{};
    if (::getrandom(chance.data(), chance.size(), 0) != static_cast<ssize_t>(chance.size())) {
        return failure(ExitCode::failed, "the system gives no random numbers: " +
                                             std::generic_category().message(errno));
    }
    return access::token_text(chance);
}

wire::Json json_of(const Token& token) {
    return {{"name", token.name},
            {"role", access::role_name(token.role)},
            {"made_at", time_text(token.made)}};
}

}  // namespace

Outcome<> run(const TokenNewOptions& options, Context& context) {
    if (!options.name.empty() && !access::is_token_name(options.name)) {
        return failure(ExitCode::usage,
                       "--name: must be 1 to 32 of letters, digits, \"_\", \"-\" and \".\"");
    }
    const auto held = hold(options.file);
    if (!held) {
        return std::unexpected(held.error());
    }
    auto tokens = read_tokens(options.file);
    if (!tokens) {
        return std::unexpected(tokens.error());
    }
    if (has(*tokens, options.name)) {
        return failure(
            ExitCode::failed,
            fmt::format("{}: there is a token {} already; `smsrack token revoke {}` removes it",
                        options.file, options.name, options.name));
    }
    const auto secret = fresh_token();
    if (!secret) {
        return std::unexpected(secret.error());
    }
    const Token token{
        .name = options.name.empty() ? free_name(*tokens, options.role) : options.name,
        .role = options.role,
        .hash = access::token_hash(*secret),
        .made = RealClock().wall()};
    tokens->push_back(token);
    if (auto written = write_tokens(options.file, *tokens); !written) {
        return written;
    }
    if (context.json) {
        wire::Json said = json_of(token);
        said["token"] = *secret;
        context.console.write(json_line(said) + "\n");
    } else {
        context.console.note(fmt::format("{} ({}): keep it, it is not shown again", token.name,
                                         access::role_name(token.role)));
        context.console.write(*secret + "\n");
    }
    return ExitCode::done;
}

Outcome<> run(const TokenListOptions& options, Context& context) {
    const auto tokens = read_tokens(options.file);
    if (!tokens) {
        return std::unexpected(tokens.error());
    }
    Table table({{"NAME"}, {"ROLE"}, {context.times.heading("MADE")}});
    wire::Json all = wire::Json::array();
    for (const Token& token : *tokens) {
        table.add({token.name, std::string(access::role_name(token.role)),
                   context.times.to_seconds(time_text(token.made))});
        all.push_back(json_of(token));
    }
    context.console.write(context.json ? json_line({{"tokens", std::move(all)}}) + "\n"
                                       : table.text(context.console, "There are no tokens."));
    return ExitCode::done;
}

Outcome<> run(const TokenRevokeOptions& options, Context& context) {
    const auto held = hold(options.file);
    if (!held) {
        return std::unexpected(held.error());
    }
    auto tokens = read_tokens(options.file);
    if (!tokens) {
        return std::unexpected(tokens.error());
    }
    if (std::erase_if(*tokens, [&](const Token& token) { return token.name == options.name; }) ==
        0) {
        return failure(ExitCode::failed, fmt::format("{}: no token {}; `smsrack token list`",
                                                     options.file, printable(options.name)));
    }
    if (auto written = write_tokens(options.file, *tokens); !written) {
        return written;
    }
    context.console.write(context.json ? json_line({{"revoked", options.name}}) + "\n"
                                       : options.name + " has no access any more\n");
    return ExitCode::done;
}

}  // namespace smsrack::cli
