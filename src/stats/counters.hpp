/// The counters since the start of the service: one table with names and help; no counter is
/// registered elsewhere.
///
/// Rows of one name stand together and differ in their labels; no label ever holds a number, a text
/// or an id.
///
/// Threads: add() and value() by any; counting is one relaxed atomic addition.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace smsrack::stats {

enum class Counter : std::uint8_t {
    messages_accepted,
    messages_repeated,
    messages_refused_input,
    messages_refused_conflict,
    messages_refused_full,
    messages_refused_overload,
    messages_refused_storage,
    refused_by_destination,
    refused_by_premium,
    refused_by_opt_out,
    refused_by_limit,
    refused_by_quiet_hours,
    refused_by_client,
    refused_by_other,
    refused_by_overload,
    refused_by_capacity,
    refused_by_duplicate,
    refused_by_batch,
    submits_accepted,
    submits_refused,
    submits_not_sent,
    submits_unknown,
    retries,
    late_answers,
    reports_matched,
    reports_unmatched,
    reports_duplicate,
    inbound_segments,
    inbound_duplicate,
    inbound_maybe_repeat,
    inbound_undecodable,
    inbound_silent,
    inbound_messages,
    stops_counted,
    stops_ignored,
    self_sms_received,
    self_sms_lost,
    self_sms_unsent,
    modem_losses,
    queue_refills,
    subscribers_dropped,
    audit_rows_lost,
    http_requests,
    http_connections,
    http_connections_refused,
    http_connections_dropped,
    http_bad_heads,
    http_timeouts,
    http_requests_refused,
    ndjson_lines,
    store_transactions,
    store_writes,
    store_failures,
    store_syncs,
    store_log_octets,
    store_file_octets,
    store_log_pages,
    store_file_pages,
    scaling_out_flow,
    scaling_out_store,
    scaling_out_forecast,
    scaling_in_flow,
    scaling_in_store,
    scaling_crash,
    scaling_early,
    scaling_late,
    scaling_kept,
    scaling_promise,
    scaling_no_reason,
    door_accepting,
    door_some_groups,
    door_overloaded,
    door_full,
    door_storage,
    door_no_answer,
    how_many,  ///< not a counter: how many there are
};

struct CounterInfo {
    Counter counter;
    std::string_view name;    ///< ends in _total
    std::string_view labels;  ///< `state="failed"`, or empty
    std::string_view help;
};

