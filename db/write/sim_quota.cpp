#include "db/write/sim_quota.hpp"

#include "db/read/sim_usage.hpp"

#include <array>
#include <string>

namespace smsrack::db {
namespace {

using Buckets = std::array<std::uint32_t, SlidingCount::buckets>;

constexpr std::size_t count_octets = 4;
constexpr unsigned octet_bits = 8;
// Of months gone by, with each attempt: more than can come again, so that they go in the end.
constexpr int recipients_forgotten = 8;

std::string packed(const Buckets& counts) {
    std::string octets;
    octets.reserve(counts.size() * count_octets);
    for (std::uint32_t count : counts) {
        for (std::size_t i = 0; i < count_octets; ++i) {
            octets += static_cast<char>(count & 0xFFU);
            count >>= octet_bits;
        }
    }
    return octets;
}

void save_usage(Connection& db, SimId sim, const SimUsage& usage) {
    db.run(
        "INSERT OR REPLACE INTO sim_usage (sim, minute_at, minute, hour_at, hour, day, day_used, "
        "month, month_used, recipients) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        sim, usage.minute.newest(), Octets{packed(usage.minute.counts())}, usage.hour.newest(),
        Octets{packed(usage.hour.counts())}, usage.day.period, usage.day.count, usage.month.period,
        usage.month.count, usage.recipients.count);
}

bool is_new(Connection& db, SimId sim, std::int64_t month, std::uint64_t recipient) {
    return db.scalar<int>(
               "SELECT 1 FROM sim_recipients WHERE sim = ? AND month = ? AND recipient = ?", 0, sim,
               month, recipient) == 0;
}

void keep_recipient(Connection& db, SimId sim, std::int64_t month, std::uint64_t recipient) {
    db.run("INSERT INTO sim_recipients (sim, month, recipient) VALUES (?, ?, ?)", sim, month,
           recipient);
    db.run(
        "DELETE FROM sim_recipients WHERE (sim, month, recipient) IN (SELECT sim, month, recipient "
        "FROM sim_recipients WHERE sim = ? AND month < ? LIMIT ?)",
        sim, month, recipients_forgotten);
}

}  // namespace

Result<> count_attempt(Connection& db, const ports::BeginAttempt& start) {
    if (!start.quota) {
        return {};
    }
    const ports::QuotaCheck& quota = *start.quota;
    SimUsage usage = load_usage(db, start.sim);
    usage.turn(start.at, quota.span);
    const bool new_recipient = quota.limits[QuotaWindow::recipients] &&
                               is_new(db, start.sim, quota.span.month, quota.recipient);
    if (const auto wait = quota_wait(usage, quota.limits, quota.span, 1, new_recipient)) {
        return std::unexpected(Error{
            .code = Errc::quota_exhausted,
            .context = std::string(quota_window_names.at(static_cast<std::size_t>(wait->window))),
            .retry_after = wait->until - start.at});
    }
    usage.count(1, new_recipient);
    save_usage(db, start.sim, usage);
    if (new_recipient) {
        keep_recipient(db, start.sim, quota.span.month, quota.recipient);
    }
    return {};
}

void move_usage(Connection& db, const ClockMove& move) {
    for (const SimId sim : db.column<SimId>("SELECT sim FROM sim_usage")) {
        SimUsage usage = load_usage(db, sim);
        usage.move(move);
        save_usage(db, sim, usage);
    }
}

ports::UsedQuota apply(Writer& writer, const ports::ReadQuota& command) {
    return {.usage = load_usage(writer.db, command.sim),
            .recipients = recipients_of(writer.db, command.sim, command.month),
            .card = writer.db.scalar<std::string>("SELECT iccid FROM sims WHERE id = ?", {},
                                                  command.sim)};
}

}  // namespace smsrack::db
