// `smsrack smpp new|list|sessions|remove|unbind`: accounts of the gate's SMPP server. `new` and `remove` change their file, which
// the gate reads again by itself; the others ask the service, which the gate tells.
#include "firmware-host/setup/local_accounts.hpp"
#include "src/access/password.hpp"
#include "src/smpp/account.hpp"
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/file_lock.hpp"
#include "tools/smsrack/rack/service.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/screen/table.hpp"
#include "tools/smsrack/whole_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <sys/random.h>
#include <system_error>
#include <unistd.h>

namespace smsrack::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* usual_accounts = "/etc/smsrack/smpp-accounts";
constexpr const char* who = "smsrack smpp";

struct NewOptions {
    std::string name = {};
    std::string options = {};
    std::string file = usual_accounts;
};

struct RemoveOptions {
    std::string name = {};
    std::string file = usual_accounts;
};

Failure file_failure(const Error& error) {
    const bool refused = error.code == Errc::not_allowed;
    return {.code = refused ? ExitCode::not_allowed : ExitCode::failed,
            .message = error.context + (refused ? "; do this as root" : "")};
}

/// Empty where there is no file.
Outcome<std::string> read_accounts(const fs::path& file) {
    auto text = read_small_file(file);
    if (!text && text.error().code == Errc::not_found) {
        return std::string();
    }
    if (!text) {
        return std::unexpected(file_failure(text.error()));
    }
    if (const auto accounts = smpp::accounts_of(*text); !accounts) {
        return failure(ExitCode::bad_data, file.string() + ": " + accounts.error().context);
    }
    return *std::move(text);
}

/// For the gate alone.
Outcome<> write_accounts(const fs::path& file, const std::string& text) {
    constexpr mode_t mode = 0600;
    const bool is_root = ::geteuid() == 0;
    const auto group = is_root ? host::local_group("smsrack-gate") : std::nullopt;
    const auto user = is_root ? host::local_user("smsrack-gate") : std::nullopt;
    if (const auto written = write_whole_file(file, text, Existing::replace, mode, group, user);
        !written) {
        return std::unexpected(file_failure(written.error()));
    }
    return ExitCode::done;
}

Outcome<std::string> fresh_password() {
    std::array<char, 8> chance{};
    if (::getrandom(chance.data(), chance.size(), 0) != static_cast<ssize_t>(chance.size())) {
        return failure(ExitCode::failed, "the system gives no random numbers: " +
                                             std::generic_category().message(errno));
    }
    return access::password_text(std::string_view(chance.data(), chance.size()));
}

/// Prints the password, the only time that it is shown.
Outcome<> new_account(const NewOptions& options, Context& context) {
    const auto password = fresh_password();
    if (!password) {
        return std::unexpected(password.error());
    }
    const auto hash = access::password_hash(*password);
    if (!hash) {
        return std::unexpected(file_failure(hash.error()));
    }
    if (const auto account = smpp::account_of(options.name, *hash, options.options); !account) {
        return failure(ExitCode::usage, account.error().context);
    }
    const auto held = hold_file(options.file, who);
    if (!held) {
        return std::unexpected(held.error());
    }
    auto text = read_accounts(options.file);
    if (!text) {
        return std::unexpected(text.error());
    }
    if (!text->empty() && !text->ends_with('\n')) {
        *text += '\n';
    }
    *text +=
        options.name + ' ' + *hash + (options.options.empty() ? "" : " ") + options.options + '\n';
    if (const auto accounts = smpp::accounts_of(*text); !accounts) {
        return failure(ExitCode::failed,
                       fmt::format("{}: {}; `smsrack smpp remove {}` removes an account",
                                   options.file, accounts.error().context, options.name));
    }
    if (auto written = write_accounts(options.file, *text); !written) {
        return written;
    }
    if (context.json) {
        context.console.write(json_line({{"name", options.name}, {"password", *password}}) + "\n");
    } else {
        context.console.note(options.name + ": keep its password, it is not shown again");
        context.console.write(*password + "\n");
    }
    return ExitCode::done;
}

/// Its line alone: the others stay as they are, with their remarks.
Outcome<> remove_account(const RemoveOptions& options, Context& context) {
    const auto held = hold_file(options.file, who);
    if (!held) {
        return std::unexpected(held.error());
    }
    const auto text = read_accounts(options.file);
    if (!text) {
        return std::unexpected(text.error());
    }
    std::string left;
    for (std::string_view rest = *text; !rest.empty();) {
        const std::size_t length = std::min(rest.find('\n'), rest.size() - 1) + 1;
        const std::string_view line = rest.substr(0, length);
        if (line.substr(0, line.find_first_of(" \r\n")) != options.name) {
            left += line;
        }
        rest.remove_prefix(length);
    }
    if (left.size() == text->size()) {
        return failure(ExitCode::failed,
                       fmt::format("{}: no account {}", options.file, printable(options.name)));
    }
    if (auto written = write_accounts(options.file, left); !written) {
        return written;
    }
    return report({{"removed", options.name}}, options.name + " can't bind any more\n", context);
}

