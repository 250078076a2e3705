#include "tools/smsrack/inbox_command.hpp"

#include "tools/client/sse_reader.hpp"
#include "tools/smsrack/json_fields.hpp"
#include "tools/smsrack/pages.hpp"
#include "tools/smsrack/stop_signal.hpp"
#include "tools/smsrack/table.hpp"

#include <fmt/format.h>
#include <limits>
#include <set>

namespace smsrack::cli {
namespace {

std::string target_since(const std::string& since) {
    return since.empty() ? "/v1/inbox?"
                         : fmt::format("/v1/inbox?since={}&", client::percent_encoded(since));
}

std::string content_of(const wire::Json& message) {
    const std::string data = text_of(message, "data");
    const std::string text = data.empty() ? text_of(message, "text") : "data " + data;
    return text + (truth_of(message, "incomplete") ? " [incomplete]" : "");
}

Outcome<> list(const InboxOptions& options, Context& context) {
    Service service(context.socket);
    Table table({{"ID", Align::right}, {"RECEIVED (UTC)"}, {"FROM"}, {"MODEM"}, {"TEXT"}});
    wire::Json all = wire::Json::array();
    const auto rest = each_of_pages(
        service, target_since(options.since), "messages", options.limit,
        [&](const wire::Json& message) {
            if (context.json) {
                all.push_back(message);
            } else {
                table.add({text_of(message, "id"), short_time(text_of(message, "received_at")),
                           text_of(message, "from"), text_of(message, "modem"),
                           content_of(message)});
            }
        });
    if (!rest) {
        return std::unexpected(rest.error());
    }
    if (context.json) {
        const wire::Json next = rest->empty() ? wire::Json() : wire::Json(*rest);
        context.console.write(json_line({{"messages", std::move(all)}, {"next", next}}) + "\n");
        return ExitCode::done;
    }
    context.console.write(table.text(context.console, "The inbox is empty."));
    if (!rest->empty()) {
        context.console.note(
            fmt::format("There are more: --limit {}, or --since TIME.", options.limit * 10));
    }
    return ExitCode::done;
}

/// Shows each message once: the inbox is read again from where it was whenever the event stream
/// speaks of a new one, so nothing is missed between the first reading and the first event.
class Follower {
public:
    Follower(const InboxOptions& options, Context& context)
        : context_(context), service_(context.socket), since_(options.since) {}

    /// Shows what is new; the sink of the event stream, which is called first when the stream is
    /// open.
    bool take(std::string_view piece) {
        bool look = piece.empty();
        if (!events_.feed(piece, [&look](const client::SseEvent&) { look = true; })) {
            outcome_ = failure(ExitCode::failed, "the event stream is damaged");
            return false;
        }
        if (look) {
            const auto rest = each_of_pages(service_, target_since(since_), "messages",
                                            std::numeric_limits<std::uint64_t>::max(),
                                            [this](const wire::Json& message) { show(message); });
            if (!context_.console.flush()) {
                outcome_ = failure(ExitCode::failed, "standard output takes no more");
            }
            if (!rest) {
                outcome_ = std::unexpected(rest.error());
            }
        }
        return outcome_.has_value();
    }

    [[nodiscard]] const Outcome<>& outcome() const { return outcome_; }

private:
    void show(const wire::Json& message) {
        const std::string at = text_of(message, "received_at");
        if (at > since_) {
            since_ = at;  // RFC 3339 UTC: their order as texts is that in time
            seen_.clear();
        }
        if (!seen_.insert(text_of(message, "id")).second) {
            return;
        }
        context_.console.write(context_.json ? json_line(message) + "\n"
                                             : fmt::format("{}  {}  {}  {}  {}\n",
                                                           text_of(message, "id"), short_time(at),
                                                           printable(text_of(message, "from")),
                                                           printable(text_of(message, "modem")),
                                                           printable(content_of(message))));
    }

    Context& context_;
    Service service_;
    client::SseReader events_;
    std::string since_;           // time of the newest message shown
    std::set<std::string> seen_;  // ids of those shown that have this time
    Outcome<> outcome_ = ExitCode::done;
};

Outcome<> follow(const InboxOptions& options, Context& context) {
    const StopSignal stop;
    Service service(context.socket, stop.fd(),
                    std::chrono::milliseconds(0));  // it may be silent for as long as nobody writes
    Follower follower(options, context);
    const auto stream =
        service.stream({.target = "/v1/events?types=message.received",
                        .headers = {{"Accept", "text/event-stream"}}},
                       {}, [&follower](std::string_view piece) { return follower.take(piece); });
    if (!follower.outcome()) {
        return follower.outcome();
    }
    if (service.interrupted()) {
        return ExitCode::done;  // Ctrl-C is how following ends
    }
    return stream ? failure(ExitCode::unreachable,
                            "the service ended the event stream; is it stopping?")
                  : stream;
}

}  // namespace

Outcome<> run(const InboxOptions& options, Context& context) {
    return options.follow ? follow(options, context) : list(options, context);
}

}  // namespace smsrack::cli
