#include "src/sms/error_table.hpp"

#include <algorithm>
#include <utility>

namespace smsrack {
namespace {

const CauseInfo& nothing_said() {
    static const CauseInfo info{.meaning = "no cause was given", .advice = "nothing to do"};
    return info;
}

const CauseInfo& not_known() {
    static const CauseInfo info{.cause_class = CauseClass::transient,
                                .after_pdu = CauseClass::ambiguous,
                                .meaning = "a code that the table does not know",
                                .advice = "see the modem's manual"};
    return info;
}

void narrowest_first(std::vector<CauseRow>& rows) {
    std::ranges::stable_sort(rows, {}, [](const CauseRow& row) { return row.last - row.first; });
}

}  // namespace

ErrorTable::ErrorTable(std::vector<CauseRow> rows) : rows_(std::move(rows)) {
    narrowest_first(rows_);
}

ErrorTable ErrorTable::with(std::vector<CauseRow> over) const {
    ErrorTable both(std::move(over));
    both.rows_.insert(both.rows_.end(), rows_.begin(), rows_.end());
    return both;
}

const CauseInfo& ErrorTable::info(Cause cause) const {
    if (cause.kind == CodeKind::none) {
        return nothing_said();
    }
    const auto found = std::ranges::find_if(rows_, [cause](const CauseRow& row) {
        return row.kind == cause.kind && row.first <= cause.code && cause.code <= row.last;
    });
    return found == rows_.end() ? not_known() : found->info;
}

std::optional<MessageEvent> ErrorTable::report_event(std::uint8_t tp_status) const {
    switch (info({.kind = CodeKind::tp_status, .code = tp_status}).says) {
        case ReportSays::delivered:
            return MessageEvent::delivery;
        case ReportSays::undelivered:
            return MessageEvent::refusal;
        case ReportSays::expired:
            return MessageEvent::too_late;
        case ReportSays::pending:
            break;
    }
    return std::nullopt;
}

}  // namespace smsrack
