/// The response-time model: how long recent messages of a level took, and how long a segment
/// occupies a line.
///
/// T_recent(group, L) is the mean over the recent samples of the level: real messages from their
/// acceptance until the network took them, and virtual probes where there was no real one.
/// Unit:    seconds; a service is one segment on one line, from AT+CMGS to the answer, with the line's pause.
/// Time:    the injected Clock. A sample of a level counts for as long as its horizon says, so that
///          a level that refuses everything does not keep refusing because of old samples.
/// Threads: any; a short lock.
/// Source:  [NSB] T_recent(L), docs/papers.md 5.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/ids.hpp"
#include "src/overload/load_carried.hpp"
#include "src/overload/recent_samples.hpp"
#include "src/sms/level.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

namespace smsrack::overload {

using Seconds = std::chrono::duration<double>;

/// What a line is credited with before the first segment was sent: the best that GSM modems reach,
/// 20 segments a minute (docs/field.md, "Throughput"). A slower rack takes too much for as long as its first segment takes.
inline constexpr Seconds assumed_service{3.0};

struct Service {
    Seconds mean = assumed_service;  ///< of a line for each segment that the network took
    double variation = 0;            ///< standard deviation over mean
    std::size_t samples = 0;         ///< 0: the mean is assumed

    [[nodiscard]] bool measured() const { return samples > 0; }
};

class ResponseModel {
public:
    /// `clock` outlives the object.
    explicit ResponseModel(const Clock& clock) : clock_(clock) {}

    /// A message, or a probe, was through this long after it had come.
    void responded(GroupId group, Level level, Seconds took);
    /// A line of the group was occupied for this long by one submit that was answered.
    void served(GroupId group, Seconds occupied, bool sent);

    [[nodiscard]] Service service(GroupId group) const;
    /// Nullopt if no sample is younger than `horizon`.
    [[nodiscard]] std::optional<Seconds> t_recent(GroupId group, Level level,
                                                  Seconds horizon) const;
    /// How long until enough samples are past `horizon` that the mean of the others is at most `bound`.
    [[nodiscard]] Seconds back_under(GroupId group, Level level, Seconds horizon,
                                     Seconds bound) const;
    /// When the newest sample of the level came.
    [[nodiscard]] std::optional<SteadyTime> last_response(GroupId group, Level level) const;
    /// When a line of the group last ended a submit.
    [[nodiscard]] std::optional<SteadyTime> last_served(GroupId group) const;

    // -- from one run of the service to the next
    /// Into the members of `to` that are samples.
    void carry(GroupId group, GroupCarried& to) const;
    /// Of a group that nothing is known of yet.
    void adopt(GroupId group, const GroupCarried& left);

private:
    struct Submit {
        std::chrono::nanoseconds occupied{0};
        bool sent = false;
    };
    // Enough for a mean, few enough to follow a change.
    using Responses = RecentSamples<double, 32>;
    // The mean of 512 exponential times is within a twentieth.
    using Submits = RecentSamples<Submit, 512>;
    /// Those of the newest submits that count, and their sums: whole numbers, so that what goes leaves nothing behind.
    struct Counted {
        std::size_t submits = 0;
        std::chrono::nanoseconds occupied{0};
        std::size_t sent = 0;
        std::uint64_t sent_ticks = 0;
        std::uint64_t sent_squares = 0;  // of ticks

        /// Counts it, or takes it out.
        void change(const Submit& submit, bool with);
        [[nodiscard]] Service service() const;
    };
    struct Group {
        std::array<Responses, level_count> levels = {};
        Submits submits = {};
        Counted counted = {};
        Service service = {};  // of those counted

        void served(SteadyTime now, const Submit& submit);
    };

    [[nodiscard]] const Group* find(GroupId group) const;

    const Clock& clock_;
    mutable std::mutex mutex_;         // guards groups_
    std::map<GroupId, Group> groups_;  // bound: those of the configuration
};

}  // namespace smsrack::overload
