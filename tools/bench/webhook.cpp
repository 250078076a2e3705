// How late and how fast are webhooks, does a bad receiver hurt others, and what does a backlog take?
#include "tools/bench/hook_parts.hpp"
#include "tools/bench/questions.hpp"

#include <utility>

namespace smsrack::bench {

Result<Report> webhook(const Context& context) {
    Report report{
        .question = "webhook",
        .conditions = {
            "20 messages a second with three events each, to receivers on loopback "
            "without TLS; a backlog of one event for each message",
            "lateness counts from the time of an event, which is before its commit; with "
            "share_within_ms = 0, and once as it is by default: then the end of an attempt "
            "waits up to 100 ms for company in its commit",
            "memory: private and dirty, after a backlog that was sent; receivers, gate, "
            "service and modems share the cores"}};
    for (const auto part : {hook_lateness, hook_neighbours, hook_backlog}) {
        if (auto done = part(context, report); !done) {
            return std::unexpected(std::move(done.error()));
        }
    }
    return report;
}

}  // namespace smsrack::bench
