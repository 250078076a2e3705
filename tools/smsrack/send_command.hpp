/// `smsrack send --to NUMBER TEXT`: sends one message, and optionally waits until the network took
/// it.
///
/// Errors:  with `wait`: done when sent, failed when it has another end, try_later when it is not known (yet).
#pragma once

#include "src/wire/json.hpp"
#include "tools/smsrack/context.hpp"
#include "tools/smsrack/message_fields.hpp"
#include "tools/smsrack/outcome.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::cli {

struct SendOptions {
    std::string to = {};
    std::string text = {};  ///< "-": standard input
    std::string data = {};  ///< hex, instead of text
    std::string ref = {};
    MessageFields fields = {};
    bool wait = false;
    std::chrono::seconds wait_max{600};
};

[[nodiscard]] Outcome<> run(const SendOptions& options, Context& context);

/// The message as the API takes it. bad_data: standard input or the text can't be used.
[[nodiscard]] Outcome<wire::Json> message_of(const SendOptions& options);

/// What waiting ends with when the message is in `state`; nullopt while it continues.
[[nodiscard]] std::optional<ExitCode> end_of_wait(std::string_view state);

}  // namespace smsrack::cli
