/// What the SIM of one line may still send: asked before a message is given to the line, and by
/// the line before it takes one by itself.
///
/// A copy of the store's count, loaded when the SIM is known and counted on with each attempt. The
/// store has the last word: it counts in the transaction of the attempt, so a limit holds over
/// kill -9, and a SIM takes its usage along into another slot.
/// Unit:    segments begun.
/// Time:    the wall time of the injected Clock; days and months are those of the zone.
/// Threads: any; a short lock.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/time_zone.hpp"
#include "src/ports/rack_view.hpp"
#include "src/ports/sim_shares.hpp"
#include "src/ports/store.hpp"
#include "src/sms/sim_usage.hpp"

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_set>

namespace smsrack::line {

struct SimQuotaSettings {
    QuotaLimits limits = {};
    TimeZone zone = {};
    std::uint32_t warn_percent = 80;  ///< of a limit: then a warning is given, once per window
    bool is_shared = false;           ///< the boxes of a fleet count together: it waits for share()
};

/// A threshold that was passed with the segment counted last.
struct QuotaNews {
    QuotaWindow window = QuotaWindow::day;
    bool spent = false;  ///< false: the soft threshold
};

class SimQuota {
public:
    /// Until is_known() nothing may be sent. `clock` outlives the object.
    SimQuota(SimQuotaSettings settings, const Clock& clock);

    /// What the store has counted.
    void known(ports::UsedQuota used);
    /// The SIM is another one, or the store counts otherwise: ask it.
    void forget();
    /// What other boxes have counted; nullopt: it is not known, or the SIM is not this box's.
    void share(std::optional<ports::SimShare> others);
    [[nodiscard]] bool is_known() const;
    [[nodiscard]] bool is_shared() const;
    [[nodiscard]] bool has_limits() const { return settings_.limits.any(); }
    [[nodiscard]] std::int64_t month() const;  ///< ReadQuota asks for this one

    /// nullopt if `segments` more to this recipient may be begun now. Without until: not known yet.
    [[nodiscard]] std::optional<ports::QuotaPause> wait(std::uint32_t segments,
                                                        std::uint64_t recipient) const;
    /// False: this recipient would be one too many in this month.
    [[nodiscard]] bool takes(std::uint64_t recipient) const;

    struct Counted {
        ports::QuotaCheck check = {};  ///< for the transaction
        bool new_recipient = false;
        std::optional<QuotaNews> news = {};
    };
    /// One segment, begun at `at`; the store counts the same.
    [[nodiscard]] Counted count(WallTime at, std::uint64_t recipient);
    /// The store has not counted it.
    void take_back(const Counted& counted);

    [[nodiscard]] ports::QuotaView view() const;

private:
    const CalendarSpan& span_at(WallTime at) const;
    SimUsage usage_at(WallTime at) const;
    SimUsage with_others(SimUsage turned, WallTime at) const;
    SimUsage counted_now(const ports::SimPart& part, WallTime at, const CalendarSpan& span) const;
    [[nodiscard]] bool knows_all() const;
    void add_others(std::int64_t month) const;
    void follow(WallTime now) const;
    std::optional<QuotaNews> news_of(const SimUsage& before, const SimUsage& now, WallTime at);

    const SimQuotaSettings settings_;
    const Clock& clock_;
    mutable std::mutex mutex_;        // guards all below
    mutable CalendarSpan span_ = {};  // of the day asked about last
    bool known_ = false;
    mutable SimUsage usage_ = {};  // of this box
    mutable std::optional<ports::SimShare> others_ = {};
    mutable WallTime wall_ = {};  // when it was asked last
    mutable std::chrono::nanoseconds since_boot_{0};
    // Of recipients_month_, and of all boxes; <= the limit.
    mutable std::unordered_set<std::uint64_t> recipients_ = {};
    std::int64_t recipients_month_ = 0;
    std::array<WallTime, 2> hour_told_ = {};  // nearly and wholly spent: it slides, told once each
    std::uint64_t soft_ = 0;
    std::uint64_t hard_ = 0;
};

[[nodiscard]] std::uint64_t recipient_hash(std::string_view number);

}  // namespace smsrack::line
