/// Writes log lines to standard error: `event=... name=value ...`; with the priority prefix if
/// journald reads them, else with the time.
///
/// Threads: any; one write(2) a line.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/log.hpp"

namespace smsrack::host {

class LogSink final : public Log {
public:
    /// `for_journal`: standard error is the journal's. `clock` outlives the sink.
    LogSink(LogLevel level, bool for_journal, const Clock& clock)
        : level_(level), for_journal_(for_journal), clock_(clock) {}

    [[nodiscard]] bool enabled(LogLevel level) const override { return level <= level_; }
    void write(LogLevel level, std::string_view event,
               std::initializer_list<LogField> fields) override;

private:
    const LogLevel level_;
    const bool for_journal_;
    const Clock& clock_;
};

}  // namespace smsrack::host
