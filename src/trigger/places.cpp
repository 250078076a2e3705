#include "src/trigger/places.hpp"

#include "src/base/label.hpp"
#include "src/trigger/csv.hpp"
#include "src/trigger/topics.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <optional>
#include <utility>

namespace smsrack::trigger {
namespace {

constexpr double earth_km = 6'371.0088;                          // mean radius (IUGG)
constexpr double degree_km = earth_km * std::numbers::pi / 180;  // of latitude
constexpr std::size_t cell_fields = 2;
constexpr std::size_t circle_fields = 4;

double radians(double degrees) {
    return degrees * std::numbers::pi / 180;
}

bool is_heading(const std::vector<std::string>& fields) {
    return fields == std::vector<std::string>{"cell", "topic"} ||
           fields == std::vector<std::string>{"lat", "lon", "km", "topic"};
}

std::string_view without_blanks(std::string_view text) {
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string_view::npos
               ? std::string_view()
               : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::optional<double> number_in(std::string_view text, double least, double most) {
    double value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = fault == std::errc() && end == text.data() + text.size();
    return whole && value >= least && value <= most ? std::optional(value) : std::nullopt;
}

Result<double> number_of(const CsvRecord& record, std::size_t field, std::string_view name,
                         double least, double most) {
    const auto value = number_in(without_blanks(record.fields[field]), least, most);
    if (!value) {
        return csv_fault(record.line,
                         fmt::format("{} is not a number from {} to {}", name, least, most));
    }
    return *value;
}

}  // namespace

Result<MapPoint> map_point(std::string_view lat, std::string_view lon) {
    const auto north = number_in(lat, -90, 90);
    if (!north) {
        return fail(Errc::bad_request, "lat: not a number from -90 to 90");
    }
    const auto east = number_in(lon, -180, 180);
    if (!east) {
        return fail(Errc::bad_request, "lon: not a number from -180 to 180");
    }
    return MapPoint{*north, *east};
}

/// Haversine formula: exact also for points that are near each other.
double distance_km(const MapPoint& a, const MapPoint& b) {
    const double lat = std::sin(radians(b.lat - a.lat) / 2);
    const double lon = std::sin(radians(b.lon - a.lon) / 2);
    const double h = lat * lat + std::cos(radians(a.lat)) * std::cos(radians(b.lat)) * lon * lon;
    return 2 * earth_km * std::asin(std::min(1.0, std::sqrt(h)));
}

class Places::Reader {
public:
    Result<Places> read(std::string_view text) {
        auto read = read_csv(text, [this](const CsvRecord& record) { return take(record); });
        if (!read) {
            return std::unexpected(std::move(read.error()));
        }
        if (places_.cells_.empty() && places_.circles_.empty()) {
            return csv_fault(1, "no place in the file");
        }
        std::ranges::stable_sort(places_.circles_, {},
                                 [](const Circle& circle) { return circle.centre.lat; });
        return std::move(places_);
    }

private:
    Result<> take(const CsvRecord& record) {
        if (is_heading(record.fields)) {
            return {};
        }
        if (record.fields.size() == 1 && record.fields[0].contains(';')) {
            return csv_fault(record.line,
                             "fields are parted by semicolons: save the file with commas");
        }
        if (record.fields.size() == cell_fields) {
            return take_cell(record);
        }
        if (record.fields.size() == circle_fields) {
            return take_circle(record);
        }
        return csv_fault(record.line,
                         fmt::format("{} fields: a row is \"cell,topic\" or \"lat,lon,km,topic\", "
                                     "with a point in numbers such as 48.8566",
                                     record.fields.size()));
    }

    Result<> take_cell(const CsvRecord& record) {
        const std::string& cell = record.fields[0];
        if (!is_label(cell)) {
            return csv_fault(record.line,
                             "the cell is not 1 to 64 of letters, digits, \"_\", \"-\", \".\" and "
                             "\":\", such as 208-01-4711-33");
        }
        const auto topic = topic_of(record);
        if (!topic) {
            return std::unexpected(topic.error());
        }
        if (places_.cells_.size() == cells_max) {
            return csv_fault(record.line, fmt::format("more than {} cells", cells_max));
        }
        if (!places_.cells_.emplace(cell, *topic).second) {
            return csv_fault(record.line, "the cell is on an earlier line too");
        }
        return {};
    }

    Result<> take_circle(const CsvRecord& record) {
        constexpr double km_least = 0.001;
        const auto lat = number_of(record, 0, "lat", -90, 90);
        const auto lon = number_of(record, 1, "lon", -180, 180);
        const auto km = number_of(record, 2, "km", km_least, km_max);
        for (const auto* const number : {&lat, &lon, &km}) {
            if (!*number) {
                return std::unexpected(number->error());
            }
        }
        const auto topic = topic_of(record);
        if (!topic) {
            return std::unexpected(topic.error());
        }
        if (places_.circles_.size() == circles_max) {
            return csv_fault(record.line, fmt::format("more than {} circles", circles_max));
        }
        places_.circles_.push_back(
            {.centre = {*lat, *lon}, .km = *km, .line = record.line, .topic = *topic});
        places_.km_most_ = std::max(places_.km_most_, *km);
        return {};
    }

    Result<std::uint32_t> topic_of(const CsvRecord& record) {
        const std::string& name = record.fields.back();
        if (name.empty() || name.size() > topic_octets_max) {
            return csv_fault(record.line, "the topic is not 1 to 255 octets");
        }
        const auto [at, fresh] =
            by_name_.emplace(name, static_cast<std::uint32_t>(places_.topics_.size()));
        if (fresh) {
            places_.topics_.push_back({.name = name, .line = record.line});
        }
        return at->second;
    }

    Places places_ = {};
    std::unordered_map<std::string, std::uint32_t> by_name_ = {};
};

Result<Places> Places::parse(std::string_view text) {
    return Reader().read(text);
}

const std::string* Places::of_cell(std::string_view cell) const {
    while (!cell.empty()) {
        if (const auto known = cells_.find(cell); known != cells_.end()) {
            return &topics_[known->second].name;
        }
        const std::size_t dash = cell.rfind('-');
        cell = cell.substr(0, dash == std::string_view::npos ? 0 : dash);
    }
    return nullptr;
}

const std::string* Places::of_point(const MapPoint& point) const {
    const double band = km_most_ / degree_km + 1e-9;  // no circle covers more of a meridian
    auto at = std::ranges::lower_bound(circles_, point.lat - band, {},
                                       [](const Circle& circle) { return circle.centre.lat; });
    const Circle* nearest = nullptr;
    double least = 0;
    for (; at != circles_.end() && at->centre.lat <= point.lat + band; ++at) {
        if (std::abs(at->centre.lat - point.lat) * degree_km > at->km + 1e-6) {
            continue;
        }
        const double km = distance_km(at->centre, point);
        const bool nearer =
            nearest == nullptr || km < least || (km == least && at->line < nearest->line);
        if (km <= at->km && nearer) {
            nearest = &*at;
            least = km;
        }
    }
    return nearest == nullptr ? nullptr : &topics_[nearest->topic].name;
}

}  // namespace smsrack::trigger
