// `smsrack trigger feed NAME [FILE]`: feeds JSON Lines into a trigger.
//
// Each event that was decided is on disk, and one that comes twice is a repeat: a feed that broke
// off continues with --from-line, or starts again.
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/input_file.hpp"
#include "tools/smsrack/rack/service.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/screen/progress_bar.hpp"
#include "tools/smsrack/stop_signal.hpp"
#include "tools/smsrack/triggers/event_words.hpp"
#include "tools/smsrack/triggers/feed_reader.hpp"

#include <array>
#include <chrono>
#include <fmt/format.h>
#include <optional>
#include <system_error>

namespace smsrack::cli {
namespace {

using Time = std::chrono::steady_clock::time_point;

constexpr std::array<const char*, 8> verdicts{"accepted", "new", "seen",    "outside",
                                              "refused",  "bad", "too_old", "no_topic"};
constexpr std::size_t samples_max = 1'000;      // reported one by one; the counts have them all
constexpr std::chrono::seconds note_every{10};  // where there is no terminal to draw on

struct TriggerFeedOptions {
    std::string name = {};
    std::string file = "-";
    std::uint64_t from_line = 1;
};

/// One run over a file.
class Feed {
public:
    Feed(const TriggerFeedOptions& options, Context& context, FeedReader& reader,
         std::uint64_t octets, int stop_fd)
        : options_(options),
          name_(name_of_input(options.file)),
          context_(context),
          reader_(reader),
          // Overload is waited for.
          service_(context.socket, stop_fd, std::chrono::milliseconds(0)),
          bar_(context.console, octets),
          decided_(options.from_line - 1),
          began_(std::chrono::steady_clock::now()),
          looked_(began_),
          noted_(began_) {}

    [[nodiscard]] Outcome<> run() {
        Outcome<> fed = ExitCode::done;
        while (fed && reader_.begin_request()) {
            fed = feed_some();
        }
        context_.console.end_progress();
        summarise();
        if (service_.interrupted()) {
            return failure(ExitCode::failed, "interrupted: " + where_to_go_on());
        }
        return fed ? verdict()
                   : in_words(fed.error(), fed.error().message + "; " + where_to_go_on());
    }

private:
    Outcome<> feed_some() {
        std::string answer;
        const auto fed = service_.stream(
            {.method = "POST",
             .target =
                 fmt::format("/v1/triggers/{}/events", client::percent_encoded(options_.name)),
             .headers = {{"Content-Type", "application/x-ndjson"}}},
            [this] {
                std::string piece = reader_.next();
                show();
                return std::optional(std::move(piece));
            },
            [&answer](std::string_view piece) {
                answer += piece;
                return true;
            });
        if (!fed) {
            return fed;
        }
        const auto counts = wire::parse_json(answer);
        if (!counts || !counts->is_object()) {
            return failure(ExitCode::failed, "the service's answer is not JSON");
        }
        take(*counts);
        return ExitCode::done;
    }

    void take(const wire::Json& answer) {
        for (const char* const verdict : verdicts) {
            counts_[verdict] = count_of(counts_, verdict) + count_of(answer, verdict);
        }
        for (const wire::Json& sample : array_of(answer, "samples")) {
            const std::uint64_t line = decided_ + count_of(sample, "line");
            const std::string why = text_of(sample, "why");
            if (told_++ >= samples_max) {
                continue;
            }
            if (context_.json) {
                samples_.push_back({{"line", line}, {"why", why}});
            } else {
                context_.console.note(fmt::format("{}:{}: {}", name_, line, printable(why)));
            }
        }
        decided_ = reader_.lines();
        note();
    }

    [[nodiscard]] std::string words() const {
        return fmt::format("{} lines, {:.0f}/s; {} new, {} bad", reader_.lines(), rate_,
                           count_of(counts_, "new"), count_of(counts_, "bad"));
    }

