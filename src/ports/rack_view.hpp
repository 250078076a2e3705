/// A snapshot of the rack, for the API and the metrics.
///
/// Threads: any; every call takes a copy under a short lock.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/interface.hpp"
#include "src/ports/condition.hpp"
#include "src/ports/modem.hpp"
#include "src/ports/pause.hpp"
#include "src/sms/level.hpp"
#include "src/sms/sim_usage.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::ports {

/// [EBAS] listener: active only when registered and able to send.
enum class LinkState : std::uint8_t { active, pending, stop };
enum class ManualState : std::uint8_t { open, blocked };

/// A SIM whose quota is spent.
struct QuotaPause {
    std::optional<WallTime> until = {};        ///< nullopt: not known yet
    QuotaWindow window = QuotaWindow::minute;  ///< the one that lasts longest
};

struct QuotaView {
    std::array<std::optional<std::uint32_t>, quota_window_count> left = {};  ///< by window
    std::optional<QuotaPause> pause = {};  ///< not one segment may be begun now
    std::uint64_t soft = 0;                ///< times that a soft threshold was passed, since start
    std::uint64_t hard = 0;                ///< times that a quota was spent, since start
};

/// A line that rests although its modem is ready.
struct LinePause {
    std::string reason = {};  ///< "cooling", "quota"
    std::optional<WallTime> until = {};
};

struct LineView {
    std::string name = {};
    std::string port = {};
    std::string group = {};
    ModemIdentity identity = {};
    std::string operator_name = {};
    std::optional<int> signal_dbm = {};
    Registration registration = Registration::unknown;
    LinkState link = LinkState::stop;
    LineLife life = LineLife::opening;
    ManualState manual = ManualState::open;
    bool parked = false;   ///< blocked by the scaling controller, not by the operator
    bool drained = false;  ///< blocked, and it holds nothing
    /// With a message in flight, since start; of those that ended.
    std::chrono::nanoseconds busy_time{0};
    std::optional<SteadyTime> busy_since = {};  ///< of the segment in flight
    bool busy = false;                          ///< a submit is in flight
    std::uint64_t accepted = 0;                 ///< segments that the network took, since start
    std::uint64_t failed = 0;                   ///< segments refused, since start
    std::uint64_t received = 0;                 ///< PDUs read and kept, since start
    std::optional<int> sim_used = {};           ///< places for messages on the SIM that are taken
    std::optional<int> sim_total = {};
    Fallbacks fallbacks = {};     ///< as the modem reported when it could send the last time
    std::uint32_t in_flight = 0;  ///< segments in flight
    std::array<std::uint64_t, incident_count> incidents = {};  ///< since start, by Incident
    std::string reason = {};                  ///< one word why it is not active; empty where it is
    std::string detail = {};                  ///< the sentence for the operator
    std::optional<QuotaView> quota = {};      ///< nullopt: the line has no quota
    std::optional<LinePause> pause = {};      ///< nullopt: it takes work when it is active and open
    std::optional<WallTime> listens_at = {};  ///< asleep until then
    std::optional<SteadyTime> waking_since = {};  ///< its radio is being switched on
    /// How long that took the last time, until it could send.
    std::optional<std::chrono::nanoseconds> woke_in = {};
};

/// A server of M/M/c: it can send, neither the operator nor the scaling controller keeps it from
/// work, and it does not rest.
[[nodiscard]] inline bool takes_work(const LineView& line) {
    return line.link == LinkState::active && line.manual == ManualState::open && !line.pause;
}

/// The lines of a group, for estimates of how fast it can send.
struct GroupLines {
    std::uint32_t able = 0;  ///< active, open and not resting
    std::uint32_t total = 0;
    /// Open lines whose radio is being switched on: time until each can send, soonest first.
    std::vector<std::chrono::nanoseconds> waking = {};
    /// Healthy lines that the scaling controller has parked and may let in: time that each would take, soonest first.
    std::vector<std::chrono::nanoseconds> parked = {};
    std::optional<WallTime> until = {};  ///< where none is able: the first one that rests is back
    bool paused = false;                 ///< the operator holds the rack or this group
    /// Segments that its SIMs may still send this day; nullopt: any number.
    std::optional<std::uint64_t> quota_left = {};
};

