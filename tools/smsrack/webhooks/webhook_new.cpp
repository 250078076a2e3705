// `smsrack webhook new NAME URL`: a secret, and the table of a webhook in smsrack.toml.
#include "firmware-host/setup/local_accounts.hpp"
#include "src/posting/webhook_keys.hpp"
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/webhooks/config_append.hpp"
#include "tools/smsrack/whole_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>
#include <sys/random.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace smsrack::cli {
namespace {

constexpr mode_t secret_mode = 0640;  // for the group of the gate

struct WebhookNewOptions {
    std::string name = {};
    std::string url = {};
    std::vector<std::string> events = {"message.received", "message.delivered", "message.failed"};
    std::string config = "/etc/smsrack/smsrack.toml";
    std::string secret = {};  ///< empty: next to the usual configuration, by the name
};

/// A basic string of TOML, of a text without control characters.
std::string toml_text(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        out += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    }
    return out + '"';
}

bool is_plain(std::string_view text) {
    return std::ranges::none_of(text, [](char c) { return c >= '\0' && c < ' '; });
}

std::string table_of(const WebhookNewOptions& options, const std::string& secret) {
    std::string events;
    for (const std::string& event : options.events) {
        events += (events.empty() ? "" : ", ") + toml_text(event);
    }
    return fmt::format(
        "[[webhook]]\nname   = {}\nurl    = {}\nevents = [{}]\nsecret = {{ file = {} }}\n",
        toml_text(options.name), toml_text(options.url), events, toml_text(secret));
}

Outcome<std::string> fresh_secret() {
    std::array<std::byte, 32> chance{};
    if (::getrandom(chance.data(), chance.size(), 0) != static_cast<ssize_t>(chance.size())) {
        return failure(ExitCode::failed, "the system gives no random numbers: " +
                                             std::generic_category().message(errno));
    }
    return posting::secret_text(chance);
}

Outcome<> new_webhook(const WebhookNewOptions& options, Context& context) {
    for (const std::string* text : {&options.name, &options.url, &options.secret}) {
        if (!is_plain(*text)) {
            return failure(ExitCode::usage, "name, URL and file must have no control characters");
        }
    }
    const std::string file = options.secret.empty()
                                 ? fmt::format("/etc/smsrack/webhook-{}.key", options.name)
                                 : options.secret;
    const auto config = with_table(options.config, table_of(options, file));
    if (!config) {
        return std::unexpected(config.error());
    }
    const auto secret = fresh_secret();
    if (!secret) {
        return std::unexpected(secret.error());
    }
    const auto group = ::geteuid() == 0 ? host::local_group("smsrack-gate") : std::nullopt;
    if (const auto written =
            write_whole_file(file, *secret + "\n", Existing::keep, secret_mode, group);
        !written) {
        const bool refused = written.error().code == Errc::not_allowed;
        const bool exists = written.error().code == Errc::conflict;
        return failure(refused ? ExitCode::not_allowed : ExitCode::failed,
                       printable(written.error().context) +
                           (refused  ? "; do this as root"
                            : exists ? "; move it away first, nothing was changed"
                                     : ""));
    }
    if (auto replaced = replace_config(options.config, *config); !replaced) {
        (void)::unlink(file.c_str());  // no webhook uses it
        return replaced;
    }
    return report({{"name", options.name}, {"config", options.config}, {"secret_file", file}},
                  fmt::format("Webhook {} is in {}. Its secret is in {}: the receiver needs it to "
                              "check requests.\nNext: sudo systemctl reload-or-restart smsrackd "
                              "smsrack-gate\n",
                              options.name, options.config, file),
                  context);
}

}  // namespace

void declare_webhook_new(const CommandGroup& webhook) {
    const auto fresh = webhook.command({"new",
                                        "add a webhook to smsrack.toml and make its secret",
                                        {"webhook new crm https://crm.example/hook"}},
                                       new_webhook);
    fresh.app.add_option("name", fresh.options.name, "its name: a-z, 0-9 and \"-\"")->required();
    fresh.app.add_option("url", fresh.options.url, "of the receiver")->required();
    fresh.app
        .add_option("--events", fresh.options.events,
                    "events that it is sent, such as message.received or \"message.*\"")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->capture_default_str();
    fresh.app.add_option("--config", fresh.options.config, "configuration file to add it to")
        ->capture_default_str();
    fresh.app.add_option("--secret", fresh.options.secret,
                         "file for the secret (default: /etc/smsrack/webhook-NAME.key)");
}

}  // namespace smsrack::cli
