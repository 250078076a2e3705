// `smsrack export --since TIME`: one row for each segment of each message, newest message first, as
// CSV or NDJSON.
//
// A page of the API is read and written at a time, so memory has a bound whatever the number of
// messages. RFC 4180; OWASP, "CSV injection": a cell that a spreadsheet would calculate gets an
// apostrophe.
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/messages/messages_command.hpp"
#include "tools/smsrack/messages/segment_rows.hpp"
#include "tools/smsrack/messages/time_argument.hpp"
#include "tools/smsrack/real_clock.hpp"
#include "tools/smsrack/screen/counted.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/screen/pages.hpp"
#include "tools/smsrack/screen/progress_bar.hpp"
#include "tools/smsrack/stop_signal.hpp"

#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <string_view>

namespace smsrack::cli {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // how a spreadsheet knows UTF-8
constexpr std::string_view line_end = "\r\n";                 // of CSV, RFC 4180

struct ExportOptions {
    std::string since = {};
    std::string state = {};
    std::string batch = {};
    std::string client = {};
    std::string format = "csv";
    bool text = false;  ///< with the messages' texts
    bool raw = false;   ///< CSV for programs: no byte order mark, no apostrophes
};

class Writer {
public:
    Writer(const ExportOptions& options, Context& context)
        : options_(options),
          console_(context.console),
          ndjson_(options.format == "ndjson" || context.json),
          bar_(context.console, 0) {}

    void begin() {
        if (!ndjson_) {
            console_.write_as_is((options_.raw ? "" : std::string(byte_order_mark)) +
                                 csv_line([](std::string_view name) { return std::string(name); }));
        }
    }

    void add(const wire::Json& message) {
        for (wire::Json& row : segment_rows(message)) {
            if (!options_.text) {
                row.erase("text");
            }
            console_.write_as_is(ndjson_ ? json_line(row) + "\n"
                                         : csv_line([&](std::string_view name) {
                                               return csv_field(text_of(row, name), !options_.raw);
                                           }));
            ++rows_;
        }
        ++messages_;
        if (!console_.traits().out_is_terminal) {  // else the rows themselves are seen
            bar_.show(0, counted(messages_, "message") + ", " + counted(rows_, "row"));
        }
    }

    [[nodiscard]] std::uint64_t messages() const { return messages_; }

private:
    /// A line with the cells of the columns that are wanted.
    [[nodiscard]] std::string csv_line(const auto& cell_of) const {
        std::string line;
        const char* before = "";
        for (const std::string_view name : segment_columns()) {
            if (name != "text" || options_.text) {
                line += before + cell_of(name);
                before = ",";
            }
        }
        return line.append(line_end);
    }

    const ExportOptions& options_;
    Console& console_;
    const bool ndjson_;
    ProgressBar bar_;
    std::uint64_t messages_ = 0;
    std::uint64_t rows_ = 0;
};

Outcome<> export_messages(const ExportOptions& options, Context& context) {
    const StopSignal stop;
    Service service(context.socket, stop.fd());
    Writer writer(options, context);
    writer.begin();
    const auto rest = each_of_pages(
        service,
        query("/v1/messages", {{"details", "true"},
                               {"since", time_before(options.since, RealClock().wall())},
                               {"state", options.state},
                               {"batch", options.batch},
                               {"client", options.client}}),
        "messages", std::numeric_limits<std::uint64_t>::max(),
        [&writer](const wire::Json& message) { writer.add(message); });
    context.console.end_progress();
    if (!rest) {
        return in_words(rest.error(),
                        fmt::format("{}; the export is incomplete, it ends after {}",
                                    service.interrupted() ? "interrupted" : rest.error().message,
                                    counted(writer.messages(), "message")));
    }
    return ExitCode::done;
}

}  // namespace

void declare_export(const CommandGroup& program) {
    const auto [app, options, check] =
        program.command({"export",
                         "export messages for a spreadsheet or a program, a row for each segment",
                         {"export --since 2026-11-01T00:00:00Z > november.csv",
                          "export --since 2026-11-01T00:00:00Z --format ndjson > november.jsonl"}},
                        export_messages);
    app.add_option("--since", options.since,
                   "those accepted since: an RFC 3339 time, or an age such as 1h")
        ->required();
    add_state(app, options.state);
    app.add_option("--batch", options.batch, "only those of this batch");
    app.add_option("--client", options.client, "only those of this client");
    app.add_option("--format", options.format, "ndjson: an object for each row, as --json")
        ->check(CLI::IsMember({"csv", "ndjson"}))
        ->capture_default_str();
    app.add_flag("--text", options.text, "include the texts");
    app.add_flag("--raw", options.raw,
                 "CSV for programs: no byte order mark, no apostrophe before what a spreadsheet "
                 "would calculate");
}

}  // namespace smsrack::cli
