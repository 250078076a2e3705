/// What the modem has to tell its line, and what of it goes to the log and the flight recorder.
///
/// Bound:   by what causes events: one submit, inbox_bound received PDUs, and changes of state
/// between two steps.
#pragma once

#include "drivers/gsm/flight_recorder.hpp"
#include "src/base/log.hpp"
#include "src/ports/modem.hpp"

#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::gsm {

class Reporter {
public:
    /// `log` and `recorder` outlive this object.
    Reporter(std::string name, Log& log, FlightRecorder& recorder);

    void tell(ports::ModemEvent event);

    void ready(const ports::ModemIdentity& identity);

    /// Told when the reason is another than the last, so that retries are not news.
    void not_ready(std::string_view reason, std::string detail);

    void asleep();

    /// Told when they change.
    void fallbacks(const ports::Fallbacks& now);
    [[nodiscard]] const ports::Fallbacks& fallbacks() const { return fallbacks_; }

    /// Counted for this line, and noted.
    void incident(ports::Incident kind);

    /// The alarm: only a person can help now.
    void out_of_service(std::string detail);

    /// A log line with the modem's name.
    void note(LogLevel level, std::string_view event, std::string_view what);

    [[nodiscard]] std::optional<ports::ModemEvent> next_event();

private:
    const std::string name_;
    Log& log_;
    FlightRecorder& recorder_;
    std::deque<ports::ModemEvent> events_;
    ports::Fallbacks fallbacks_;  // as reported last
    std::string reason_;          // as reported last; empty: ready, or not reported yet
};

}  // namespace smsrack::gsm
