// `smsrack attention`: lists what needs a person now, the worst first.
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/rack/service.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/screen/table.hpp"

#include <cstdint>
#include <fmt/format.h>
#include <string>

namespace smsrack::cli {
namespace {

struct AttentionOptions {
    std::uint32_t limit = 100;
};

/// "modem m0", "disk".
std::string object_text(const wire::Json& one) {
    const wire::Json& object = object_of(one, "object");
    const std::string name = text_of(object, "name");
    return text_of(object, "kind") + (name.empty() ? "" : " " + name);
}

std::string words_of_attention(const wire::Json& answer, const Context& context) {
    Table table({{"SEVERITY"},
                 {context.times.heading("SINCE")},
                 {"ABOUT"},
                 {"WHAT, AND WHAT TO DO", Align::left, 0, Fit::wraps}});
    const wire::Json& all = array_of(answer, "attention");
    for (const wire::Json& one : all) {
        table.add({text_of(one, "severity"), context.times.to_seconds(text_of(one, "since")),
                   object_text(one),
                   fmt::format("{}: {} -> {}", text_of(one, "code"),
                               context.times.in_sentence(text_of(one, "cause")),
                               text_of(one, "advice"))});
    }
    const std::uint64_t total = count_of(answer, "total");
    return table.text(context.console, "Nothing needs attention.") +
           (total > all.size() ? fmt::format("{} of {}; --limit shows more\n", all.size(), total)
                               : "");
}

Outcome<> show_attention(const AttentionOptions& options, Context& context) {
    return report(Service(context.socket).get(fmt::format("/v1/attention?limit={}", options.limit)),
                  context,
                  [&](const wire::Json& answer) { return words_of_attention(answer, context); });
}

}  // namespace

void declare_attention(const CommandGroup& program) {
    const auto command = program.command({"attention",
                                          "list what needs a person now, the worst first",
                                          {"attention", "attention --json"}},
                                         show_attention);
    command.app.add_option("--limit", command.options.limit, "show this many at most")
        ->check(CLI::Range(1, 1'000))
        ->capture_default_str();
}

}  // namespace smsrack::cli
