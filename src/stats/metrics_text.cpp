#include "src/stats/metrics_text.hpp"

#include <array>
#include <chrono>
#include <cmath>
#include <iterator>

namespace smsrack::stats {
namespace {

/// In the order of MetricKind.
constexpr std::array<std::string_view, 3> kind_names{"counter", "gauge", "histogram"};

std::string number_text(double value) {
    if (std::isnan(value)) {
        return "NaN";
    }
    if (std::isinf(value)) {
        return value > 0 ? "+Inf" : "-Inf";
    }
    return fmt::format("{}", value);
}

double in_seconds(std::chrono::nanoseconds time) {
    return std::chrono::duration<double>(time).count();
}

}  // namespace

void MetricsText::family(std::string_view name, MetricKind kind, std::string_view help) {
    name_ = name;
    fmt::format_to(std::back_inserter(out_), "# HELP {} {}\n# TYPE {} {}\n", name, help, name,
                   kind_names.at(static_cast<std::size_t>(kind)));
}

void MetricsText::sample(std::string_view labels, double value) {
    sample_text("", labels, number_text(value));
}

void MetricsText::histogram(const TimingInfo& info, const Histogram& histogram) {
    family(info.name, MetricKind::histogram, info.help);
    const Histogram::Snapshot now = histogram.snapshot();
    std::uint64_t up_to = 0;
    for (std::size_t i = 0; i < bucket_count; ++i) {
        up_to += now.counts[i];
        sample_text("_bucket", quoted_label("le", number_text(in_seconds(info.bounds[i]))),
                    fmt::to_string(up_to));
    }
    sample_text("_bucket", quoted_label("le", "+Inf"), fmt::to_string(now.total));
    sample_text("_sum", "", number_text(in_seconds(now.sum)));
    sample_text("_count", "", fmt::to_string(now.total));
}

void MetricsText::bucket(std::string_view labels, double bound, std::uint64_t up_to) {
    sample_text("_bucket", std::string(labels) + "," + quoted_label("le", number_text(bound)),
                fmt::to_string(up_to));
}

void MetricsText::histogram_end(std::string_view labels, double sum, std::uint64_t total) {
    sample_text("_bucket", std::string(labels) + "," + quoted_label("le", "+Inf"),
                fmt::to_string(total));
    sample_text("_sum", labels, number_text(sum));
    sample_text("_count", labels, fmt::to_string(total));
}

void MetricsText::all(const Stats& stats) {
    std::string_view family_name;
    for (const CounterInfo& info : counter_table) {
        if (info.name != family_name) {
            family_name = info.name;
            family(info.name, MetricKind::counter, info.help);
        }
        sample(info.labels, stats.value(info.counter));
    }
    for (const TimingInfo& info : timing_table()) {
        histogram(info, stats.histogram(info.timing));
    }
}

void MetricsText::sample_text(std::string_view suffix, std::string_view labels,
                              std::string_view value) {
    out_ += name_;
    out_ += suffix;
    if (!labels.empty()) {
        out_ += '{';
        out_ += labels;
        out_ += '}';
    }
    out_ += ' ';
    out_ += value;
    out_ += '\n';
}

std::string quoted_label(std::string_view name, std::string_view value) {
    std::string result(name);
    result += "=\"";
    for (const char c : value) {
        if (c == '\\' || c == '"') {
            result += '\\';
            result += c;
        } else if (c == '\n') {
            result += "\\n";
        } else {
            result += c;
        }
    }
    result += '"';
    return result;
}

}  // namespace smsrack::stats
