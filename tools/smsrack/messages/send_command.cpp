#include "tools/smsrack/messages/send_command.hpp"

#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/rack/service.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/counted.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/screen/wrap.hpp"
#include "tools/smsrack/stop_signal.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace smsrack::cli {
namespace {

using std::chrono::milliseconds;
using SteadyClock = std::chrono::steady_clock;

// octets: what one call of the API may hold.
constexpr std::size_t text_max = std::size_t{64} * 1024;

Outcome<std::string> text_of_input() {
    std::string text(text_max + 1, '\0');
    text.resize(std::fread(text.data(), 1, text.size(), stdin));
    if (text.size() > text_max) {
        return failure(ExitCode::bad_data, "standard input: the text is longer than 64 KiB");
    }
    if (text.ends_with('\n')) {
        text.pop_back();  // the one that echo and editors put there
    }
    return text;
}

/// One line about where the message is: "42 sending (m3)".
std::string story_of(const wire::Json& message) {
    const std::string modem = text_of(message, "modem");
    const std::string code = text_of(message, "code");
    return fmt::format("{} {}{}{}", text_of(message, "id"), text_of(message, "state"),
                       modem.empty() ? "" : " by " + printable(modem),
                       code.empty() ? "" : ", " + printable(code));
}

/// Asks until the message has an end. The pause between two questions grows, so a message that
/// waits for hours costs the service nothing, and one that leaves at once is seen at once; the
/// event stream would bring the moves of all other messages too.
Outcome<> wait_for_end(const SendOptions& options, Context& context, const StopSignal& stop,
                       const std::string& id) {
    constexpr milliseconds pause_min{50};
    constexpr milliseconds pause_max{1'000};
    Service service(context.socket, stop.fd());
    const auto deadline = SteadyClock::now() + options.wait_max;
    const std::string later = fmt::format("`smsrack show {}` shows its progress", id);
    std::string last_story;
    for (milliseconds pause = pause_min;; pause = std::min(pause * 2, pause_max)) {
        const auto message = service.get("/v1/messages/" + client::percent_encoded(id));
        if (!message && !service.interrupted()) {
            return in_words(message.error(), fmt::format("message {} is accepted, but: {}; {}", id,
                                                         message.error().message, later));
        }
        if (message) {
            const std::string story = story_of(*message);
            if (const auto end = end_of_wait(text_of(*message, "state"))) {
                context.console.end_progress();
                context.console.write((context.json ? json_line(*message) : story) + "\n");
                return *end == ExitCode::done
                           ? Outcome<>(*end)
                           : failure(*end, fmt::format("message {}; {}", story, later));
            }
            if (story != std::exchange(last_story, story)) {
                context.console.progress(story + " ...");
                pause = pause_min;
            }
        }
        if (service.interrupted() || stop.wait_for(pause)) {
            return failure(ExitCode::try_later,
                           fmt::format("interrupted; message {} continues: {}", id, later));
        }
        if (SteadyClock::now() >= deadline) {
            return failure(ExitCode::try_later,
                           fmt::format("not known after {} s; message {} continues: {}",
                                       options.wait_max.count(), id, later));
        }
    }
}

}  // namespace

Outcome<wire::Json> message_of(const SendOptions& options) {
    wire::Json message{{"to", options.to}};
    if (!options.data.empty()) {
        message["data"] = options.data;
    } else if (options.text == "-") {
        auto text = text_of_input();
        if (!text) {
            return std::unexpected(text.error());
        }
        message["text"] = std::move(*text);
    } else {
        message["text"] = options.text;
    }
    if (message.contains("text") && !is_utf8(message["text"].get_ref<const std::string&>())) {
        return failure(ExitCode::bad_data, "the text is not valid UTF-8");
    }
    if (!options.ref.empty()) {
        message["ref"] = options.ref;
    }
    fill_in(message, options.fields);
    return message;
}

std::string accepted_words(const wire::Json& accepted) {
    return fmt::format("{} {}, {}\n", text_of(accepted, "id"), text_of(accepted, "state"),
                       counted(count_of(accepted, "segments"), "segment"));
}

std::optional<ExitCode> end_of_wait(std::string_view state) {
    struct End {
        std::string_view state;
        ExitCode code;
    };
    constexpr std::array ends{
        End{"sent", ExitCode::done},           End{"delivered", ExitCode::done},
        End{"uncertain", ExitCode::try_later}, End{"undelivered", ExitCode::failed},
        End{"failed", ExitCode::failed},       End{"expired", ExitCode::failed},
        End{"cancelled", ExitCode::failed},
    };
    const auto end = std::ranges::find(ends, state, &End::state);
    return end == ends.end() ? std::nullopt : std::optional(end->code);
}

ContentOptions add_content(CLI::App& app, SendOptions& options) {
    CLI::Option* to = app.add_option("--to", options.to, "the recipient's number");
    CLI::Option* text = app.add_option("text", options.text, "the text; -: standard input");
    CLI::Option* data =
        app.add_option("--data", options.data, "hex octets to send instead of a text");
    text->excludes(data);
    return {.to = to, .text = text, .data = data};
}

namespace {

Outcome<> send_one(const SendOptions& options, Context& context) {
    const auto message = message_of(options);
    if (!message) {
        return std::unexpected(message.error());
    }
    std::optional<StopSignal> stop;  // from before it is accepted, so that Ctrl-C prints its id
    if (options.wait) {
        stop.emplace();
    }
    const auto accepted = Service(context.socket).post("/v1/messages", *message);
    if (accepted && stop) {
        return wait_for_end(options, context, *stop, text_of(*accepted, "id"));
    }
    return report(accepted, context, accepted_words);
}

Outcome<> send(const SendOptions& options, Context& context) {
    if (options.file) {
        return options.dry_run ? preview_file(options, context) : send_file(options, context);
    }
    return options.dry_run ? preview(options, context) : send_one(options, context);
}

}  // namespace

void declare_send(const CommandGroup& program) {
    const auto [app, options, check] =
        program.command({"send",
                         "send one message, or a file of them",
                         {"send --to +33612345678 \"The lift is repaired.\" --wait",
                          "send --file customers.csv --batch spring --dry-run",
                          "send --file customers.csv --batch spring"}},
                        send);
    const auto [to, text, data] = add_content(app, options);
    CLI::Option* file = app.add_option(
        "--file", options.file, "CSV with a header (to,text,...) or JSON Lines; -: standard input");
    CLI::Option* ref =
        app.add_option("--ref", options.ref, "idempotency key: a ref is never sent twice");
    CLI::Option* wait =
        app.add_flag("--wait", options.wait, "wait until it is sent or failed, with progress");
    app.add_option_function<std::int64_t>(
           "--wait-max",
           [&max = options.wait_max](std::int64_t seconds) { max = std::chrono::seconds(seconds); },
           "how many seconds --wait waits")
        ->check(CLI::Range(1, 2'592'000))
        ->default_str("600");
    app.add_flag("--dry-run", options.dry_run, "say what would happen; nothing is sent")
        ->excludes(wait);
    add_fields(app, options.fields);
    for (CLI::Option* single : {to, text, data, ref, wait}) {
        file->excludes(single);
    }
    check = [to = to, text = text, data = data, file] {
        const bool has_content = !text->empty() || !data->empty();
        if (file->empty() && (to->empty() || !has_content)) {
            throw CLI::RequiredError(to->empty() ? "--to (or --file)"
                                                 : "a text (or --data, or --file)");
        }
    };
}

}  // namespace smsrack::cli
