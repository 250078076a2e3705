/// What each line last said of itself: the table that the API shows.
///
/// Threads: any. Counters are atomics, since they change with each message; the words are under a
/// lock, since they change rarely.
#pragma once

#include "src/base/members.hpp"
#include "src/line/sim_quota.hpp"
#include "src/ports/sim_numbers.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::line {

/// Since the service was first started.
struct LineCounts {
    std::uint64_t accepted = 0;
    std::uint64_t failed = 0;
    std::uint64_t received = 0;
    std::array<std::uint64_t, ports::incident_count> incidents = {};
    SMSRACK_MEMBERS(accepted, failed, received, incidents);
};

class LineBoard : public ports::SimNumbers {
public:
    /// Adds a line, in order of the configuration; before the threads start.
    ModemId add(std::string name, std::string port, std::string group);

    /// Where the dialogue of a line is read; it outlives the board's readers. Before the threads
    /// start.
    void listen_to(ModemId line, const ports::Dialogue& dialogue) {
        lines_[line.value].dialogue = &dialogue;
    }
    /// The quota of the line's SIM, shown with the line; it outlives the board. Before the threads start.
    void show(ModemId line, const SimQuota& quota) { lines_[line.value].quota = &quota; }

    void identified(ModemId line, const ports::ModemIdentity& identity);
    void ready(ModemId line);
    void not_ready(ModemId line, ports::LinkState link, std::string reason, std::string detail);
    /// Its radio is off until it listens.
    void asleep(ModemId line, WallTime listens_at);
    /// It is being switched on; and how long that took.
    void waking(ModemId line, SteadyTime since);
    void woke(ModemId line, std::chrono::nanoseconds took);
    /// Pending for too long; the reason stays.
    void stop(ModemId line);
    void life(ModemId line, ports::LineLife life) { lines_[line.value].life = life; }
    void count(ModemId line, ports::Incident incident) {
        ++lines_[line.value].incidents.at(static_cast<std::size_t>(incident));
    }
    void vitals(ModemId line, const ports::ModemVitals& vitals);
    /// The line rests although its modem is ready; nullopt: no longer.
    void pause(ModemId line, std::optional<ports::LinePause> pause);
    /// Its modem is ready, whether or not the line may take work now.
    [[nodiscard]] bool is_active(ModemId line) const;
    void sim_storage(ModemId line, int used, int total);
    void fallbacks(ModemId line, const ports::Fallbacks& fallbacks);
    /// On the line's thread alone.
    void busy(ModemId line, bool busy, SteadyTime now);
    /// Whether it is given work, and whether it still holds something.
    void gate(ModemId line, ports::LineGate gate, bool holds);
    void count_accepted(ModemId line) { ++lines_[line.value].accepted; }
    void count_failed(ModemId line) { ++lines_[line.value].failed; }
    void count_received(ModemId line) { ++lines_[line.value].received; }

    /// For the next one who shows this line, and from the one before.
    [[nodiscard]] LineCounts counts(ModemId line) const;
    void count_on(ModemId line, const LineCounts& counts);

    [[nodiscard]] std::vector<ports::LineView> lines() const;
    /// The last of what was said on a line; nullopt if none has this name.
    [[nodiscard]] std::optional<std::string> dialogue(const std::string& name) const;
    /// As ports::RackView.
    [[nodiscard]] std::optional<ports::LinePause> group_pause(const std::string& group,
                                                              std::uint32_t segments,
                                                              const std::string& to) const;
    [[nodiscard]] ports::GroupLines group_lines(const std::string& group, SteadyTime now) const;
    /// Of all groups: that take work, or whose radio is being switched on for that.
    [[nodiscard]] std::size_t open_lines(SteadyTime now) const;
    /// Of the SIM that the line has; empty where not known.
    [[nodiscard]] std::string own_number(ModemId line) const;
    [[nodiscard]] std::optional<ports::SimInRack> sim_with(std::string_view number) const override;
    [[nodiscard]] bool all_told() const override;
    [[nodiscard]] std::size_t size() const { return lines_.size(); }
    [[nodiscard]] const std::string& name(ModemId line) const {
        return lines_[line.value].view.name;
    }

private:
    struct Line {
        std::atomic<bool> busy = false;
        std::atomic<SteadyTime::rep> busy_since = 0;
        std::atomic<SteadyTime::rep> busy_time = 0;
        std::atomic<ports::LineLife> life = ports::LineLife::opening;
        std::array<std::atomic<std::uint64_t>, ports::incident_count> incidents = {};
        std::atomic<std::uint64_t> accepted = 0;
        std::atomic<std::uint64_t> failed = 0;
        std::atomic<std::uint64_t> received = 0;
        const ports::Dialogue* dialogue = nullptr;  // null: none
        const SimQuota* quota = nullptr;            // null: none
        ports::LineView view = {};                  // its name never changes
    };
    [[nodiscard]] static ports::LineView shown(const Line& line);

    std::deque<Line> lines_;    // grows only before the threads start
    mutable std::mutex mutex_;  // guards the views
};

}  // namespace smsrack::line
