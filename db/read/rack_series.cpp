#include "db/read/rack_series.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace smsrack::db {
namespace {

/// Minute and span; an hour's row is older than its minutes. Rows come by span and not by time, so
/// the last value of a step is the one with the latest place.
using Place = std::tuple<std::int64_t, int>;

struct LastPlaces {
    Place waiting = {-1, 0};
    Place signal = {-1, 0};
};

struct Collected {
    std::vector<ports::HistoryPoint> points;
    std::vector<LastPlaces> last;
};

template <typename T>
void take_last(std::optional<T>& last, Place& at, const std::optional<T>& value, Place place) {
    if (value && place >= at) {
        last = value;
        at = place;
    }
}

}  // namespace

std::vector<ports::HistorySeries> read_history(Connection& db,
                                               const ports::HistoryQuestion& question) {
    const auto steps = static_cast<std::size_t>((question.to - question.from) / question.step);
    std::map<std::string, Collected, std::less<>> lines;
    const auto series_of = [&](const std::string& line) -> Collected& {
        return lines
            .try_emplace(line, std::vector<ports::HistoryPoint>(steps),
                         std::vector<LastPlaces>(steps))
            .first->second;
    };
    (void)series_of("");
    Rows rows = db.query(
        "SELECT span, at, line, sent, failed, received, waiting, signal FROM history WHERE span IN "
        "(0, 1) AND at >= ?1 AND at < ?2 AND (?3 = '' OR line IN ('', ?3))",
        question.from, question.to, std::string_view(question.only));
    while (rows.next() && lines.size() <= question.series_max) {
        int span = 0;
        std::int64_t at = 0;
        std::string line;
        ports::HistoryPoint row;
        rows.read(span, at, line, row.sent, row.failed, row.received, row.waiting, row.signal);
        const auto step = static_cast<std::size_t>((at - question.from) / question.step);
        Collected& series = series_of(line);
        ports::HistoryPoint& point = series.points.at(step);
        LastPlaces& last = series.last.at(step);
        point.sent += row.sent;
        point.failed += row.failed;
        point.received += row.received;
        take_last(point.waiting, last.waiting, row.waiting, {at, span});
        take_last(point.signal, last.signal, row.signal, {at, span});
    }
    std::vector<ports::HistorySeries> all;
    for (auto& [line, series] : lines) {
        all.push_back({.line = line, .points = std::move(series.points)});
    }
    return all;
}

}  // namespace smsrack::db
