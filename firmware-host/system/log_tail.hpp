/// The last lines of the log, in memory: for GET /v1/log. It outlives a reload.
///
/// Bound:   lines_max lines of at most line_bytes_max octets of fields; more are cut off.
/// Threads: any.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/log.hpp"
#include "src/ports/box_view.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

namespace smsrack::host {

class LogTail {
public:
    /// An hour of a rack in trouble; some 100 KiB.
    static constexpr std::size_t lines_max = 500;
    static constexpr std::size_t line_bytes_max = 512;

    /// `clock` outlives the object.
    explicit LogTail(const Clock& clock) : clock_(clock) {}

    void keep(LogLevel level, std::string_view event, std::initializer_list<LogField> fields);

    /// Newest first, with a number below `before` (0: from the newest).
    [[nodiscard]] std::vector<ports::KeptLine> lines(std::uint64_t before, std::size_t limit) const;

private:
    const Clock& clock_;
    mutable std::mutex mutex_;          // guards what follows
    std::deque<ports::KeptLine> kept_;  // oldest first
    std::uint64_t last_ = 0;
};

/// Passes each line on, and keeps what is written.
class LogKeeper final : public Log {
public:
    /// Both outlive the object.
    LogKeeper(Log& to, LogTail& tail) : to_(to), tail_(tail) {}

    [[nodiscard]] bool enabled(LogLevel level) const override { return to_.enabled(level); }
    void write(LogLevel level, std::string_view event,
               std::initializer_list<LogField> fields) override;

private:
    Log& to_;
    LogTail& tail_;
};

}  // namespace smsrack::host
