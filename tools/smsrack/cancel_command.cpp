#include "tools/smsrack/cancel_command.hpp"

#include "tools/smsrack/json_fields.hpp"
#include "tools/smsrack/service.hpp"

#include <fmt/format.h>

namespace smsrack::cli {

Outcome<> run(const CancelOptions& options, Context& context) {
    const auto answer =
        Service(context.socket)
            .call({.method = "DELETE",
                   .target = "/v1/messages/" + client::percent_encoded(options.id)});
    if (!answer) {
        return in_words(answer.error(),
                        fmt::format("message {}: {}", options.id, answer.error().message));
    }
    context.console.write(context.json
                              ? json_line(*answer) + "\n"
                              : fmt::format("{} {}\n", options.id, text_of(*answer, "state")));
    return ExitCode::done;
}

}  // namespace smsrack::cli
