#include "firmware-host/system/log_tail.hpp"

#include "firmware-host/process/log_text.hpp"

#include <utility>

namespace smsrack::host {

void LogTail::keep(LogLevel level, std::string_view event, std::initializer_list<LogField> fields) {
    ports::KeptLine line{.at = clock_.wall(),
                         .level = level,
                         .event = std::string(event),
                         .fields = fields_text(fields)};
    if (line.fields.size() > line_bytes_max) {
        line.fields.resize(line_bytes_max);  // may end within a character: its reader repairs that
    }
    const std::lock_guard lock(mutex_);
    line.number = ++last_;
    kept_.push_back(std::move(line));
    if (kept_.size() > lines_max) {
        kept_.pop_front();
    }
}

std::vector<ports::KeptLine> LogTail::lines(std::uint64_t before, std::size_t limit) const {
    std::vector<ports::KeptLine> found;
    const std::lock_guard lock(mutex_);
    for (auto line = kept_.rbegin(); line != kept_.rend() && found.size() < limit; ++line) {
        if (before == 0 || line->number < before) {
            found.push_back(*line);
        }
    }
    return found;
}

void LogKeeper::write(LogLevel level, std::string_view event,
                      std::initializer_list<LogField> fields) {
    to_.write(level, event, fields);
    if (to_.enabled(level)) {
        tail_.keep(level, event, fields);
    }
}

}  // namespace smsrack::host
