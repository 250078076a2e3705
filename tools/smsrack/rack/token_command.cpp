// `smsrack token new|list|revoke`: manages the tokens of callers over the network. Works on the
// file, not by the service, which is asked only when each was used last. Two at the same time wait
// for each other.
#include "firmware-host/setup/local_accounts.hpp"
#include "src/access/token.hpp"
#include "src/base/time_text.hpp"
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/file_lock.hpp"
#include "tools/smsrack/messages/time_argument.hpp"
#include "tools/smsrack/rack/service.hpp"
#include "tools/smsrack/real_clock.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/screen/table.hpp"
#include "tools/smsrack/whole_file.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace smsrack::cli {
namespace {

namespace fs = std::filesystem;
using access::Token;

constexpr mode_t file_mode = 0640;  // the service reads it, by its group

constexpr const char* usual_tokens = "/etc/smsrack/tokens";

struct TokenNewOptions {
    std::string file = usual_tokens;
    access::Role role = access::Role::read;
    std::string name = {};   ///< empty: the role and a number
    std::string until = {};  ///< empty: it does not end
    bool masked = false;
};

struct TokenRevokeOptions {
    std::string file = usual_tokens;
    std::string name = {};
};

Failure token_failure(const Error& error) {
    const bool refused = error.code == Errc::not_allowed;
    return {.code = refused ? ExitCode::not_allowed : ExitCode::failed,
            .message = error.context + (refused ? "; do this as root" : "")};
}

/// None where there is no file.
Outcome<std::vector<Token>> read_tokens(const fs::path& file) {
    const auto text = read_small_file(file);
    if (!text && text.error().code == Errc::not_found) {
        return std::vector<Token>{};
    }
    if (!text) {
        return std::unexpected(token_failure(text.error()));
    }
    auto tokens = access::tokens_of(*text);
    if (!tokens) {
        return failure(ExitCode::bad_data, file.string() + ": " + tokens.error().context);
    }
    return *std::move(tokens);
}

/// In the group of the gate, whose members may read it; without one in that of the folder.
Outcome<> write_tokens(const fs::path& file, const std::vector<Token>& tokens) {
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    struct stat about {};
    if (::stat(folder.c_str(), &about) != 0) {
        return failure(ExitCode::failed,
                       folder.string() + ": " + std::generic_category().message(errno));
    }
    const auto group = ::geteuid() == 0
                           ? std::optional(host::local_group("smsrack-gate").value_or(about.st_gid))
                           : std::nullopt;
    if (const auto written =
            write_whole_file(file, text_of_tokens(tokens), Existing::replace, file_mode, group);
        !written) {
        return std::unexpected(token_failure(written.error()));
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
    wire::Json json = {{"name", token.name},
                       {"role", access::role_name(token.role)},
                       {"made_at", time_text(token.made)}};
    if (token.until) {
        json["expires_at"] = time_text(*token.until);
    }
    json["masked"] = token.masked;
    return json;
}

/// What the running service says of each, by name; empty: it does not run, or this account may not
/// ask.
wire::Json ask_uses(const Context& context) {
    constexpr std::chrono::seconds limit{5};
    wire::Json uses = wire::Json::object();
    const auto answer = Service(context.socket, -1, limit).get("/v1/tokens");
    for (const wire::Json& one : answer ? array_of(*answer, "tokens") : wire::Json::array()) {
        uses[text_of(one, "name")] = one;
    }
    return uses;
}

/// nullopt: it does not end.
Outcome<std::optional<WallTime>> end_of(const TokenNewOptions& options) {
    if (options.until.empty()) {
        return std::optional<WallTime>();
    }
    const WallTime now = RealClock().wall();
    const auto until = time_of(time_after(options.until, now));
    if (!until || *until <= now) {
        return failure(ExitCode::usage,
                       "--expires: must be a time to come, such as 90d or 2027-01-31T00:00:00Z");
    }
    return std::optional<WallTime>(*until);
}

/// Prints the token, the only time that it is shown.
Outcome<> new_token(const TokenNewOptions& options, Context& context) {
    if (!options.name.empty() && !access::is_token_name(options.name)) {
        return failure(ExitCode::usage,
                       "--name: must be 1 to 32 of letters, digits, \"_\", \"-\" and \".\"");
    }
    if (options.masked && options.role != access::Role::read) {
        return failure(ExitCode::usage,
                       "--masked: is for the role read; the others need whole numbers");
    }
    const auto until = end_of(options);
    if (!until) {
        return std::unexpected(until.error());
    }
    const auto held = hold_file(options.file, "smsrack token");
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
        .made = RealClock().wall(),
        .until = *until,
        .masked = options.masked};
    if (tokens->size() >= access::tokens_max) {
        return failure(ExitCode::failed,
                       fmt::format("{}: there are {} tokens already; `smsrack token revoke NAME` "
                                   "removes one",
                                   options.file, tokens->size()));
    }
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

Outcome<> list_tokens(const std::string& file, Context& context) {
    const auto tokens = read_tokens(file);
    if (!tokens) {
        return std::unexpected(tokens.error());
    }
    Table table({{"NAME"},
                 {"ROLE"},
                 {context.times.heading("MADE")},
                 {context.times.heading("EXPIRES")},
                 {context.times.heading("LAST USE")},
                 {"FROM"}});
    const wire::Json uses = ask_uses(context);
    wire::Json all = wire::Json::array();
    for (const Token& token : *tokens) {
        const wire::Json use = uses.value(token.name, wire::Json::object());
        const bool is_revoked = use.value("revoked", false);
        const std::string used_at = text_of(use, "used_at");
        table.add({token.name,
                   std::string(access::role_name(token.role)) + (token.masked ? ", masked" : "") +
                       (is_revoked ? ", revoked" : ""),
                   context.times.to_seconds(time_text(token.made)),
                   token.until ? context.times.to_seconds(time_text(*token.until)) : "never",
                   used_at.empty() ? "-" : context.times.to_seconds(used_at),
                   text_of(use, "used_from")});
        wire::Json row = json_of(token);
        row["revoked"] = is_revoked;
        row["used_at"] = or_null(used_at);
        row["used_from"] = or_null(text_of(use, "used_from"));
        all.push_back(std::move(row));
    }
    return report({{"tokens", std::move(all)}}, table.text(context.console, "There are no tokens."),
                  context);
}

Outcome<> revoke_token(const TokenRevokeOptions& options, Context& context) {
    const auto held = hold_file(options.file, "smsrack token");
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
    return report({{"revoked", options.name}}, options.name + " has no access any more\n", context);
}

}  // namespace

void declare_token(const CommandGroup& program) {
    const CommandGroup token = program.group("token", "access tokens for callers over the network");
    const auto fresh = token.command(
        {"new", "create a token; it is printed only once", {"token new --role send --name shop"}},
        new_token);
    fresh.app
        .add_option_function<std::string>(
            "--role",
            [&role = fresh.options.role](const std::string& name) {
                role = access::role_of(name).value();
            },
            "what the token permits")
        ->required()
        ->check(CLI::IsMember({"send", "read", "admin"}));
    fresh.app.add_flag("--masked", fresh.options.masked,
                       "of the role read: phone numbers and texts are masked in every answer");
    fresh.app.add_option("--name", fresh.options.name,
                         "name of the token (default: role and number)");
    fresh.app.add_option("--expires", fresh.options.until,
                         "when it ends: 90d, or 2027-01-31T00:00:00Z (default: never)");
    fresh.app.add_option("--file", fresh.options.file, "file that stores its hash")
        ->capture_default_str();
    const auto list = token.command<std::string>(
        {"list", "list all tokens, without their secrets", {"token list"}}, list_tokens,
        usual_tokens);
    list.app.add_option("--file", list.options, "file that stores them")->capture_default_str();
    const auto revoke =
        token.command({"revoke", "revoke a token", {"token revoke shop"}}, revoke_token);
    revoke.app.add_option("name", revoke.options.name, "its name")->required();
    revoke.app.add_option("--file", revoke.options.file, "file that stores it")
        ->capture_default_str();
}

}  // namespace smsrack::cli