/// In the order of Counter.
inline constexpr std::array counter_table{
    CounterInfo{Counter::messages_accepted, "smsrack_messages_submitted_total",
                R"(result="accepted")", "Messages asked for, by what was answered."},
    CounterInfo{Counter::messages_repeated, "smsrack_messages_submitted_total",
                R"(result="repeated")", ""},
    CounterInfo{Counter::messages_refused_input, "smsrack_messages_submitted_total",
                R"(result="bad_input")", ""},
    CounterInfo{Counter::messages_refused_conflict, "smsrack_messages_submitted_total",
                R"(result="conflict")", ""},
    CounterInfo{Counter::messages_refused_full, "smsrack_messages_submitted_total",
                R"(result="full")", ""},
    CounterInfo{Counter::messages_refused_overload, "smsrack_messages_submitted_total",
                R"(result="overloaded")", ""},
    CounterInfo{Counter::messages_refused_storage, "smsrack_messages_submitted_total",
                R"(result="storage")", ""},
    CounterInfo{Counter::refused_by_destination, "smsrack_refusals_total", R"(rule="destination")",
                "Messages refused, by the rule that refused them."},
    CounterInfo{Counter::refused_by_premium, "smsrack_refusals_total", R"(rule="premium")", ""},
    CounterInfo{Counter::refused_by_opt_out, "smsrack_refusals_total", R"(rule="opt_out")", ""},
    CounterInfo{Counter::refused_by_limit, "smsrack_refusals_total", R"(rule="limit")", ""},
    CounterInfo{Counter::refused_by_quiet_hours, "smsrack_refusals_total", R"(rule="quiet_hours")",
                ""},
    CounterInfo{Counter::refused_by_client, "smsrack_refusals_total", R"(rule="client")", ""},
    CounterInfo{Counter::refused_by_other, "smsrack_refusals_total", R"(rule="other")", ""},
    CounterInfo{Counter::refused_by_overload, "smsrack_refusals_total", R"(rule="overload")", ""},
    CounterInfo{Counter::refused_by_capacity, "smsrack_refusals_total", R"(rule="capacity")", ""},
    CounterInfo{Counter::refused_by_duplicate, "smsrack_refusals_total", R"(rule="duplicate")", ""},
    CounterInfo{Counter::refused_by_batch, "smsrack_refusals_total", R"(rule="batch")", ""},
    CounterInfo{Counter::submits_accepted, "smsrack_submits_total", R"(outcome="accepted")",
                "Segments handed to a modem, by outcome."},
    CounterInfo{Counter::submits_refused, "smsrack_submits_total", R"(outcome="refused")", ""},
    CounterInfo{Counter::submits_not_sent, "smsrack_submits_total", R"(outcome="not_sent")", ""},
    CounterInfo{Counter::submits_unknown, "smsrack_submits_total", R"(outcome="unknown")", ""},
    CounterInfo{Counter::retries, "smsrack_retries_total", "",
                "Segments planned for another attempt."},
    CounterInfo{Counter::late_answers, "smsrack_late_answers_total", "",
                "Answers of a modem that came after their submit was given up."},
    CounterInfo{Counter::reports_matched, "smsrack_reports_total", R"(match="matched")",
                "Status reports received, by whether their segment was found."},
    CounterInfo{Counter::reports_unmatched, "smsrack_reports_total", R"(match="unmatched")", ""},
    CounterInfo{Counter::reports_duplicate, "smsrack_reports_total", R"(match="duplicate")", ""},
    CounterInfo{Counter::inbound_segments, "smsrack_inbound_segments_total", R"(kind="new")",
                "Segments received from the network."},
    CounterInfo{Counter::inbound_duplicate, "smsrack_inbound_segments_total", R"(kind="duplicate")",
                ""},
    CounterInfo{Counter::inbound_maybe_repeat, "smsrack_inbound_segments_total",
                R"(kind="maybe_repeat")", ""},
    CounterInfo{Counter::inbound_undecodable, "smsrack_inbound_segments_total",
                R"(kind="undecodable")", ""},
    CounterInfo{Counter::inbound_silent, "smsrack_inbound_segments_total", R"(kind="silent")", ""},
    CounterInfo{Counter::inbound_messages, "smsrack_inbound_messages_total", "",
                "Messages put into the inbox."},
    CounterInfo{Counter::stops_counted, "smsrack_stops_total", R"(result="counted")",
                "Received messages that say STOP, by whether they count."},
    CounterInfo{Counter::stops_ignored, "smsrack_stops_total", R"(result="ignored")", ""},
    CounterInfo{Counter::self_sms_received, "smsrack_self_sms_total", R"(outcome="received")",
                "Messages of the rack to its own SIMs, by what became of them."},
    CounterInfo{Counter::self_sms_lost, "smsrack_self_sms_total", R"(outcome="lost")", ""},
    CounterInfo{Counter::self_sms_unsent, "smsrack_self_sms_total", R"(outcome="unsent")", ""},
    CounterInfo{Counter::modem_losses, "smsrack_modem_losses_total", "",
                "Times that a ready modem stopped being ready."},
    CounterInfo{Counter::queue_refills, "smsrack_queue_refills_total", "",
                "Times that a send buffer queue was filled again from the store."},
    CounterInfo{Counter::subscribers_dropped, "smsrack_event_subscribers_dropped_total", "",
                "Event subscribers cut off because they read too slowly."},
    CounterInfo{Counter::audit_rows_lost, "smsrack_audit_rows_lost_total", "",
                "Rows of the audit that the disk refused."},
    CounterInfo{Counter::http_requests, "smsrack_http_requests_total", "",
                "Requests with a whole head."},
    CounterInfo{Counter::http_connections, "smsrack_http_connections_total", R"(result="accepted")",
                "Connections to the local API."},
    CounterInfo{Counter::http_connections_refused, "smsrack_http_connections_total",
                R"(result="refused")", ""},
    CounterInfo{Counter::http_connections_dropped, "smsrack_http_connections_total",
                R"(result="dropped")", ""},
    CounterInfo{Counter::http_bad_heads, "smsrack_http_bad_requests_total", "",
                "Requests that are not HTTP."},
    CounterInfo{Counter::http_timeouts, "smsrack_http_timeouts_total", "",
                "Connections cut off because the client was too slow."},
    CounterInfo{Counter::http_requests_refused, "smsrack_http_requests_refused_total", "",
                "Requests refused because their account held all the memory that it may."},
    CounterInfo{Counter::ndjson_lines, "smsrack_ndjson_lines_total", "",
                "Lines of streamed request bodies."},
    CounterInfo{Counter::store_transactions, "smsrack_db_transactions_total", "",
                "Transactions of the writing thread."},
    CounterInfo{Counter::store_writes, "smsrack_db_writes_total", "",
                "Writes committed in those transactions."},
    CounterInfo{Counter::store_failures, "smsrack_db_failures_total", "",
                "Transactions that the disk refused."},
    CounterInfo{Counter::store_syncs, "smsrack_db_syncs_total", "",
                "Times that the writing thread waited for the disk (fdatasync)."},
    CounterInfo{Counter::store_log_octets, "smsrack_db_written_bytes_total", R"(file="log")",
                "Octets written to the database and its log."},
    CounterInfo{Counter::store_file_octets, "smsrack_db_written_bytes_total", R"(file="database")",
                ""},
    CounterInfo{Counter::store_log_pages, "smsrack_db_written_pages_total", R"(file="log")",
                "Pages written to the database and its log."},
    CounterInfo{Counter::store_file_pages, "smsrack_db_written_pages_total", R"(file="database")",
                ""},
    CounterInfo{
        Counter::scaling_out_flow, "smsrack_scaling_decisions_total", R"(reason="out_flow")",
        "Decisions of the scaling controller by reason; one with two reasons counts for both."},
    CounterInfo{Counter::scaling_out_store, "smsrack_scaling_decisions_total",
                R"(reason="out_store")", ""},
    CounterInfo{Counter::scaling_out_forecast, "smsrack_scaling_decisions_total",
                R"(reason="out_forecast")", ""},
    CounterInfo{Counter::scaling_in_flow, "smsrack_scaling_decisions_total", R"(reason="in_flow")",
                ""},
    CounterInfo{Counter::scaling_in_store, "smsrack_scaling_decisions_total",
                R"(reason="in_store")", ""},
    CounterInfo{Counter::scaling_crash, "smsrack_scaling_decisions_total", R"(reason="crash")", ""},
    CounterInfo{Counter::scaling_early, "smsrack_scaling_decisions_total", R"(reason="early")", ""},
    CounterInfo{Counter::scaling_late, "smsrack_scaling_decisions_total", R"(reason="late")", ""},
    CounterInfo{Counter::scaling_kept, "smsrack_scaling_decisions_total", R"(reason="kept")", ""},
    CounterInfo{Counter::scaling_promise, "smsrack_scaling_decisions_total", R"(reason="promise")",
                ""},
    CounterInfo{Counter::scaling_no_reason, "smsrack_scaling_decisions_total",
                R"(reason="no_reason")", ""},
    CounterInfo{Counter::door_accepting, "smsrack_availability_seconds_total",
                R"(state="accepting")",
                "Time by what a submit of the top level would have been answered."},
    CounterInfo{Counter::door_some_groups, "smsrack_availability_seconds_total",
                R"(state="some_groups")", ""},
    CounterInfo{Counter::door_overloaded, "smsrack_availability_seconds_total",
                R"(state="overloaded")", ""},
    CounterInfo{Counter::door_full, "smsrack_availability_seconds_total", R"(state="full")", ""},
    CounterInfo{Counter::door_storage, "smsrack_availability_seconds_total", R"(state="storage")",
                ""},
    CounterInfo{Counter::door_no_answer, "smsrack_availability_seconds_total",
                R"(state="no_answer")", ""},
};

inline constexpr std::size_t counter_count = std::to_underlying(Counter::how_many);
static_assert(counter_table.size() == counter_count);
static_assert([] {
    for (std::size_t i = 0; i < counter_count; ++i) {
        if (std::to_underlying(counter_table.at(i).counter) != i) {
            return false;
        }
    }
    return true;
}());

class Counters {
public:
    void add(Counter counter, std::uint64_t by = 1) noexcept {
        counts_[std::to_underlying(counter)].fetch_add(by, std::memory_order_relaxed);
    }
    [[nodiscard]] std::uint64_t value(Counter counter) const noexcept {
        return counts_[std::to_underlying(counter)].load(std::memory_order_relaxed);
    }

private:
    std::array<std::atomic<std::uint64_t>, counter_count> counts_{};
};

}  // namespace smsrack::stats
