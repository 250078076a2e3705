#include "src/stats/stats.hpp"

#include "src/stats/metrics_text.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>

using namespace smsrack::stats;
using namespace std::chrono_literals;

TEST_CASE("Counters: each row counts for itself") {
    Stats stats;
    stats.add(Counter::retries);
    stats.add(Counter::retries, 4);
    stats.add(Counter::late_answers);
    CHECK(stats.value(Counter::retries) == 5);
    CHECK(stats.value(Counter::late_answers) == 1);
    CHECK(stats.value(Counter::messages_accepted) == 0);
}

TEST_CASE(
    "Counters: the table names each row once, rows of a name stand together, and the first has the "
    "help") {
    std::set<std::string> rows;
    std::set<std::string> finished;
    std::string_view current;
    for (const CounterInfo& info : counter_table) {
        CAPTURE(info.name);
        CHECK(info.name.starts_with("smsrack_"));
        CHECK(info.name.ends_with("_total"));
        CHECK(rows.insert(std::string(info.name) + std::string(info.labels)).second);
        if (info.name != current) {
            finished.insert(std::string(current));
            current = info.name;
            CHECK_FALSE(info.help.empty());
        }
        CHECK_FALSE(finished.contains(std::string(info.name)));
    }
}

TEST_CASE(
    "Histogram: a value at a bound falls into its bucket, one above into the next, the longest "
    "beyond the last") {
    const TimingInfo& info = timing_table().front();
    Histogram histogram(info.bounds);
    histogram.observe(info.bounds[0]);
    histogram.observe(info.bounds[0] + 1ns);
    histogram.observe(info.bounds[bucket_count - 1] + 1h);
    const auto now = histogram.snapshot();
    CHECK(now.counts[0] == 1);
    CHECK(now.counts[1] == 1);
    CHECK(now.counts[bucket_count] == 1);
    CHECK(now.total == 3);
    CHECK(now.sum == info.bounds[0] * 2 + 1ns + info.bounds[bucket_count - 1] + 1h);
}

TEST_CASE("Timings: bounds rise, names are in seconds") {
    for (const TimingInfo& info : timing_table()) {
        CAPTURE(info.name);
        CHECK(info.name.ends_with("_seconds"));
        CHECK(std::ranges::is_sorted(info.bounds, std::ranges::less_equal{}));
    }
}

TEST_CASE("MetricsText: a family has its help once and its samples below") {
    std::string out;
    MetricsText text(out);
    text.family("smsrack_x", MetricKind::gauge, "What x is.");
    text.sample("", std::int64_t{-3});
    text.sample(quoted_label("slot", "a\"b\\c\nd"), 1.5);
    CHECK(out ==
          "# HELP smsrack_x What x is.\n# TYPE smsrack_x gauge\nsmsrack_x -3\n"
          "smsrack_x{slot=\"a\\\"b\\\\c\\nd\"} 1.5\n");
}

TEST_CASE("MetricsText: buckets are cumulative and end with all observations") {
    Stats stats;
    stats.observe(Timing::send, 1500ms);
    stats.observe(Timing::send, 500ms);
    stats.observe(Timing::send, 200s);
    std::string out;
    MetricsText(out).all(stats);
    CHECK(out.contains("# TYPE smsrack_send_duration_seconds histogram\n"));
    CHECK(out.contains("smsrack_send_duration_seconds_bucket{le=\"1\"} 1\n"));
    CHECK(out.contains("smsrack_send_duration_seconds_bucket{le=\"2\"} 2\n"));
    CHECK(out.contains("smsrack_send_duration_seconds_bucket{le=\"120\"} 2\n"));
    CHECK(out.contains("smsrack_send_duration_seconds_bucket{le=\"+Inf\"} 3\n"));
    CHECK(out.contains("smsrack_send_duration_seconds_sum 202\n"));
    CHECK(out.contains("smsrack_db_commit_seconds_bucket{le=\"0.00025\"} 0\n"));
}
