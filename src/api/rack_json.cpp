#include "src/api/arrivals_json.hpp"

#include "src/model/arrivals.hpp"

#include <fmt/format.h>
#include <optional>

namespace smsrack::api {
namespace {

using model::ArrivalPattern;

ArrivalPattern pattern_of(const ports::Arrivals& arrivals) {
    return model::pattern_of(arrivals.dispersion, arrivals.windows, arrivals.messages);
}

}  // namespace

std::string arrival_words(const ports::Arrivals& arrivals) {
    switch (pattern_of(arrivals)) {
        case ArrivalPattern::unknown:
            return "too few messages came so far to say how evenly they come";
        case ArrivalPattern::poisson:
            return fmt::format(
                "messages come independently of each other, as M/M/c presumes (index of "
                "dispersion {:.1f})",
                arrivals.dispersion);
        case ArrivalPattern::bursts:
            return fmt::format(
                "messages come in bursts (index of dispersion {:.1f}, where M/M/c presumes 1), so "
                "M/M/c predicts waits that are too short",
                arrivals.dispersion);
        case ArrivalPattern::regular:
            return fmt::format(
                "messages come evenly (index of dispersion {:.1f}, where M/M/c presumes 1), so "
                "M/M/c predicts waits that are too long",
                arrivals.dispersion);
    }
    return {};
}

bool breaks_model(const ports::Arrivals& arrivals) {
    const ArrivalPattern pattern = pattern_of(arrivals);
    return pattern == ArrivalPattern::bursts || pattern == ArrivalPattern::regular;
}

void append_arrivals(wire::JsonWriter& json, const ports::Arrivals& arrivals) {
    const ArrivalPattern pattern = pattern_of(arrivals);
    json.key("arrivals");
    json.begin_object();
    json.member("pattern", model::arrival_names.at(static_cast<std::size_t>(pattern)));
    json.member("dispersion", pattern == ArrivalPattern::unknown
                                  ? std::nullopt
                                  : std::optional(arrivals.dispersion));
    json.member("messages", arrivals.messages);
    json.member("windows", std::uint64_t{arrivals.windows});
    json.member("window_s", std::int64_t{arrivals.window.count()});
    json.member("words", arrival_words(arrivals));
    json.end_object();
}

}  // namespace smsrack::api
