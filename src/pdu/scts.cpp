#include "src/pdu/scts.hpp"

#include "src/pdu/semi_octet.hpp"

#include <algorithm>
#include <chrono>

namespace smsrack::pdu {
namespace {

constexpr std::uint8_t minus_bit = 0x08;  // in the first semi-octet of the zone
constexpr int first_year = 1990;          // the century turns here
constexpr int quarters_max = 79;

bool is_real(const CivilTime& time) {
    const std::chrono::year_month_day date{
        std::chrono::year{time.year}, std::chrono::month{time.month}, std::chrono::day{time.day}};
    return date.ok() && time.hour < 24 && time.minute < 60 && time.second < 60;
}

/// The zone, or nothing when its second semi-octet is above 9; the first one loses its sign.
std::optional<std::int8_t> quarters_of(std::uint8_t octet) {
    const auto number = decimal_of(octet & static_cast<std::uint8_t>(~minus_bit));
    if (!number) {
        return std::nullopt;
    }
    return static_cast<std::int8_t>((octet & minus_bit) != 0 ? -*number : *number);
}

std::optional<CivilTime> civil_time_of(const std::array<std::uint8_t, 7>& raw) {
    std::array<std::uint8_t, 6> part{};
    for (std::size_t i = 0; i < part.size(); ++i) {
        const auto number = decimal_of(raw[i]);
        if (!number) {
            return std::nullopt;
        }
        part[i] = *number;
    }
    const auto quarters = quarters_of(raw[6]);
    if (!quarters) {
        return std::nullopt;
    }
    const CivilTime time{.year = part[0] + (part[0] >= first_year % 100 ? 1900 : 2000),
                         .month = part[1],
                         .day = part[2],
                         .hour = part[3],
                         .minute = part[4],
                         .second = part[5],
                         .quarters = *quarters};
    return is_real(time) ? std::optional(time) : std::nullopt;
}

template <std::size_t N>
void put_two(ShortText<N>& out, unsigned number) {
    out.push_back(static_cast<char>('0' + number / 10));
    out.push_back(static_cast<char>('0' + number % 10));
}

/// Reads decimal digits in a fixed place; -1 when one is none.
int number_at(std::string_view text, std::size_t at, std::size_t digits) {
    int number = 0;
    for (const char digit : text.substr(at, digits)) {
        if (digit < '0' || digit > '9') {
            return -1;
        }
        number = number * 10 + (digit - '0');
    }
    return number;
}

/// "Z", "+hh:mm", "-hh:mm"
std::optional<std::int8_t> parse_zone(std::string_view zone) {
    if (zone == "Z") {
        return 0;
    }
    if (zone.size() != 6 || (zone[0] != '+' && zone[0] != '-') || zone[3] != ':') {
        return std::nullopt;
    }
    const int hours = number_at(zone, 1, 2);
    const int minutes = number_at(zone, 4, 2);
    const int quarters = hours * 4 + minutes / 15;
    if (hours < 0 || minutes < 0 || minutes > 59 || minutes % 15 != 0 || quarters > quarters_max) {
        return std::nullopt;
    }
    return static_cast<std::int8_t>(zone[0] == '-' ? -quarters : quarters);
}

/// -1 (no number) must not become a valid small one.
std::uint8_t narrow(int number) {
    return number < 0 ? std::uint8_t{0xFF} : static_cast<std::uint8_t>(number);
}

}  // namespace

WallTime CivilTime::wall() const {
    using namespace std::chrono;
    const sys_days date =
        std::chrono::year{year} / std::chrono::month{month} / std::chrono::day{day};
    return WallTime{date} + hours{hour} + minutes{minute} + seconds{second} -
           minutes{15 * quarters};
}

ShortText<25> CivilTime::rfc3339() const {
    ShortText<25> text;
    put_two(text, static_cast<unsigned>(year) / 100);
    put_two(text, static_cast<unsigned>(year) % 100);
    text.push_back('-');
    put_two(text, month);
    text.push_back('-');
    put_two(text, day);
    text.push_back('T');
    put_two(text, hour);
    text.push_back(':');
    put_two(text, minute);
    text.push_back(':');
    put_two(text, second);
    text.push_back(quarters < 0 ? '-' : '+');
    const auto distance = static_cast<unsigned>(quarters < 0 ? -quarters : quarters);
    put_two(text, distance / 4);
    text.push_back(':');
    put_two(text, distance % 4 * 15);
    return text;
}

Timestamp timestamp_of(Octets seven) {
    Timestamp stamp;
    std::ranges::copy(seven, stamp.raw.begin());
    stamp.time = civil_time_of(stamp.raw);
    return stamp;
}

Timestamp read_timestamp(Reader& reader, std::string_view field) {
    const Octets seven = reader.octets(timestamp_octets, field);
    return reader.failed() ? Timestamp{} : timestamp_of(seven);
}

std::array<std::uint8_t, timestamp_octets> make_timestamp(const CivilTime& time) {
    const auto distance = static_cast<unsigned>(time.quarters < 0 ? -time.quarters : time.quarters);
    std::uint8_t zone = decimal_octet(distance);
    if (time.quarters < 0) {
        zone |= minus_bit;
    }
    return {decimal_octet(static_cast<unsigned>(time.year) % 100),
            decimal_octet(time.month),
            decimal_octet(time.day),
            decimal_octet(time.hour),
            decimal_octet(time.minute),
            decimal_octet(time.second),
            zone};
}

std::optional<CivilTime> parse_civil_time(std::string_view text) {
    constexpr std::string_view form = "YYYY-MM-DDThh:mm:ss";
    if (text.size() <= form.size()) {
        return std::nullopt;
    }
    for (const std::size_t at : {4U, 7U, 10U, 13U, 16U}) {
        if (text[at] != form[at]) {
            return std::nullopt;
        }
    }
    const auto quarters = parse_zone(text.substr(form.size()));
    const CivilTime time{.year = number_at(text, 0, 4),
                         .month = narrow(number_at(text, 5, 2)),
                         .day = narrow(number_at(text, 8, 2)),
                         .hour = narrow(number_at(text, 11, 2)),
                         .minute = narrow(number_at(text, 14, 2)),
                         .second = narrow(number_at(text, 17, 2)),
                         .quarters = quarters.value_or(0)};
    const bool in_range = time.year >= first_year && time.year < first_year + 100;
    return quarters && in_range && is_real(time) ? std::optional(time) : std::nullopt;
}

}  // namespace smsrack::pdu
