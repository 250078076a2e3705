#include "tools/smsrack/console.hpp"

#include "tools/smsrack/utf8.hpp"

#include <cstdio>
#include <fmt/format.h>

namespace smsrack::cli {

void Console::write(std::string_view text) {
    (void)std::fwrite(text.data(), 1, text.size(), stdout);  // flush() tells
}

bool Console::flush() {
    return std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
}

void Console::complain(std::string_view message) {
    note(fmt::format("smsrack: {}", message));
}

void Console::note(std::string_view line) {
    end_progress();
    (void)flush();  // so that both streams keep their order on one terminal
    fmt::print(stderr, "{}\n", line);
}

void Console::progress(std::string_view line) {
    if (traits_.err_is_terminal) {
        fmt::print(stderr, "\r\x1B[K{}", line);
        (void)std::fflush(stderr);
        progress_shown_ = true;
    }
}

void Console::end_progress() {
    if (progress_shown_) {
        fmt::print(stderr, "\r\x1B[K");
        (void)std::fflush(stderr);
        progress_shown_ = false;
    }
}

std::string Console::bold(std::string_view text) const {
    return traits_.colour ? fmt::format("\x1B[1m{}\x1B[0m", text) : std::string(text);
}

std::string printable(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const Utf8Step step = next_character(text);
        if (step.character == U'\n') {
            out += "\\n";
        } else if (step.character < 0x20 || (step.character >= 0x7F && step.character < 0xA0)) {
            out += fmt::format("\\x{:02X}", static_cast<unsigned>(step.character));
        } else if (!step.valid) {
            out += "\uFFFD";
        } else {
            out += text.substr(0, step.octets);
        }
        text.remove_prefix(step.octets);
    }
    return out;
}

std::size_t columns_of(std::string_view text) {
    std::size_t columns = 0;
    while (!text.empty()) {
        const Utf8Step step = next_character(text);
        columns += columns_of_character(step.character);
        text.remove_prefix(step.octets);
    }
    return columns;
}

}  // namespace smsrack::cli
