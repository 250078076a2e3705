#include "tools/smsrack/webhooks/loss_words.hpp"

#include "tools/smsrack/screen/counted.hpp"
#include "tools/smsrack/screen/json_fields.hpp"

#include <fmt/format.h>

namespace smsrack::cli {

std::string loss_words(const wire::Json& webhook, const Context& context) {
    const std::uint64_t lost = count_of(webhook, "lost");
    if (lost == 0) {
        return {};
    }
    return fmt::format(
        "{} has lost {} since {}: keep_days of [messages] removed {} before {} sent.",
        text_of(webhook, "name"), counted(lost, "event"),
        context.times.to_seconds(text_of(webhook, "lost_since")), lost == 1 ? "it" : "them",
        lost == 1 ? "it was" : "they were");
}

}  // namespace smsrack::cli
