#include "db/read/sim_usage.hpp"

#include <array>
#include <string>

namespace smsrack::db {
namespace {

using Buckets = std::array<std::uint32_t, SlidingCount::buckets>;

constexpr std::size_t count_octets = 4;
constexpr unsigned octet_bits = 8;

Buckets unpacked(const std::string& octets) {
    Buckets counts{};
    for (std::size_t i = 0; i < octets.size() && i / count_octets < counts.size(); ++i) {
        counts.at(i / count_octets) |= std::uint32_t{static_cast<unsigned char>(octets[i])}
                                       << octet_bits * (i % count_octets);
    }
    return counts;
}

}  // namespace

SimUsage load_usage(Connection& db, SimId sim) {
    SimUsage usage;
    Rows row = db.query(
        "SELECT minute_at, minute, hour_at, hour, day, day_used, month, month_used, recipients "
        "FROM sim_usage WHERE sim = ?",
        sim);
    if (row.next()) {
        std::int64_t minute_at = 0;
        std::int64_t hour_at = 0;
        std::string minute;
        std::string hour;
        row.read(minute_at, minute, hour_at, hour, usage.day.period, usage.day.count,
                 usage.month.period, usage.month.count, usage.recipients.count);
        usage.recipients.period = usage.month.period;
        usage.minute.restore(minute_at, unpacked(minute));
        usage.hour.restore(hour_at, unpacked(hour));
    }
    return usage;
}

std::vector<std::uint64_t> recipients_of(Connection& db, SimId sim, std::int64_t month) {
    return db.column<std::uint64_t>(
        "SELECT recipient FROM sim_recipients WHERE sim = ? AND month = ?", sim, month);
}

}  // namespace smsrack::db
