/// Writes log lines to standard error: `event=... name=value ...`; with the priority prefix if
/// journald reads them, else with the time.
///
/// A program that writes a line per request holds them: then those of one turn of its loop leave in
/// one write(2). A kill loses what is held.
/// Bound:   held_max octets are held.
/// Threads: any; without holding one write(2) a line.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/log.hpp"

#include <cstddef>
#include <initializer_list>
#include <mutex>
#include <string>
#include <string_view>

namespace smsrack::host {

class LogSink final : public Log {
public:
    static constexpr std::size_t held_max = 4'096;  ///< PIPE_BUF: a pipe takes it whole

    /// `for_journal`: standard error is the journal's. `clock` outlives the sink.
    LogSink(LogLevel level, bool for_journal, const Clock& clock)
        : level_(level), for_journal_(for_journal), clock_(clock) {}
    LogSink(const LogSink&) = delete;
    LogSink& operator=(const LogSink&) = delete;
    ~LogSink() override { flush(); }

    /// From now on lines wait for flush(); a warning or an error takes along what waits, and so does
    /// the line that finds no room.
    void hold();
    void flush();

    [[nodiscard]] bool enabled(LogLevel level) const override { return level <= level_; }
    void write(LogLevel level, std::string_view event,
               std::initializer_list<LogField> fields) override;

private:
    [[nodiscard]] std::string line_of(LogLevel level, std::string_view event,
                                      std::initializer_list<LogField> fields) const;

    const LogLevel level_;
    const bool for_journal_;
    const Clock& clock_;
    std::mutex mutex_;  // of what follows
    bool holds_ = false;
    std::string held_;
};

}  // namespace smsrack::host
