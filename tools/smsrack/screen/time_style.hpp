/// Prints times for people: UTC, or with --local the time of this computer (its /etc/localtime, or
/// TZ).
///
/// Time:    of the API: RFC 3339, UTC. What is no such time stays as it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace smsrack::cli {

enum class Zone : std::uint8_t { utc, local };

class TimeStyle {
public:
    explicit TimeStyle(Zone zone = Zone::utc) : zone_(zone) {}

    /// "2026-11-21T02:31:21.123Z" -> "2026-11-21 02:31:21".
    [[nodiscard]] std::string to_seconds(std::string_view time) const;
    /// The same with milliseconds: they say what came first.
    [[nodiscard]] std::string to_milliseconds(std::string_view time) const;
    /// The time of the day alone: "02:31:21".
    [[nodiscard]] std::string of_day(std::string_view time) const;
    /// A sentence of the service. By UTC it stays; else each time in it is made local.
    [[nodiscard]] std::string in_sentence(std::string_view sentence) const;
    /// "CREATED" -> "CREATED (UTC)", "CREATED (LOCAL)".
    [[nodiscard]] std::string heading(std::string_view word) const;
    /// "UTC", "local time".
    [[nodiscard]] std::string_view name() const;

private:
    [[nodiscard]] std::string shown(std::string_view time, std::size_t octets) const;

    Zone zone_;
};

}  // namespace smsrack::cli
