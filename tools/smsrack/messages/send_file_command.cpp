// `smsrack send --file FILE`.
#include "tools/smsrack/input_file.hpp"
#include "tools/smsrack/messages/batch_reader.hpp"
#include "tools/smsrack/messages/send_command.hpp"
#include "tools/smsrack/rack/service.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/counted.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/screen/progress_bar.hpp"
#include "tools/smsrack/stop_signal.hpp"

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <optional>
#include <system_error>

namespace smsrack::cli {
namespace {

constexpr std::size_t piece_size = std::size_t{32} * 1024;  // octets handed to the socket at once
// Lines sent and not answered: bounds what a stop leaves in doubt.
constexpr std::size_t in_flight_max = 20'000;

// Reported one by one with --json; `refused` counts them all.
constexpr std::size_t errors_max = 10'000;

/// One run over a file: lines go out, answers come back in the same order.
class Batch {
public:
    Batch(const std::string& file, Context& context, LineSource& lines, BatchReader& reader,
          std::uint64_t size)
        : name_(name_of_input(file)),
          context_(context),
          lines_(lines),
          reader_(reader),
          bar_(context.console, size) {}

    /// For HttpClient: the next requests, a line each.
    std::optional<std::string> source() {
        std::string piece;
        while (piece.size() < piece_size && in_flight_.size() < in_flight_max) {
            const auto item = reader_.next();
            if (!item) {
                ended_ = true;
                break;
            }
            ++read_;
            if (!item->fault.empty()) {
                refuse(item->line, "bad_request", item->fault);
                continue;
            }
            piece += item->request;
            piece += '\n';
            in_flight_.push_back(item->line);
        }
        show();
        return piece.empty() && !ended_ ? std::nullopt : std::optional(std::move(piece));
    }

    bool sink(std::string_view piece) {
        answers_ += piece;
        std::size_t from = 0;
        for (auto end = answers_.find('\n'); end != std::string::npos;
             end = answers_.find('\n', from)) {
            take_answer(std::string_view(answers_).substr(from, end - from));
            from = end + 1;
        }
        answers_.erase(0, from);
        show();
        return true;
    }

    /// What there is to say at the end. `call` is how the streamed call ended.
    Outcome<> finish(const Outcome<>& call, bool interrupted) {
        context_.console.end_progress();
        (void)report(
            {{"lines", read_},
             {"accepted", accepted_},
             {"refused", refused_},
             {"unanswered", in_flight_.size()},
             {"errors", std::move(errors_)}},
            fmt::format(
                "{}: {} accepted, {} refused{}\n", counted(read_, "message"), accepted_, refused_,
                in_flight_.empty() ? "" : fmt::format(", {} not answered", in_flight_.size())),
            context_);
        if (!call) {
            return in_words(call.error(), call.error().message + what_is_left());
        }
        if (interrupted) {
            return failure(ExitCode::failed,
                           fmt::format("interrupted: of {} nothing was sent after line {}", name_,
                                       last_answered_));
        }
        if (lines_.error() != 0) {
            return failure(
                ExitCode::failed,
                fmt::format("{}: {}", name_, std::generic_category().message(lines_.error())));
        }
        return verdict();
    }

private:
    void take_answer(std::string_view text) {
        if (text.empty() || in_flight_.empty()) {
            return;
        }
        last_answered_ = in_flight_.front();
        in_flight_.pop_front();
        const auto answer = wire::parse_json(text);
        if (answer && answer->is_object() && !answer->contains("error")) {
            ++accepted_;
            return;
        }
        const wire::Json& problem =
            answer ? object_of(*answer, "error") : object_of(wire::Json(), "error");
        const std::string detail = text_of(problem, "detail");
        refuse(last_answered_, text_of(problem, "code"),
               detail.empty() ? text_of(problem, "title") : detail);
        if (const auto wait = number_of(problem, "retry_after_s")) {
            retry_after_s_ = std::max(retry_after_s_, *wait);
        }
    }

