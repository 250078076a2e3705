// What an administrator lays over the table of causes: every code still has an answer, that of the narrowest row.
#include "src/base/check.hpp"
#include "src/causes/error_file.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/support/error_table.hpp"

#include <algorithm>

namespace smsrack::fuzz {
namespace {

void check_row(const ErrorTable& table, const std::vector<CauseRow>& over, const CauseRow& row) {
    SMSRACK_CHECK(0 <= row.first && row.first <= row.last && row.last <= 65'535);
    SMSRACK_CHECK(!row.info.meaning.empty() && !row.info.advice.empty());
    const CauseInfo& info = table.info({row.kind, row.first});
    const bool of_over = std::ranges::any_of(over, [&](const CauseRow& other) {
        return other.kind == row.kind && other.first <= row.first && row.first <= other.last &&
               other.last - other.first <= row.last - row.first &&
               other.info.meaning == info.meaning && other.info.advice == info.advice;
    });
    SMSRACK_CHECK(of_over);
}

}  // namespace

int fuzz_causes(Octets input) {
    const std::string_view text = text_of(input);
    const auto rows = causes::load_causes(text, "errors.toml");
    if (!rows) {
        const auto lines = 1 + std::ranges::count(text, '\n');
        for (const config::ConfigProblem& problem : rows.error().problems) {
            SMSRACK_CHECK(problem.line >= 0 && problem.line <= lines && !problem.message.empty());
        }
        SMSRACK_CHECK(!rows.error().problems.empty());
        return 0;
    }
    const ErrorTable table = test::error_table.with(*rows);
    SMSRACK_CHECK(table.rows().size() == rows->size() + test::error_table.rows().size());
    for (const CauseRow& row : *rows) {
        check_row(table, *rows, row);
    }
    for (int status = 0; status <= 0xFF; ++status) {
        (void)table.report_event(static_cast<std::uint8_t>(status));
    }
    return 0;
}

}  // namespace smsrack::fuzz
