#include "firmware-host/process/log_sink.hpp"

#include "firmware-host/process/log_text.hpp"
#include "src/base/time_text.hpp"

#include <array>
#include <string>
#include <unistd.h>

namespace smsrack::host {
namespace {

struct LevelWord {
    std::string_view journal;  ///< sd-daemon(3)
    std::string_view word;
};
constexpr std::array<LevelWord, 5> level_words{
    {{"<3>", "error"}, {"<4>", "warn"}, {"<6>", "info"}, {"<7>", "debug"}, {"<7>", "trace"}}};

}  // namespace

void LogSink::write(LogLevel level, std::string_view event,
                    std::initializer_list<LogField> fields) {
    if (!enabled(level)) {
        return;
    }
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
    if (::write(STDERR_FILENO, line.data(), line.size()) < 0) {
        return;  // no reader: the service continues
    }
}

}  // namespace smsrack::host
