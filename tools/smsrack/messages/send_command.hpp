/// `smsrack send`: sends one message, and optionally waits until the network took it, or sends a
/// file of them. `smsrack preview` and `send --dry-run` show what would happen instead.
#pragma once

#include "src/wire/json.hpp"
#include "tools/smsrack/context.hpp"
#include "tools/smsrack/messages/message_fields.hpp"
#include "tools/smsrack/outcome.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace smsrack::cli {

struct SendOptions {
    std::string to = {};
    std::string text = {};  ///< "-": standard input
    std::string data = {};  ///< hex, instead of text
    std::string ref = {};
    MessageFields fields = {};
    /// Of many messages, instead of one; "-": standard input.
    std::optional<std::string> file = {};
    bool dry_run = false;
    bool wait = false;
    std::chrono::seconds wait_max{600};
};

/// The message as the API takes it. bad_data: standard input or the text can't be used.
[[nodiscard]] Outcome<wire::Json> message_of(const SendOptions& options);

/// The words of what the API answers to an accepted message: "42 queued, 1 segment".
[[nodiscard]] std::string accepted_words(const wire::Json& accepted);

/// What waiting ends with when the message is in `state`; nullopt while it continues.
[[nodiscard]] std::optional<ExitCode> end_of_wait(std::string_view state);

/// Sends the messages of `options.file` in one streamed call. Bad lines are reported with their
/// numbers; the others are sent.
///
/// Errors:  bad_data where a line was bad; try_later where the service took no more for overload.
[[nodiscard]] Outcome<> send_file(const SendOptions& options, Context& context);

/// Show what would happen to the message, or to those of `options.file`. Nothing is sent or stored.
///
/// Errors:  one that would be refused is a failure with the exit code that sending it would have:
///          bad_data, try_later, failed.
/// Source:  src/api/openapi.json, POST /v1/preview.
[[nodiscard]] Outcome<> preview(const SendOptions& options, Context& context);
[[nodiscard]] Outcome<> preview_file(const SendOptions& options, Context& context);

/// The options of a message's recipient and content.
struct ContentOptions {
    CLI::Option* to;
    CLI::Option* text;
    CLI::Option* data;
};
ContentOptions add_content(CLI::App& app, SendOptions& options);

}  // namespace smsrack::cli
