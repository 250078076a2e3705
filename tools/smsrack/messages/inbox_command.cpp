// `smsrack inbox`: lists received messages, oldest first. With --follow it lists the last ten, or
// all since --since, and then new ones.
#include "tools/client/sse_reader.hpp"
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/messages/box_argument.hpp"
#include "tools/smsrack/messages/time_argument.hpp"
#include "tools/smsrack/real_clock.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/screen/pages.hpp"
#include "tools/smsrack/stop_signal.hpp"

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <limits>

namespace smsrack::cli {
namespace {

struct InboxOptions {
    std::string since = {};
    std::string from = {};
    std::string text = {};
    std::string box = {};
    std::uint64_t limit = 100;
    bool follow = false;  ///< until Ctrl-C; a line a message, with --json an object a line
};

std::string target_of(const InboxOptions& options) {
    return query("/v1/inbox", {{"since", time_before(options.since, RealClock().wall())},
                               {"q", options.from},
                               {"box", options.box},
                               {"contains", options.text}});
}

std::string content_of(const wire::Json& message) {
    const std::string data = text_of(message, "data");
    const std::string text = data.empty() ? text_of(message, "text") : "data " + data;
    return text + (truth_of(message, "incomplete") ? " [incomplete]" : "") +
           (truth_of(message, "maybe_repeat") ? " [maybe a repeat]" : "");
}

Outcome<> list_inbox(const InboxOptions& options, Context& context) {
    return print_list(
        {.target = target_of(options),
         .member = "messages",
         .limit = options.limit,
         .if_empty = "The inbox is empty.",
         .more = ", or --since TIME."},
        Table({{"ID", Align::right},
               {context.times.heading("RECEIVED")},
               {"FROM"},
               {"TO", Align::left, 3},
               {"MODEM", Align::left, 1},
               {"REPLY TO", Align::right, 2},
               {"TEXT", Align::left, 0, Fit::wraps}}),
        [&](const wire::Json& message) -> std::vector<std::string> {
            return {text_of(message, "id"),
                    context.times.to_seconds(text_of(message, "received_at")),
                    text_of(message, "from"),
                    text_of(message, "to"),
                    text_of(message, "modem"),
                    text_of(message, "reply_to"),
                    content_of(message)};
        },
        context);
}

/// Shows each message once: first the last ones of the inbox (or all since `since`), read when the
/// event stream is open, then what the stream reports. So nothing is missed in between, nor a
/// message that was kept back for long.
class Follower {
public:
    Follower(const InboxOptions& options, Context& context)
        : context_(context),
          service_(context.socket),
          target_(target_of(options)),
          last_rows_(options.since.empty() ? shown_at_first
                                           : std::numeric_limits<std::size_t>::max()) {}

    /// The sink of the event stream, which is called first, with nothing, when the stream is open.
    bool take(std::string_view piece) {
        if (piece.empty()) {
            show_last();
        } else if (!events_.feed(piece, [this](const client::SseEvent& event) { show(event); })) {
            outcome_ = failure(ExitCode::failed, "the event stream is damaged");
        }
        if (outcome_ && !context_.console.flush()) {
            outcome_ = failure(ExitCode::failed, "can't write to standard output");
        }
        return outcome_.has_value();
    }

    [[nodiscard]] const Outcome<>& outcome() const { return outcome_; }

private:
    static constexpr std::size_t shown_at_first = 10;  // as tail -f
    // The stream may repeat this many that were listed already.
    static constexpr std::size_t listed_max = 10'000;

    void show_last() {
        std::deque<wire::Json> last;
        const auto rest =
            each_of_pages(service_, target_, "messages", std::numeric_limits<std::uint64_t>::max(),
                          [&](const wire::Json& message) {
                              listed_.push_back(text_of(message, "id"));
                              if (listed_.size() > listed_max) {
                                  listed_.pop_front();
                              }
                              last.push_back(message);
                              if (last.size() > last_rows_) {
                                  last.pop_front();
                              }
                          });
        if (!rest) {
            outcome_ = std::unexpected(rest.error());
            return;
        }
        for (const wire::Json& message : last) {
            write(message);
        }
    }

    void show(const client::SseEvent& event) {
        auto message = wire::parse_json(event.data);
        if (!message || !message->is_object()) {
            outcome_ = failure(ExitCode::failed, "the event stream is damaged");
            return;
        }
        if (std::ranges::find(listed_, text_of(*message, "id")) != listed_.end()) {
            return;
        }
        message->erase("type");  // of the event; what is left is a row of the inbox
        message->erase("at");
        write(*message);
    }

    void write(const wire::Json& message) {
        (void)report(
            message,
            fmt::format("{}  {}  {}  {}  {}\n", text_of(message, "id"),
                        context_.times.to_seconds(text_of(message, "received_at")),
                        printable(text_of(message, "from")), printable(text_of(message, "modem")),
                        printable(content_of(message))),
            context_);
    }

    Context& context_;
    Service service_;
    client::SseReader events_;
    const std::string target_;
    const std::size_t last_rows_;
    std::deque<std::string> listed_;  // ids, the newest listed_max of them
    Outcome<> outcome_ = ExitCode::done;
};

Outcome<> follow(const InboxOptions& options, Context& context) {
    const StopSignal stop;
    // It may be silent for as long as no message comes.
    Service service(context.socket, stop.fd(), std::chrono::milliseconds(0));
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

Outcome<> show_inbox(const InboxOptions& options, Context& context) {
    return options.follow ? follow(options, context) : list_inbox(options, context);
}

}  // namespace

void declare_inbox(const CommandGroup& program) {
    const auto [app, options, check] =
        program.command({"inbox",
                         "received messages, oldest first",
                         {"inbox --follow", "inbox --since 2026-11-21T00:00:00Z --local"}},
                        show_inbox);
    auto* const following =
        app.add_flag("--follow", options.follow, "keep printing new messages until Ctrl-C");
    app.add_option("--from", options.from, "only those whose sender has this part")
        ->excludes(following);
    app.add_option("--text", options.text, "only those whose text has this part")
        ->excludes(following);
    add_box(app, options.box)->excludes(following);
    app.add_option("--since", options.since,
                   "only those received since: an RFC 3339 time, or an age such as 1h");
    add_limit(app, options.limit);
}

}  // namespace smsrack::cli
