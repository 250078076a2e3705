#include "src/trigger/places.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>
#include <string>

using namespace smsrack;
using trigger::Places;

namespace {

std::string at(const Places& places, double lat, double lon) {
    const std::string* const topic = places.of_point({lat, lon});
    return topic == nullptr ? "-" : *topic;
}

std::string in(const Places& places, std::string_view cell) {
    const std::string* const topic = places.of_cell(cell);
    return topic == nullptr ? "-" : *topic;
}

std::string fault_of(std::string_view text) {
    const auto places = Places::parse(text);
    return places ? "" : places.error().context;
}

}  // namespace

TEST_CASE("places: distances on the globe are as published") {
    // Paris, Notre-Dame, to Nice, to London, and half way around.
    CHECK(trigger::distance_km({48.853, 2.3499}, {43.7102, 7.262}) ==
          doctest::Approx(686.5).epsilon(0.005));
    CHECK(trigger::distance_km({48.8566, 2.3522}, {51.5074, -0.1278}) ==
          doctest::Approx(343.6).epsilon(0.005));
    CHECK(trigger::distance_km({0, 0}, {0, 180}) == doctest::Approx(20'015.1).epsilon(0.0001));
    CHECK(trigger::distance_km({10, 179.9}, {10, -179.9}) == doctest::Approx(21.9).epsilon(0.01));
    CHECK(trigger::distance_km({48, 2}, {48, 2}) == 0);
}

TEST_CASE("places: a cell has its topic, or that of the longest begin of its id in the table") {
    const auto places = Places::parse(
        "cell,topic\n208-01-4711-33,louvre\n208-01-4711,paris\n208-01,france\n\"310-410-1-2\","
        "\"New York, Brooklyn\"\r\n");
    REQUIRE(places);
    CHECK(places->cells() == 4);
    CHECK(in(*places, "208-01-4711-33") == "louvre");
    CHECK(in(*places, "208-01-4711-34") == "paris");
    CHECK(in(*places, "208-01-47111-34") == "france");
    CHECK(in(*places, "208-01-9-9") == "france");
    CHECK(in(*places, "310-410-1-2") == "New York, Brooklyn");
    CHECK(in(*places, "310-410-1") == "-");
    CHECK(in(*places, "208") == "-");
    CHECK(in(*places, "-") == "-");
    CHECK(in(*places, "") == "-");
}

TEST_CASE("places: of the circles that cover a point the nearest centre decides") {
    const auto places = Places::parse(
        "lat,lon,km,topic\n"
        "48.8566,2.3522,12,paris\n"
        "48.8049,2.1204,3,versailles\n"   // 18 km from Paris
        "48.8606,2.3376,0.5,louvre\n"     // within Paris
        "48.8566,2.3522,400,north\n"      // covers the others, and London; same centre as paris
        "-18.1416,178.4419,300,fiji\n");  // over the line where the date changes
    REQUIRE(places);
    CHECK(places->circles() == 5);
    struct Row {
        const char* what;
        double lat;
        double lon;
        const char* topic;
    };
    for (const Row& row : {
             Row{"near a small circle within a large one", 48.861, 2.336, "louvre"},
             Row{"beyond the small one", 48.87, 2.32, "paris"},
             Row{"two with one centre: the first row", 48.8566, 2.3522, "paris"},
             Row{"covered by a far one alone", 48.7, 2.2, "north"},
             Row{"in the neighbour", 48.806, 2.12, "versailles"},
             Row{"far", 51.5074, -0.1278, "north"},
             Row{"nowhere", 40.4168, -3.7038, "-"},
             Row{"beyond 180 degrees", -18.0, -179.5, "fiji"},
             Row{"at a pole", 90, 0, "-"},
         }) {
        CAPTURE(row.what);
        CHECK(at(*places, row.lat, row.lon) == row.topic);
    }
}

TEST_CASE(
    "places: cells and circles may be in one file; each topic is listed with its first line") {
    const auto places = Places::parse(
        "\xEF\xBB\xBF"
        "cell,topic\n1-2-3-4,paris\n\nlat,lon,km,topic\n48.8566, 2.3522 "
        ",12,paris\n43.7,7.26,9,nice\n");
    REQUIRE(places);
    CHECK(in(*places, "1-2-3-4") == "paris");
    CHECK(at(*places, 43.7, 7.26) == "nice");
    REQUIRE(places->topics().size() == 2);
    CHECK(places->topics()[0].name == "paris");
    CHECK(places->topics()[0].line == 2);
    CHECK(places->topics()[1].line == 6);
}

TEST_CASE("places: the index by latitude finds what a look at every circle finds") {
    std::string text;
    for (int i = 0; i < 500; ++i) {
        text += fmt::format("{},{},{},t{}\n", (i * 37 % 170) - 85, (i * 91 % 358) - 179,
                            i % 7 == 0 ? 900 : 200, i);
    }
    const auto all = Places::parse(text);
    REQUIRE(all);
    int found = 0;
    for (double lat = -89.5; lat < 90; lat += 7.3) {
        for (double lon = -179; lon < 180; lon += 11.7) {
            const std::string* nearest = nullptr;
            double least = 0;
            for (int i = 0; i < 500; ++i) {
                const double km = trigger::distance_km({static_cast<double>((i * 37 % 170) - 85),
                                                        static_cast<double>((i * 91 % 358) - 179)},
                                                       {lat, lon});
                if (km <= (i % 7 == 0 ? 900 : 200) && (nearest == nullptr || km < least)) {
                    nearest = &all->topics()[static_cast<std::size_t>(i)].name;
                    least = km;
                }
            }
            CAPTURE(lat);
            CAPTURE(lon);
            CHECK(at(*all, lat, lon) == (nearest == nullptr ? "-" : *nearest));
            found += nearest != nullptr ? 1 : 0;
        }
    }
    CHECK(found > 100);
}

TEST_CASE("places: what is wrong is named with its line") {
    struct Row {
        const char* what;
        std::string text;
        std::string fault;
    };
    for (const Row& row : {
             Row{"nothing", "", "line 1: no place in the file"},
             Row{"a heading alone", "cell,topic\n", "line 1: no place in the file"},
             Row{"one field", "cell,topic\nparis\n",
                 "line 2: 1 fields: a row is \"cell,topic\" or \"lat,lon,km,topic\", with a point "
                 "in numbers such as 48.8566"},
             Row{"decimal commas", "48,8566,2,3522,12,paris\n",
                 "line 1: 6 fields: a row is \"cell,topic\" or \"lat,lon,km,topic\", with a point "
                 "in numbers such as 48.8566"},
             Row{"semicolons", "48.8566;2.3522;12;paris\n",
                 "line 1: fields are parted by semicolons: save the file with commas"},
             Row{"a cell with a blank", "208 01,paris\n",
                 "line 1: the cell is not 1 to 64 of letters, digits, \"_\", \"-\", \".\" and "
                 "\":\", such as 208-01-4711-33"},
             Row{"a cell twice", "a-1,paris\nb,x\na-1,nice\n",
                 "line 3: the cell is on an earlier line too"},
             Row{"no topic", "a-1,\n", "line 1: the topic is not 1 to 255 octets"},
             Row{"beyond the pole", "90.5,0,1,x\n", "line 1: lat is not a number from -90 to 90"},
             Row{"no number", "1,x,1,x\n", "line 1: lon is not a number from -180 to 180"},
             Row{"not a number", "1,nan,1,x\n", "line 1: lon is not a number from -180 to 180"},
             Row{"no radius", "1,1,0,x\n", "line 1: km is not a number from 0.001 to 20100"},
             Row{"not UTF-8", "a,\xC3\n", "line 1: not UTF-8: save the file as \"CSV UTF-8\""},
         }) {
        CAPTURE(row.what);
        CHECK(fault_of(row.text) == row.fault);
    }
    std::string many;
    for (std::size_t i = 0; i <= Places::circles_max; ++i) {
        many += "1,1,1,x\n";
    }
    CHECK(fault_of(many) == "line 10001: more than 10000 circles");
}
