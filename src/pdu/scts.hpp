/// Time stamps of seven octets: TP-SCTS, TP-DT and the absolute TP-VP.
///
/// Unit:    seconds, with a zone in quarters of an hour; years 90 to 99 are 1990 to 1999, all
///          others 20xx.
/// Source:  3GPP TS 23.040 9.2.3.11.
#pragma once

#include "src/base/clock.hpp"
#include "src/pdu/alphabet/short_text.hpp"
#include "src/pdu/reader.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace smsrack::pdu {

/// A real date and time of day, where it was written.
struct CivilTime {
    int year = 1990;  ///< 1990..2089
    std::uint8_t month = 1;
    std::uint8_t day = 1;
    std::uint8_t hour = 0;
    std::uint8_t minute = 0;
    std::uint8_t second = 0;
    std::int8_t quarters = 0;  ///< east of Greenwich, -79..79

    [[nodiscard]] WallTime wall() const;
    /// "2024-06-05T12:07:45+02:00"
    [[nodiscard]] ShortText<25> rfc3339() const;
};

struct Timestamp {
    std::array<std::uint8_t, 7> raw = {};
    std::optional<CivilTime> time = {};  ///< nothing when the octets are no real time
};

inline constexpr std::size_t timestamp_octets = 7;

/// What seven octets say.
[[nodiscard]] Timestamp timestamp_of(Octets seven);

/// Errors: truncated.
[[nodiscard]] Timestamp read_timestamp(Reader& reader, std::string_view field);

/// The seven octets.
[[nodiscard]] std::array<std::uint8_t, timestamp_octets> make_timestamp(const CivilTime& time);

/// Reads "YYYY-MM-DDThh:mm:ss" and "Z", "+hh:mm" or "-hh:mm"; nothing when it is not that, not a
/// real time, or beyond what a time stamp can hold (1990 to 2089, quarters of an hour, at most
/// 19:45).
[[nodiscard]] std::optional<CivilTime> parse_civil_time(std::string_view text);

}  // namespace smsrack::pdu
