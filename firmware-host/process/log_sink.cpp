#include "firmware-host/process/log_sink.hpp"

#include "src/base/time_text.hpp"
#include "src/base/unseen.hpp"

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

bool needs_quotes(std::string_view value) {
    return value.empty() || value.find_first_of(" \"=\\") != std::string_view::npos;
}

/// Quoted where it would not read as one word. What a terminal would not show as what it is is escaped, so that a line stays a line.
void append_value(std::string& line, std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            escaped += '\\';
        }
        escaped += c;
    }
    const std::string value = seen_text(escaped);
    const bool quoted = needs_quotes(value);
    line += quoted ? "\"" : "";
    line += value;
    line += quoted ? "\"" : "";
}

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
    for (const LogField& field : fields) {
        line += ' ';
        line += field.name;
        line += '=';
        append_value(line, field.value);
    }
    line += '\n';
    if (::write(STDERR_FILENO, line.data(), line.size()) < 0) {
        return;  // no reader: the service continues
    }
}

}  // namespace smsrack::host
