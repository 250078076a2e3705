// `smsrack webhook verify`: checks a request as a receiver should, and says what is wrong with it.
#include "src/base/time_text.hpp"
#include "src/posting/signature.hpp"
#include "src/posting/webhook_keys.hpp"
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/input_file.hpp"
#include "tools/smsrack/messages/time_argument.hpp"
#include "tools/smsrack/real_clock.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/webhooks/raw_request.hpp"
#include "tools/smsrack/whole_file.hpp"

#include <fmt/format.h>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

namespace smsrack::cli {
namespace {

struct WebhookVerifyOptions {
    std::string secret = {};
    std::string request = "-";
    std::string at = {};  ///< empty: now
};

struct VerifyKeys {
    std::vector<posting::Secret> secrets = {};
    std::optional<posting::PublicKey> key = {};
};

Outcome<VerifyKeys> read_keys(const std::string& file) {
    const auto text = read_small_file(file);
    if (!text) {
        return failure(
            text.error().code == Errc::not_allowed ? ExitCode::not_allowed : ExitCode::failed,
            printable(text.error().context));
    }
    if (auto secrets = posting::secrets_of(*text)) {
        return VerifyKeys{.secrets = *std::move(secrets)};
    }
    const auto key = posting::public_key_of(*text);
    if (!key) {
        return failure(
            ExitCode::bad_data,
            printable(file) +
                ": must be one or two lines whsec_..., or one line whpk_... or whsk_...");
    }
    return VerifyKeys{.key = *key};
}

Outcome<std::string> read_request(const std::string& file) {
    const auto input = open_input(file);
    if (!input) {
        return std::unexpected(input.error());
    }
    auto text = read_raw_request(input->get());
    if (!text) {
        return failure(ExitCode::bad_data,
                       name_of_input(file) + ": " + printable(text.error().context));
    }
    return *std::move(text);
}

Outcome<> verify_request(const WebhookVerifyOptions& options, Context& context) {
    const auto keys = read_keys(options.secret);
    if (!keys) {
        return std::unexpected(keys.error());
    }
    const auto text = read_request(options.request);
    if (!text) {
        return std::unexpected(text.error());
    }
    const auto request = raw_request_of(*text);
    if (!request) {
        return failure(ExitCode::bad_data, request.error().context);
    }
    WallTime now = RealClock().wall();
    if (!options.at.empty()) {
        const auto at = time_of(time_after(options.at, now));
        if (!at) {
            return failure(ExitCode::usage, "--at: must be a time such as 2026-11-26T12:00:00Z");
        }
        now = *at;
    }
    const std::string id(request->header("webhook-id"));
    const std::string timestamp(request->header("webhook-timestamp"));
    const auto verified =
        posting::verify({.id = id, .timestamp = timestamp, .body = request->body},
                        request->header("webhook-signature"), keys->secrets, keys->key, now);
    if (!verified) {
        return failure(ExitCode::bad_data, printable(verified.error().context));
    }
    return report({{"ok", true}, {"id", id}, {"timestamp", timestamp}},
                  fmt::format("The request {} was signed with this {}, and was not changed.\n",
                              printable(id), keys->key ? "key" : "secret"),
                  context);
}

}  // namespace

void declare_webhook_verify(const CommandGroup& webhook) {
    const auto verify =
        webhook.command({"verify",
                         "check the signature of a request as a receiver does",
                         {"webhook verify --secret /etc/smsrack/webhook-crm.key < request"}},
                        verify_request);
    verify.app
        .add_option("--secret", verify.options.secret,
                    "file with the secret whsec_..., or with the public key whpk_...")
        ->required();
    verify.app
        .add_option("--request", verify.options.request,
                    "file with the whole request, head and body; \"-\": standard input")
        ->capture_default_str();
    verify.app.add_option("--at", verify.options.at,
                          "when it came, for an older request (default: now)");
}

}  // namespace smsrack::cli
