/// Writes the Prometheus text format, version 0.0.4.
///
/// Unit:    base units: seconds, octets.
/// Source:  Prometheus documentation, "Exposition formats".
#pragma once

#include "src/stats/stats.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::stats {

enum class MetricKind : std::uint8_t { counter, gauge, histogram };

/// `name="value"` with the value escaped as the format wants it.
[[nodiscard]] std::string quoted_label(std::string_view name, std::string_view value);

class MetricsText {
public:
    /// Appends to `out`, which outlives the writer.
    explicit MetricsText(std::string& out) : out_(out) {}

    /// Begins a family; its samples follow.
    void family(std::string_view name, MetricKind kind, std::string_view help);

    /// `labels` as `slot="m0",state="active"`, or empty; values of labels go through quoted_label.
    void sample(std::string_view labels, double value);
    void sample(std::string_view labels, std::integral auto value) {
        sample_text("", labels, fmt::to_string(+value));
    }
    /// None where there is no value.
    template <typename T>
    void sample(std::string_view labels, const std::optional<T>& value) {
        if (value) {
            sample(labels, *value);
        }
    }

    void gauge(std::string_view name, std::string_view help) {
        family(name, MetricKind::gauge, help);
    }
    /// A gauge of one sample.
    template <typename T>
    void gauge(std::string_view name, std::string_view help, T value) {
        gauge(name, help);
        sample("", value);
    }

    /// Of the family that was begun last: `value(row)` of each row, labelled by the row's name.
    template <typename Rows, typename Value>
    void each(std::string_view label, const Rows& rows, Value value) {
        for (const auto& row : rows) {
            sample(quoted_label(label, row.name), value(row));
        }
    }
    /// The same for each of `names`, which are a second label: `value(row, i)`.
    template <typename Rows, typename Names, typename Value>
    void each(std::string_view label, const Rows& rows, std::string_view second, const Names& names,
              Value value) {
        for (const auto& row : rows) {
            for (std::size_t i = 0; i < names.size(); ++i) {
                sample(quoted_label(label, row.name) + "," + quoted_label(second, names.at(i)),
                       value(row, i));
            }
        }
    }

    void histogram(const TimingInfo& info, const Histogram& histogram);

    /// A histogram of the family that was begun last, with labels: its buckets in order, each with
    /// those before it, and then their end.
    void bucket(std::string_view labels, double bound, std::uint64_t up_to);
    void histogram_end(std::string_view labels, double sum, std::uint64_t total);

    /// All counters and histograms.
    void all(const Stats& stats);

private:
    void sample_text(std::string_view suffix, std::string_view labels, std::string_view value);

    std::string& out_;
    std::string name_;
};

}  // namespace smsrack::stats
