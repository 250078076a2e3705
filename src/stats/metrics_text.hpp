/// Writes the Prometheus text format, version 0.0.4.
///
/// Unit:    base units: seconds, octets.
/// Source:  Prometheus documentation, "Exposition formats".
#pragma once

#include "src/stats/stats.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace smsrack::stats {

enum class MetricKind : std::uint8_t { counter, gauge, histogram };

class MetricsText {
public:
    /// Appends to `out`, which outlives the writer.
    explicit MetricsText(std::string& out) : out_(out) {}

    /// Begins a family; its samples follow.
    void family(std::string_view name, MetricKind kind, std::string_view help);

    /// `labels` as `slot="m0",state="active"`, or empty; values of labels go through quoted_label.
    void sample(std::string_view labels, double value);
    void sample(std::string_view labels, std::int64_t value);
    void sample(std::string_view labels, std::uint64_t value);

    void histogram(const TimingInfo& info, const Histogram& histogram);

    /// All counters and histograms.
    void all(const Stats& stats);

private:
    void sample_text(std::string_view suffix, std::string_view labels, std::string_view value);

    std::string& out_;
    std::string name_;
};

/// `name="value"` with the value escaped as the format wants it.
[[nodiscard]] std::string quoted_label(std::string_view name, std::string_view value);

}  // namespace smsrack::stats
