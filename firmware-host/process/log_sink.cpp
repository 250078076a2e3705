#include "firmware-host/process/log_sink.hpp"

#include "firmware-host/process/log_text.hpp"
#include "src/base/time_text.hpp"

#include <array>
#include <string>
#include <unistd.h>
#include <utility>

namespace smsrack::host {
namespace {

struct LevelWord {
    std::string_view journal;  ///< sd-daemon(3)
    std::string_view word;
};
constexpr std::array<LevelWord, 5> level_words{
    {{"<3>", "error"}, {"<4>", "warn"}, {"<6>", "info"}, {"<7>", "debug"}, {"<7>", "trace"}}};

void put(std::string_view lines) {
    if (!lines.empty() && ::write(STDERR_FILENO, lines.data(), lines.size()) < 0) {
        return;  // no reader: the program continues
    }
}

}  // namespace

std::string LogSink::line_of(LogLevel level, std::string_view event,
                             std::initializer_list<LogField> fields) const {
    const LevelWord& words = level_words.at(static_cast<std::size_t>(level));
    std::string line;
    if (for_journal_) {
        line += words.journal;
    } else {
        line += time_text(clock_.wall());
        line += ' ';
        line += words.word;
        line += ' ';
    }
    line += "event=";
    line += event;
    line += fields.size() == 0 ? "" : " ";
    line += fields_text(fields);
    line += '\n';
    return line;
}

void LogSink::write(LogLevel level, std::string_view event,
                    std::initializer_list<LogField> fields) {
    if (!enabled(level)) {
        return;
    }
    const std::string line = line_of(level, event, fields);
    const std::lock_guard lock(mutex_);
    if (!holds_) {
        put(line);
        return;
    }
    if (held_.size() + line.size() > held_max) {
        put(std::exchange(held_, {}));
    }
    held_ += line;
    if (level <= LogLevel::warn || held_.size() > held_max) {
        put(std::exchange(held_, {}));
    }
}

void LogSink::hold() {
    const std::lock_guard lock(mutex_);
    holds_ = true;
}

void LogSink::flush() {
    const std::lock_guard lock(mutex_);
    put(held_);
    held_.clear();
}

}  // namespace smsrack::host
