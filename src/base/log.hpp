/// Structured logging. A log line is an event name and fields, written once per change of state;
/// what repeats is a counter.
///
/// Threads: any; the sink locks for itself.
/// Errors:  none; a line that can't be written is dropped.
/// No field ever holds a message text, a full phone number or a secret: `masked_number` is for
/// numbers.
#pragma once

#include <cstdint>
#include <fmt/format.h>
#include <initializer_list>
#include <string>
#include <string_view>

namespace smsrack {

enum class LogLevel : std::uint8_t { error, warn, info, debug, trace };

struct LogField {
    std::string_view name;
    std::string value;

    LogField(std::string_view field_name, std::string_view text) : name(field_name), value(text) {}
    template <typename T>
    requires std::is_arithmetic_v<T> LogField(std::string_view field_name, T number)
        : name(field_name), value(fmt::to_string(number)) {}
};

class Log {
public:
    Log() = default;
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;
    virtual ~Log() = default;

    [[nodiscard]] virtual bool enabled(LogLevel level) const = 0;
    virtual void write(LogLevel level, std::string_view event,
                       std::initializer_list<LogField> fields) = 0;

    void error(std::string_view event, std::initializer_list<LogField> fields = {}) {
        write(LogLevel::error, event, fields);
    }
    void warn(std::string_view event, std::initializer_list<LogField> fields = {}) {
        write(LogLevel::warn, event, fields);
    }
    void info(std::string_view event, std::initializer_list<LogField> fields = {}) {
        write(LogLevel::info, event, fields);
    }
    void debug(std::string_view event, std::initializer_list<LogField> fields = {}) {
        if (enabled(LogLevel::debug)) {
            write(LogLevel::debug, event, fields);
        }
    }
};

/// "+33612345678" -> "+336*****678": enough to recognise, too little to call.
[[nodiscard]] std::string masked_number(std::string_view number);

}  // namespace smsrack
