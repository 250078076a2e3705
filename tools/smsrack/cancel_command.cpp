// `smsrack cancel ID`: cancels a message that is still queued.
#include "tools/smsrack/command_group.hpp"
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/json_fields.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/service.hpp"

#include <fmt/format.h>

namespace smsrack::cli {
namespace {

Outcome<> cancel_message(const std::string& id, Context& context) {
    const auto answer =
        Service(context.socket)
            .call({.method = "DELETE", .target = "/v1/messages/" + client::percent_encoded(id)});
    return report(about("message", id, answer), context, [&](const wire::Json& message) {
        return fmt::format("{} {}\n", id, text_of(message, "state"));
    });
}

}  // namespace

void declare_cancel(const CommandGroup& program) {
    program.command({"cancel", "cancel a message that is still queued", {"cancel 42"}}, "id",
                    "the message", cancel_message);
}

}  // namespace smsrack::cli