    void show() {
        const Time now = std::chrono::steady_clock::now();
        if (const auto past = now - looked_; past >= std::chrono::seconds(1)) {
            rate_ = static_cast<double>(reader_.lines() - lines_then_) /
                    std::chrono::duration<double>(past).count();
            looked_ = now;
            lines_then_ = reader_.lines();
        }
        bar_.show(reader_.octets(), words());
    }

    void note() {
        const Time now = std::chrono::steady_clock::now();
        if (!context_.console.traits().err_is_terminal && !context_.json &&
            now >= noted_ + note_every) {
            noted_ = now;
            context_.console.note(words());
        }
    }

    void summarise() {
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
        const std::uint64_t lines = decided_ + 1 - options_.from_line;
        const double rate = seconds > 0 ? static_cast<double>(lines) / seconds : 0;
        wire::Json all{{"lines", lines}, {"last_line", decided_}, {"rate", rate}};
        for (const char* const verdict : verdicts) {
            all[verdict] = count_of(counts_, verdict);
        }
        all["errors"] = std::move(samples_);
        (void)report(all,
                     fmt::format("{} lines in {:.1f} s ({:.0f}/s): {}\n", lines, seconds, rate,
                                 event_words(counts_)),
                     context_);
    }

    [[nodiscard]] std::string where_to_go_on() const {
        const std::string sent =
            reader_.lines() > decided_
                ? fmt::format(" (lines up to {} were sent; sending them again does no harm)",
                              reader_.lines())
                : "";
        return fmt::format("all lines up to {} are decided; continue with --from-line {}{}",
                           decided_, decided_ + 1, sent);
    }

    [[nodiscard]] Outcome<> verdict() const {
        if (reader_.error() != 0) {
            return failure(
                ExitCode::failed,
                fmt::format("{}: {}; {}", name_, std::generic_category().message(reader_.error()),
                            where_to_go_on()));
        }
        if (reader_.stopped()) {
            return failure(ExitCode::failed, "interrupted: " + where_to_go_on());
        }
        if (const std::uint64_t bad = count_of(counts_, "bad"); bad > 0) {
            return failure(ExitCode::bad_data,
                           fmt::format("{}: {} bad {}", name_, bad, bad == 1 ? "line" : "lines"));
        }
        return ExitCode::done;
    }

    const TriggerFeedOptions& options_;
    const std::string name_;
    Context& context_;
    FeedReader& reader_;
    Service service_;
    ProgressBar bar_;
    wire::Json counts_ = wire::Json::object();  // by verdict
    wire::Json samples_ = wire::Json::array();
    std::size_t told_ = 0;
    std::uint64_t decided_;  // last line of the last request that was answered
    std::uint64_t lines_then_ = 0;
    double rate_ = 0;  // of the last second
    const Time began_;
    Time looked_;
    Time noted_;
};

Outcome<> feed_trigger(const TriggerFeedOptions& options, Context& context) {
    auto fd = open_input(options.file);
    if (!fd) {
        return std::unexpected(fd.error());
    }
    const std::uint64_t octets = size_of_input(*fd);
    // Also while the service lets us wait: what it was sent and did not answer may come again.
    const StopSignal stop;
    FeedReader reader(std::move(*fd), stop.fd());
    if (!reader.skip(options.from_line - 1)) {
        return failure(ExitCode::bad_data,
                       fmt::format("{}: it has no line {}", options.file, options.from_line));
    }
    return Feed(options, context, reader, octets, stop.fd()).run();
}

}  // namespace

void declare_trigger_feed(const CommandGroup& trigger) {
    const auto [app, options, check] = trigger.command(
        {"feed",
         "feed it events as JSON Lines: {\"number\":\"+33...\",\"topic\":\"paris\"}",
         {"trigger feed welcome events.jsonl"}},
        feed_trigger);
    app.add_option("name", options.name, "the trigger")->required();
    app.add_option("file", options.file, "the events; -: standard input")->capture_default_str();
    app.add_option("--from-line", options.from_line, "continue with this line")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
}

}  // namespace smsrack::cli
