/// The times at which refused clients may come back: a waiting room, so that a client that keeps
/// its time finds a place.
///
/// Each refused message gets its own time, after those that already wait, as fast as places become
/// free; a hash of its content identifies it. Many never come back, so more times are given than
/// there are places, by the share that came back recently. A message that does not come at its time
/// is forgotten.
/// Unit:    places are segments.
/// Threads: one at a time.
#pragma once

#include "src/base/clock.hpp"
#include "src/overload/load_carried.hpp"
#include "src/overload/response_model.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

namespace smsrack::overload {

class Promises {
public:
    /// How many are remembered, in 5 MiB; the others get a time, too, but have no place kept.
    static constexpr std::size_t remembered_max = 32'768;

    struct Known {
        SteadyTime due = {};
        bool expected = false;  ///< it is its time
    };

    /// Forgets whose time has passed. First in every round.
    void advance(SteadyTime now);

    [[nodiscard]] std::optional<Known> find(std::uint64_t who) const;

    /// A time for `who`: after all that wait outside; places become free from `from` on, `rate`
    /// segments a second.
    SteadyTime give(std::uint64_t who, SteadyTime from, double rate, double segments);

    /// It came, and got its place.
    void kept(std::uint64_t who);
    /// It came at its time, and there was no place: it needs another time.
    void broken(std::uint64_t who);

    /// Of n places, those to keep free for messages that are expected about now: a tenth at
    /// least, and more where promises had to be broken.
    [[nodiscard]] double held(double places) const;
    [[nodiscard]] bool empty() const { return open_.empty(); }
    [[nodiscard]] std::size_t size() const { return open_.size(); }

    // -- from one run of the service to the next
    [[nodiscard]] PromisesCarried carried() const;
    /// Into an empty one.
    void adopt(const PromisesCarried& left);

private:
    using Queue = std::set<std::pair<SteadyTime, std::uint64_t>>;  // due, who
    /// A late one is known, and holds no place.
    enum class Stage : std::uint8_t { later, expected, late };
    struct Promise {
        SteadyTime due = {};
        double segments = 1;
        Stage stage = Stage::later;
    };

    [[nodiscard]] Queue& queue(Stage stage) { return queues_.at(static_cast<std::size_t>(stage)); }
    void move(Stage from, Stage to);
    bool remember(std::uint64_t who, SteadyTime due, double segments);
    void settle(std::uint64_t who, double came);

    std::unordered_map<std::uint64_t, Promise> open_;  // <= remembered_max
    std::array<Queue, 3> queues_;                      // by stage
    double open_segments_ = 0;
    double expected_segments_ = 0;
    double come_back_ = 1;  // the share that does
    double care_ = 0;       // 0..1
};

}  // namespace smsrack::overload
