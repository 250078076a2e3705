/// One direction of a serial line: only octets take time.
///
/// Chunks are due when their last octet is: a reader does not see the difference within a line.
/// Times are absolute, from the start of each burst, so neither rounding nor a late wake-up makes
/// the wire slower.
/// Unit:    baud; 8N1, so 10 bits an octet.
#pragma once

#include "src/base/clock.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace smsrack::modem_sim {

/// What a receiver at the rate `read_at` makes of octets that left at `sent_at`, 8N1 without a pause
/// between them: it waits for a start bit and takes a sample in the middle of each bit of its own. Some of it
/// may read as text, or as the end of a line. An octet whose stop bit is wrong counts, as in a port of
/// Linux without INPCK.
[[nodiscard]] std::string read_at_rate(std::string_view octets, unsigned sent_at, unsigned read_at);

class UartLane {
public:
    /// `baud` 0: no pacing, whatever the rate.
    explicit UartLane(unsigned baud) : paces_(baud != 0), baud_(baud) {}

    struct Chunk {
        SteadyTime due = never;
        std::string octets = {};
        unsigned baud = 0;  ///< at which it was sent
    };

    /// Of what is sent from now on.
    void set_baud(unsigned baud);

    /// The octets begin to leave at `at`, or behind those before them; one chunk.
    void send(SteadyTime at, std::string_view octets);
    /// The next `octets` each make a chunk of their own, at least a millisecond apart.
    void split_next(std::uint64_t octets) { split_ += octets; }

    [[nodiscard]] SteadyTime due() const { return chunks_.empty() ? never : chunks_.front().due; }
    /// When the last octet so far has arrived, or will.
    [[nodiscard]] SteadyTime last_due() const { return last_due_; }
    /// The first chunk; there must be one.
    [[nodiscard]] Chunk take();
    void clear() {
        chunks_.clear();
        waiting_ = 0;
        last_due_ = {};
    }
    /// Octets that wait or are under way.
    [[nodiscard]] std::size_t waiting() const { return waiting_; }

private:
    void push(SteadyTime at, std::string_view octets);

    const bool paces_;
    unsigned baud_;
    std::uint64_t split_ = 0;
    SteadyTime burst_start_ = {};     // when the first octet of the burst began to leave
    std::uint64_t burst_octets_ = 0;  // since then without a gap
    SteadyTime last_due_ = {};
    std::deque<Chunk> chunks_;
    std::size_t waiting_ = 0;
};

}  // namespace smsrack::modem_sim