/// The work before a message of a group and level that comes now, and the answer that it would get.
struct LevelLoad {
    std::int64_t ahead = 0;  ///< segments at this level and above
    std::optional<std::int64_t> t_recent_ms = {};
    std::optional<std::int64_t> expected_ms = {};  ///< to the network; nullopt: not measured yet
    bool refuses = false;
};

struct GroupLoad {
    std::string name = {};
    GroupLines lines = {};
    /// Segments a second that these lines send; nullopt if not measured.
    std::optional<double> rate = {};
    std::array<LevelLoad, level_count> levels = {};
};

/// Of the recent messages, to be held against M/M/c.
struct MeasuredWaits {
    std::uint64_t messages = 0;
    double wq_s = 0;    ///< mean time that no modem had it
    double ws_s = 0;    ///< mean time from acceptance to the network
    double p_wait = 0;  ///< share that waited for a free line
    double mu = 0;      ///< messages a second of one line while it is busy
};

/// How evenly messages came, in windows of one length; without those that a front end was refused.
struct Arrivals {
    std::uint64_t messages = 0;
    std::size_t windows = 0;  ///< whole ones; 0 at a start
    std::chrono::seconds window{0};
    double dispersion = 0;  ///< variance over mean of the counts; 1 for Poisson arrivals
};

struct LevelView {
    std::int64_t depth = 0;  ///< queued messages, in the store and in memory
    /// Mean time from acceptance to the network, over the recent ones.
    std::optional<std::int64_t> t_recent_ms = {};
};

struct RackStatus {
    std::vector<Condition> conditions = {};  ///< what is wrong now, the gravest first
    std::array<LevelView, level_count> levels = {};
    double rate_in = 0;          ///< messages accepted per second, over the last minute
    double rate_out = 0;         ///< messages taken by the network per second, over the last minute
    std::size_t in_memory = 0;   ///< messages with a place in memory; the rest waits in the store
    std::size_t with_lines = 0;  ///< of them
    bool ready = false;          ///< messages are accepted, and at least one group sends
    Arrivals arrivals = {};
    std::optional<MeasuredWaits> measured = {};  ///< nullopt: no message was sent yet
    std::vector<GroupLoad> groups = {};
    std::vector<Pause> pauses = {};  ///< that hold now
};

/// What the scaling controller knows now.
struct ScalingView {
    bool enabled = false;
    std::string policy = {};
    std::uint32_t n = 0;  ///< lines in production
    std::uint32_t y = 0;  ///< lines wanted, by the last decision; 0: none as yet
    std::uint32_t n_min = 0;
    std::uint32_t n_max = 0;
    double load = 0;                       ///< messages per second, in the last sample
    std::optional<double> node_rate = {};  ///< F; nullopt: not learned yet
    std::optional<double> forecast = {};   ///< messages per second
    Arrivals arrivals = {};
    std::vector<std::string> parked = {};
    /// Time that the next line would take until it could send; nullopt if no healthy line is
    /// parked.
    std::optional<std::chrono::nanoseconds> t_ready = {};
};

class RackView : public Interface {
public:
    /// In order of the configuration.
    [[nodiscard]] virtual std::vector<LineView> lines() const = 0;
    [[nodiscard]] virtual RackStatus status() const = 0;
    [[nodiscard]] virtual ScalingView scaling() const = 0;
    /// The last of the dialogue of this line with its modem, as ports::Dialogue says it; nullopt if
    /// no line has this name.
    [[nodiscard]] virtual std::optional<std::string> dialogue(const std::string& line) const = 0;
    /// Why no line of the group would take such a message now, and until when; nullopt if one
    /// would.
    [[nodiscard]] virtual std::optional<LinePause> group_pause(const std::string& group,
                                                               std::uint32_t segments,
                                                               const std::string& to) const = 0;
};

}  // namespace smsrack::ports
