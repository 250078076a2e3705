// `smsrack preview` and `smsrack send --dry-run`.
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/input_file.hpp"
#include "tools/smsrack/messages/batch_reader.hpp"
#include "tools/smsrack/messages/send_command.hpp"
#include "tools/smsrack/rack/service.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/counted.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/screen/progress_bar.hpp"
#include "tools/smsrack/screen/table.hpp"
#include "tools/smsrack/stop_signal.hpp"

#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <utility>

namespace smsrack::cli {
namespace {

Outcome<wire::Json> ask(Service& service, std::string request) {
    return service.call({.method = "POST",
                         .target = "/v1/preview",
                         .headers = {{"Content-Type", "application/json"}},
                         .body = std::move(request)});
}

ExitCode exit_code_of_refusal(const wire::Json& preview) {
    return text_of(preview, "why") == "overloaded" ? ExitCode::try_later : ExitCode::failed;
}

std::string words_of_preview(const wire::Json& preview, const Context& context) {
    const std::string not_now = context.times.in_sentence(text_of(preview, "why_not_now"));
    const bool refused = truth_of(preview, "refused");
    return pairs_text(
        {{"to", text_of(preview, "to")},
         {"encoding", text_of(preview, "encoding")},
         {"segments",
          fmt::format("{} ({} units; {} fit in one)", text_of(preview, "segments"),
                      text_of(preview, "units"), text_of(preview, "units_per_segment"))},
         {"group", text_of(preview, "group")},
         {"why this group", text_of(preview, "why_group")},
         {"priority", text_of(preview, "priority")},
         {"expires at", context.times.to_seconds(text_of(preview, "expires_at"))},
         {"now", refused           ? "would be refused: " + not_now
                 : not_now.empty() ? "would be sent as soon as it is its turn"
                                   : "would wait: " + not_now}},
        context.console);
}

/// What a file would be.
struct Totals {
    std::uint64_t messages = 0;
    std::uint64_t segments = 0;
    std::uint64_t waiting = 0;  ///< accepted, but not sent at once
    std::uint64_t refused = 0;
    std::uint64_t bad = 0;    ///< of the refused: the line itself is wrong
    std::uint64_t later = 0;  ///< of the refused: only for now
};

class DryRun {
public:
    DryRun(std::string name, Context& context, Service& service)
        : name_(std::move(name)), context_(context), service_(service) {}

    /// A failure ends the run: the service can't be asked.
    Outcome<> look_at(const BatchItem& item) {
        ++totals_.messages;
        if (!item.fault.empty()) {
            refuse(item.line, item.fault, ExitCode::bad_data);
            return ExitCode::done;
        }
        const auto preview = ask(service_, item.request);
        if (!preview) {
            const ExitCode code = preview.error().code;
            if (code == ExitCode::unreachable || code == ExitCode::not_allowed ||
                service_.interrupted()) {
                return std::unexpected(preview.error());
            }
            refuse(item.line, preview.error().message, code);
        } else if (truth_of(*preview, "refused")) {
            refuse(item.line, text_of(*preview, "why_not_now"), exit_code_of_refusal(*preview));
        } else {
            totals_.segments += count_of(*preview, "segments");
            totals_.waiting += text_of(*preview, "why").empty() ? 0 : 1;
        }
        return ExitCode::done;
    }

    [[nodiscard]] const Totals& totals() const { return totals_; }

    /// Prints the totals; a failure where one would be refused.
    Outcome<> finish() {
        const std::string messages = counted(totals_.messages, "message");
        const auto told = report(
            {{"lines", totals_.messages},
             {"segments", totals_.segments},
             {"waiting", totals_.waiting},
             {"refused", totals_.refused}},
            fmt::format("{}: {} would be accepted ({}), {} of them would wait; {} would be "
                        "refused\n",
                        messages, totals_.messages - totals_.refused,
                        counted(totals_.segments, "segment"), totals_.waiting, totals_.refused),
            context_);
        if (totals_.refused == 0) {
            return told;
        }
        return failure(totals_.bad > 0     ? ExitCode::bad_data
                       : totals_.later > 0 ? ExitCode::try_later
                                           : ExitCode::failed,
                       fmt::format("{}: nothing was sent; {} of {} would be refused", name_,
                                   totals_.refused, messages));
    }

private:
    void refuse(std::uint64_t line, const std::string& why, ExitCode code) {
        ++totals_.refused;
        totals_.bad += code == ExitCode::bad_data ? 1 : 0;
        totals_.later += code == ExitCode::try_later ? 1 : 0;
        context_.console.note(fmt::format("{}:{}: {}", name_, line, printable(why)));
    }

    const std::string name_;
    Context& context_;
    Service& service_;
    Totals totals_;
};

}  // namespace

Outcome<> preview(const SendOptions& options, Context& context) {
    const auto message = message_of(options);
    if (!message) {
        return std::unexpected(message.error());
    }
    Service service(context.socket);
    const auto answer = ask(service, json_line(*message));
    auto told = report(answer, context,
                       [&](const wire::Json& said) { return words_of_preview(said, context); });
    if (answer && truth_of(*answer, "refused")) {
        return failure(exit_code_of_refusal(*answer),
                       "would be refused: " + printable(text_of(*answer, "why_not_now")));
    }
    return told;
}

Outcome<> preview_file(const SendOptions& options, Context& context) {
    const std::string file = options.file.value_or("-");
    auto fd = open_input(file);
    if (!fd) {
        return std::unexpected(fd.error());
    }
    const StopSignal stop;
    ProgressBar bar(context.console, size_of_input(*fd));
    bool stopped = false;
    LineSource lines(std::move(*fd), [&](int readable) {
        stopped = stopped || !stop.wait_readable(readable);
        return !stopped;
    });
    auto reader = BatchReader::open(lines, options.fields);
    if (!reader) {
        return failure(reader.error().code, fmt::format("{}: {}", file, reader.error().message));
    }
    Service service(context.socket, stop.fd());
    DryRun dry_run(name_of_input(file), context, service);
    Outcome<> asked = ExitCode::done;
    while (asked && !stopped) {
        const auto item = reader->next();
        if (!item) {
            break;
        }
        asked = dry_run.look_at(*item);
        stopped = stopped || service.interrupted();
        bar.show(lines.position(), counted(dry_run.totals().messages, "message"));
    }
    context.console.end_progress();
    if (stopped) {
        return failure(ExitCode::failed, "interrupted; nothing was sent");
    }
    return asked ? dry_run.finish() : asked;
}

void declare_preview(const CommandGroup& program) {
    const auto [app, options, check] =
        program.command({"preview",
                         "show what would happen to a message; nothing is sent",
                         {"preview --to +33612345678 \"How many segments are this?\""}},
                        preview);
    const auto [to, text, data] = add_content(app, options);
    to->required();
    add_fields(app, options.fields);
    check = [text = text, data = data] {
        if (text->empty() && data->empty()) {
            throw CLI::RequiredError("a text (or --data)");
        }
    };
}

}  // namespace smsrack::cli
