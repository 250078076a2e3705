/// Maps a place to its topic: a table of cells, and of circles on the map, read from a CSV file.
///
/// A row of two fields is a cell and its topic ("208-01-4711-33,paris"). The cell may be the begin
/// of an id that ends before a "-" ("208-01-4711"): then it matches all cells that begin so, and
/// the longest one that matches decides. A row of four fields is a circle: latitude and longitude
/// of its centre in degrees (WGS 84, south and west negative), radius in kilometres, and its topic
/// ("48.8566,2.3522,12,paris"). Of the circles that cover a point the one with the nearest centre
/// decides; of two as near the first row. The headings "cell,topic" and "lat,lon,km,topic" may
/// stand anywhere. Quoting as in RFC 4180.
/// Bound:   cells_max and circles_max rows; one lookup of a point looks at the circles of about its latitude.
/// Errors:  bad_config, with the line.
/// Threads: const members any.
#pragma once

#include "src/base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace smsrack::trigger {

/// In degrees.
struct MapPoint {
    double lat = 0;  ///< -90 to 90
    double lon = 0;  ///< -180 to 180
};

/// Of two numbers as texts, such as "48.8566" and "2.3522". bad_request: "lat: ..." or "lon: ...".
[[nodiscard]] Result<MapPoint> map_point(std::string_view lat, std::string_view lon);

/// Along the surface; the earth as a ball.
[[nodiscard]] double distance_km(const MapPoint& a, const MapPoint& b);

class Places {
public:
    static constexpr std::size_t cells_max = 200'000;  ///< some 30 MB
    static constexpr std::size_t circles_max = 10'000;
    static constexpr double km_max = 20'100;  ///< half way around the earth

    /// `text`: of the whole file, UTF-8; a byte order mark is passed by.
    [[nodiscard]] static Result<Places> parse(std::string_view text);

    /// Null: the table does not know it. Valid as long as the table, even if that is moved.
    [[nodiscard]] const std::string* of_cell(std::string_view cell) const;
    [[nodiscard]] const std::string* of_point(const MapPoint& point) const;

    struct Topic {
        std::string name = {};
        std::size_t line = 0;  ///< where it is first
    };
    /// Each once, in order of the file.
    [[nodiscard]] const std::vector<Topic>& topics() const { return topics_; }
    [[nodiscard]] std::size_t cells() const { return cells_.size(); }
    [[nodiscard]] std::size_t circles() const { return circles_.size(); }

private:
    struct Circle {
        MapPoint centre = {};
        double km = 0;
        std::size_t line = 0;
        std::uint32_t topic = 0;
    };
    struct CellHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view cell) const {
            return std::hash<std::string_view>()(cell);
        }
    };
    class Reader;

    std::vector<Topic> topics_ = {};
    std::unordered_map<std::string, std::uint32_t, CellHash, std::equal_to<>> cells_ = {};
    std::vector<Circle> circles_ = {};  // by latitude
    double km_most_ = 0;                // of the largest circle
};

}  // namespace smsrack::trigger
