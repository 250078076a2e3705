#include "tools/smsrack/export_command.hpp"

#include "tools/smsrack/counted.hpp"
#include "tools/smsrack/json_fields.hpp"
#include "tools/smsrack/pages.hpp"
#include "tools/smsrack/progress_bar.hpp"
#include "tools/smsrack/real_clock.hpp"
#include "tools/smsrack/segment_rows.hpp"
#include "tools/smsrack/stop_signal.hpp"
#include "tools/smsrack/time_argument.hpp"

#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <string_view>

namespace smsrack::cli {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // how a spreadsheet knows UTF-8
constexpr std::string_view line_end = "\r\n";                 // of CSV, RFC 4180

std::string target_of(const ExportOptions& options) {
    std::string target = "/v1/messages?details=true&";
    const auto add = [&target](const char* name, const std::string& value) {
        if (!value.empty()) {
            target += fmt::format("{}={}&", name, client::percent_encoded(value));
        }
    };
    add("since", time_before(options.since, RealClock().wall()));
    add("state", options.state);
    add("batch", options.batch);
    add("client", options.client);
    return target;
}

class Writer {
public:
    Writer(const ExportOptions& options, Context& context)
        : options_(options),
          console_(context.console),
          ndjson_(options.ndjson || context.json),
          bar_(context.console, 0) {}

    void begin() {
        if (ndjson_) {
            return;
        }
        std::string head;
        for (const std::string_view name : segment_columns()) {
            if (name != "text" || options_.text) {
                head += head.empty() ? "" : ",";
                head += name;
            }
        }
        if (!options_.raw) {
            head.insert(0, byte_order_mark);
        }
        console_.write_as_is(head.append(line_end));
    }

    void add(const wire::Json& message) {
        for (wire::Json& row : segment_rows(message)) {
            if (!options_.text) {
                row.erase("text");
            }
            console_.write_as_is(ndjson_ ? json_line(row) + "\n" : csv_line(row));
            ++rows_;
        }
        ++messages_;
        if (!console_.traits().out_is_terminal) {  // else the rows themselves are seen
            bar_.show(0, counted(messages_, "message") + ", " + counted(rows_, "row"));
        }
    }

    [[nodiscard]] std::uint64_t messages() const { return messages_; }

private:
    [[nodiscard]] std::string csv_line(const wire::Json& row) const {
        std::string line;
        bool first = true;
        for (const std::string_view name : segment_columns()) {
            if (!row.contains(name)) {
                continue;
            }
            line += first ? "" : ",";
            line += csv_field(text_of(row, name), !options_.raw);
            first = false;
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

}  // namespace

Outcome<> run(const ExportOptions& options, Context& context) {
    const StopSignal stop;
    Service service(context.socket, stop.fd());
    Writer writer(options, context);
    writer.begin();
    const auto rest = each_of_pages(service, target_of(options), "messages",
                                    std::numeric_limits<std::uint64_t>::max(),
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

}  // namespace smsrack::cli
