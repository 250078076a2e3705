// `smsrack audit`: what administrators did, newest first.
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/messages/time_argument.hpp"
#include "tools/smsrack/real_clock.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/screen/pages.hpp"

#include <string>
#include <vector>

namespace smsrack::cli {
namespace {

struct AuditOptions {
    std::string since = {};
    std::uint64_t limit = 100;
};

Outcome<> list_audit(const AuditOptions& options, Context& context) {
    return print_list(
        {.target = query("/v1/audit", {{"since", time_before(options.since, RealClock().wall())}}),
         .member = "audit",
         .limit = options.limit,
         .if_empty = "No administrator has changed anything."},
        Table({{context.times.heading("TIME")},
               {"CALLER"},
               {"STATUS", Align::right},
               {"CALL", Align::left, 0, Fit::wraps}}),
        [&](const wire::Json& row) -> std::vector<std::string> {
            return {context.times.to_seconds(text_of(row, "at")), text_of(row, "caller"),
                    text_of(row, "status"), text_of(row, "call")};
        },
        context);
}

}  // namespace

void declare_audit(const CommandGroup& program) {
    const auto [app, options, check] =
        program.command({"audit",
                         "list what administrators did, newest first",
                         {"audit --since 1d", "audit --json"}},
                        list_audit);
    app.add_option("--since", options.since,
                   "only calls since: an RFC 3339 time, or an age such as 1h");
    add_limit(app, options.limit);
}

}  // namespace smsrack::cli
