// Two further texts with commas: a record of `smsrack send --file`, and a load trace of `smsrack model scaling`.
#include "tools/smsrack/messages/csv.hpp"

#include "src/base/check.hpp"
#include "src/scaling/trace.hpp"
#include "tests/fuzz/input.hpp"

#include <algorithm>
#include <chrono>
#include <string>

namespace smsrack::fuzz {
namespace {

void check_record(std::string_view text) {
    const char separator = cli::separator_of(text);
    const cli::CsvRecord record = cli::parse_csv(text, separator);
    if (!record.fault.empty() || record.open) {
        SMSRACK_CHECK(text.contains('"'));
        return;
    }
    std::string written;
    for (const std::string& field : record.fields) {
        written += written.empty() ? "\"" : std::string(1, separator) + '"';
        for (const char c : field) {
            written += c == '"' ? "\"\"" : std::string(1, c);
        }
        written += '"';
    }
    const cli::CsvRecord again = cli::parse_csv(written, separator);
    SMSRACK_CHECK(again.fault.empty() && !again.open && again.fields == record.fields);
}

void check_trace(std::string_view text) {
    const auto trace = scaling::read_trace(text);
    if (!trace) {
        SMSRACK_CHECK(!trace.error().empty());
        for (const scaling::TraceProblem& problem : trace.error()) {
            SMSRACK_CHECK(!problem.message.empty());
            SMSRACK_CHECK(problem.line <=
                          1 + static_cast<std::size_t>(std::ranges::count(text, '\n')));
        }
        return;
    }
    SMSRACK_CHECK(!trace->empty());
    for (std::size_t i = 1; i < trace->size(); ++i) {
        SMSRACK_CHECK((*trace)[i - 1].seconds < (*trace)[i].seconds);
    }
    constexpr std::size_t samples_wanted = 100;
    const double length = trace->back().seconds - trace->front().seconds;
    const std::chrono::milliseconds period(
        1 + static_cast<std::int64_t>(length * 1'000 / double{samples_wanted}));
    const auto samples = scaling::samples_of(*trace, period);
    SMSRACK_CHECK(!samples.empty() && samples.size() <= samples_wanted + 1);
}

}  // namespace

int fuzz_csv(Octets input) {
    const std::string_view text = text_of(input);
    check_record(text);
    check_trace(text);
    return 0;
}

}  // namespace smsrack::fuzz