Outcome<wire::Json> ask(Context& context) {
    return Service(context.socket).get("/v1/smpp");
}

Outcome<> list_accounts(Context& context) {
    const auto answer = ask(context);
    if (!answer) {
        return std::unexpected(answer.error());
    }
    Table table({{"ACCOUNT"},
                 {"SESSIONS", Align::right},
                 {"WAITING", Align::right},
                 {"KEPT", Align::right},
                 {"DELIVERED", Align::right},
                 {"REFUSED", Align::right},
                 {"THROTTLED", Align::right},
                 {"BY RULES", Align::right},
                 {"RATE", Align::right},
                 {"WINDOW", Align::right}});
    for (const wire::Json& row : array_of(*answer, "accounts")) {
        const std::string most = text_of(row, "rate_max");
        table.add({text_of(row, "name"), text_of(row, "bound") + "/" + text_of(row, "sessions_max"),
                   text_of(row, "waiting"), text_of(row, "kept"), text_of(row, "delivered"),
                   text_of(row, "refused"), text_of(row, "throttled"),
                   text_of(row, "refused_by_rules"),
                   text_of(row, "rate") + (most == "0" ? "" : "/" + most), text_of(row, "window")});
    }
    return report(
        *answer,
        table.text(context.console, "There are no accounts; `smsrack smpp new NAME` makes one."),
        context);
}

Outcome<> list_sessions(Context& context) {
    const auto answer = ask(context);
    if (!answer) {
        return std::unexpected(answer.error());
    }
    Table table({{"ACCOUNT"},
                 {context.times.heading("SINCE")},
                 {"ADDRESS"},
                 {"TLS"},
                 {"BIND"},
                 {"REQUESTS", Align::right},
                 {"IN FLIGHT", Align::right},
                 {"DELIVERING", Align::right},
                 {"LAST REFUSAL"},
                 {context.times.heading("AT")}});
    for (const wire::Json& account : array_of(*answer, "accounts")) {
        for (const wire::Json& row : array_of(account, "sessions")) {
            table.add({text_of(account, "name"), context.times.to_seconds(text_of(row, "since")),
                       text_of(row, "address"), row.value("tls", false) ? "yes" : "no",
                       text_of(row, "bind"), text_of(row, "requests"), text_of(row, "in_flight"),
                       text_of(row, "delivering"), text_of(row, "last_refusal"),
                       context.times.to_seconds(text_of(row, "last_refusal_at"))});
        }
    }
    return report(*answer, table.text(context.console, "No account is bound."), context);
}

Outcome<> unbind_account(const std::string& name, Context& context) {
    const auto answer =
        Service(context.socket)
            .post("/v1/smpp/" + client::percent_encoded(name) + "/unbind", wire::Json::object());
    if (!answer) {
        return std::unexpected(answer.error());
    }
    return report(*answer, "The sessions of " + name + " end within two seconds\n", context);
}

}  // namespace

void declare_smpp(const CommandGroup& program) {
    const CommandGroup smpp = program.group("smpp", "accounts and sessions of SMPP clients");
    const auto fresh =
        smpp.command({"new",
                      "create an account; its password is printed only once",
                      {"smpp new shop", "smpp new shop --options \"rate=20 mo=replies\""}},
                     new_account);
    fresh.app.add_option("name", fresh.options.name, "system_id, 1 to 15 characters")->required();
    fresh.app.add_option("--options", fresh.options.options,
                         "what it may, such as \"rate=20 bind=trx\" (see docs/smpp.md)");
    fresh.app.add_option("--file", fresh.options.file, "file that stores it")
        ->capture_default_str();
    smpp.command({"list", "list the accounts and what waits for them", {"smpp list"}},
                 list_accounts);
    smpp.command({"sessions", "list the sessions", {"smpp sessions"}}, list_sessions);
    const auto remove = smpp.command(
        {"remove", "remove an account; its sessions end", {"smpp remove shop"}}, remove_account);
    remove.app.add_option("name", remove.options.name, "its name")->required();
    remove.app.add_option("--file", remove.options.file, "file that stores it")
        ->capture_default_str();
    smpp.command({"unbind", "end the sessions of an account", {"smpp unbind shop"}}, "name",
                 "of the account", unbind_account);
}

}  // namespace smsrack::cli
