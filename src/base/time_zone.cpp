#include "src/base/time_zone.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace smsrack {

using std::chrono::seconds;

namespace {

// RFC 8536 3.2; start_of() relies on them.
constexpr seconds offset_max_west{89'999};
constexpr seconds offset_max_east{93'599};

}  // namespace

/// A place in the octets; reading beyond the end gives zeros and makes it bad.
class TimeZone::File {
public:
    explicit File(std::string_view octets) : left_(octets) {}

    [[nodiscard]] bool good() const { return good_; }
    [[nodiscard]] std::string_view rest() const { return left_; }

    std::string_view take(std::size_t count) {
        if (count > left_.size()) {
            good_ = false;
            left_ = {};
            return {};
        }
        const std::string_view taken = left_.substr(0, count);
        left_.remove_prefix(count);
        return taken;
    }

    /// Big endian, two's complement.
    std::int64_t number(std::size_t octets) {
        std::uint64_t value = 0;
        const std::string_view taken = take(octets);
        if (!taken.empty() && (static_cast<unsigned char>(taken.front()) & 0x80U) != 0) {
            value = ~std::uint64_t{0};
        }
        for (const char c : taken) {
            value = value << 8U | static_cast<unsigned char>(c);
        }
        return static_cast<std::int64_t>(value);
    }

    struct Head {
        char version = 0;
        std::size_t universal = 0;  // the counts in the order of the file
        std::size_t standard = 0;
        std::size_t leaps = 0;
        std::size_t times = 0;
        std::size_t types = 0;
        std::size_t letters = 0;

        [[nodiscard]] std::size_t body(std::size_t time_octets) const {
            return times * (time_octets + 1) + types * 6 + letters + leaps * (time_octets + 4) +
                   standard + universal;
        }
    };

    Head head() {
        constexpr std::size_t reserved = 15;
        constexpr std::int64_t count_max = 100'000;  // the largest zones have some hundred
        Head head;
        good_ = take(4) == "TZif" && good_;
        const std::string_view version = take(1);
        head.version = version.empty() ? '\0' : version.front();
        take(reserved);
        for (std::size_t* count : {&head.universal, &head.standard, &head.leaps, &head.times,
                                   &head.types, &head.letters}) {
            const std::int64_t value = number(4);
            good_ = good_ && value >= 0 && value <= count_max;
            *count = good_ ? static_cast<std::size_t>(value) : 0;
        }
        return head;
    }

private:
    std::string_view left_;
    bool good_ = true;
};

Result<TimeZone> TimeZone::parse(std::string_view octets) {
    const auto bad = [](const char* why) {
        return smsrack::fail(Errc::protocol, std::string("time zone: ") + why);
    };
    File file(octets);
    const File::Head old_head = file.head();
    if (!file.good() || old_head.version < '2') {
        return bad("not a TZif file of version 2 or later");
    }
    file.take(old_head.body(4));
    const File::Head head = file.head();
    if (!file.good() || head.types == 0 || head.leaps != 0) {
        return bad("no types, or a scale with leap seconds");
    }
    std::vector<seconds> times(head.times);
    std::ranges::generate(times, [&] { return seconds(file.number(8)); });
    const std::string_view type_of = file.take(head.times);
    std::vector<seconds> offsets(head.types);
    for (seconds& offset : offsets) {
        offset = seconds(file.number(4));
        if (offset < -offset_max_west || offset > offset_max_east) {
            return bad("an offset of more than a day");
        }
        file.take(2);  // summer time or not, name
    }
    file.take(head.letters + head.standard + head.universal);
    std::string_view footer = file.rest();
    if (!file.good() || footer.size() < 2 || footer.front() != '\n' || footer.back() != '\n') {
        return bad("cut short");
    }
    footer = footer.substr(1, footer.size() - 2);
    TimeZone zone;
    zone.first_ = offsets.front();
    for (std::size_t i = 0; i < times.size(); ++i) {
        const auto type = static_cast<unsigned char>(type_of[i]);
        if (type >= offsets.size() || (i > 0 && times[i] <= times[i - 1])) {
            return bad("its transitions are not in order");
        }
        zone.transitions_.push_back({std::chrono::sys_seconds(times[i]), offsets[type]});
    }
    if (!footer.empty()) {
        zone.after_ = PosixZone::parse(footer);
        if (!zone.after_) {
            return bad("the rule for later years is not understood");
        }
    }
    return zone;
}

seconds TimeZone::offset_at(WallTime time) const {
    const auto second = std::chrono::floor<seconds>(time);
    const auto after = std::ranges::upper_bound(transitions_, second, {}, &Transition::at);
    if (after == transitions_.end() && after_) {
        return after_->offset_at(second);
    }
    return after == transitions_.begin() ? first_ : std::prev(after)->offset;
}

std::chrono::local_days TimeZone::date_of(WallTime time) const {
    const auto local = time + offset_at(time);
    return std::chrono::floor<std::chrono::days>(
        std::chrono::local_time<std::chrono::milliseconds>(local.time_since_epoch()));
}

/// The first instant of the date: halving, since no offset need hold at midnight.
WallTime TimeZone::start_of(std::chrono::local_days date) const {
    using namespace std::chrono_literals;
    constexpr auto farthest = 26h;  // zones reach from -12 to +14, historic ones a little farther
    const WallTime midnight(date.time_since_epoch());
    WallTime before = midnight - farthest;
    WallTime at = midnight + farthest;
    while (at - before > 1ms) {
        const WallTime middle = before + (at - before) / 2;
        (date_of(middle) < date ? before : at) = middle;
    }
    return at;
}

CalendarSpan TimeZone::span_of(WallTime time) const {
    using namespace std::chrono;
    constexpr int months_a_year = 12;
    const local_days date = date_of(time);
    const year_month_day calendar(date);
    const auto month = calendar.year() / calendar.month();
    return {.day = date.time_since_epoch().count(),
            .month = std::int64_t{int(calendar.year())} * months_a_year +
                     static_cast<int>(unsigned(calendar.month())) - 1,
            .day_start = start_of(date),
            .day_end = start_of(date + days(1)),
            .month_end = start_of(local_days((month + months(1)) / 1))};
}

}  // namespace smsrack