    void refuse(std::uint64_t line, const std::string& code, const std::string& what) {
        ++refused_;
        bad_ += exit_code_of(code) == ExitCode::bad_data ? 1 : 0;
        later_ += exit_code_of(code) == ExitCode::try_later ? 1 : 0;
        if (!context_.json) {
            context_.console.note(
                fmt::format("{}:{}: {} ({})", name_, line, printable(what), printable(code)));
        } else if (errors_.size() < errors_max) {
            errors_.push_back({{"line", line}, {"code", code}, {"detail", what}});
        }
    }

    void show() {
        bar_.show(lines_.position(), fmt::format("{} accepted, {} refused", accepted_, refused_));
    }

    [[nodiscard]] std::string what_is_left() const {
        return in_flight_.empty() ? ""
                                  : fmt::format(
                                        "; lines {} to {} may or may not be accepted (give each a "
                                        "ref, and a second run repeats none)",
                                        in_flight_.front(), in_flight_.back());
    }

    [[nodiscard]] Outcome<> verdict() const {
        if (bad_ > 0) {
            return failure(
                ExitCode::bad_data,
                fmt::format("{}: {} not sent", name_,
                            bad_ == 1 ? "1 bad line was" : fmt::format("{} bad lines were", bad_)));
        }
        if (later_ > 0) {
            return failure(
                ExitCode::try_later,
                fmt::format("{}: {} lines were refused for now; send them again in {:.0f} s", name_,
                            later_, retry_after_s_));
        }
        if (refused_ > 0 || !in_flight_.empty()) {
            return failure(ExitCode::failed, fmt::format("{}: {} lines were not accepted", name_,
                                                         refused_ + in_flight_.size()));
        }
        return ExitCode::done;
    }

    const std::string name_;
    Context& context_;
    LineSource& lines_;
    BatchReader& reader_;
    ProgressBar bar_;
    // Numbers of the lines sent and not answered, <= in_flight_max.
    std::deque<std::uint64_t> in_flight_;
    std::string answers_;  // begun, not ended
    wire::Json errors_ = wire::Json::array();
    std::uint64_t read_ = 0;
    std::uint64_t accepted_ = 0;
    std::uint64_t refused_ = 0;
    std::uint64_t bad_ = 0;     // of the refused: the line itself is wrong
    std::uint64_t later_ = 0;   // of the refused: only for now
    double retry_after_s_ = 0;  // the longest wait that a line was given
    std::uint64_t last_answered_ = 0;
    bool ended_ = false;
};

}  // namespace

Outcome<> send_file(const SendOptions& options, Context& context) {
    const std::string file = options.file.value_or("-");
    auto fd = open_input(file);
    if (!fd) {
        return std::unexpected(fd.error());
    }
    const std::uint64_t size = size_of_input(*fd);
    // The first Ctrl-C ends the reading; what was sent is still answered. The second ends the
    // program.
    std::optional<StopSignal> stop(std::in_place);
    const auto may_read = [&stop](int readable) {
        if (stop && !stop->wait_readable(readable)) {
            stop.reset();
        }
        return stop.has_value();
    };
    LineSource lines(std::move(*fd), may_read);
    auto reader = BatchReader::open(lines, options.fields);
    if (!stop) {
        return failure(ExitCode::failed, "interrupted before anything was sent");
    }
    if (!reader) {
        return in_words(reader.error(), fmt::format("{}: {}", file, reader.error().message));
    }
    Batch batch(file, context, lines, *reader, size);
    Service service(context.socket);
    const auto call = service.stream(
        {.method = "POST",
         .target = "/v1/messages",
         .headers = {{"Content-Type", "application/x-ndjson"}}},
        [&batch] { return batch.source(); },
        [&batch](std::string_view piece) { return batch.sink(piece); });
    return batch.finish(call, !stop.has_value());
}

}  // namespace smsrack::cli
