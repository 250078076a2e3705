#include "tools/smsrack/screen/console.hpp"

#include "src/base/unseen.hpp"
#include "src/base/utf8.hpp"
#include "tools/smsrack/screen/wrap.hpp"

#include <cstdio>
#include <fmt/format.h>

namespace smsrack::cli {
namespace {

constexpr std::string_view bold_begin = "\x1B[1m";
constexpr std::string_view bold_end = "\x1B[0m";

/// The last guard, whatever a command has put together: only line ends, tabs and our own bold pass. The others are written as JSON
/// escapes, so that JSON keeps its meaning.
std::string terminal_safe(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const Utf8Step step = next_character(text);
        std::size_t octets = step.octets;
        if (text.starts_with(bold_begin) || text.starts_with(bold_end)) {
            octets = bold_begin.size();
            out += text.substr(0, octets);
        } else if (!step.valid) {
            out += "\uFFFD";
        } else if (is_unseen(step.character) && step.character != U'\n' &&
                   step.character != U'\t') {
            append_json_escape(out, step.character);
        } else {
            out += text.substr(0, octets);
        }
        text.remove_prefix(octets);
    }
    return out;
}

}  // namespace

void Console::write(std::string_view text) {
    const std::string safe = terminal_safe(text);
    (void)std::fwrite(safe.data(), 1, safe.size(), stdout);  // flush() reports it
}

void Console::write_as_is(std::string_view octets) {
    if (traits_.out_is_terminal) {
        write(octets);
    } else {
        (void)std::fwrite(octets.data(), 1, octets.size(), stdout);
    }
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
    fmt::print(stderr, "{}", hanging("", terminal_safe(line), traits_.err_columns));
}

void Console::progress(std::string_view line) {
    if (traits_.err_is_terminal) {
        const std::string safe = terminal_safe(line);
        const std::size_t columns =
            traits_.err_columns == 0 ? columns_of(safe) : traits_.err_columns - 1;
        fmt::print(stderr, "\r\x1B[K{}", cut_to(safe, columns));
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
    return traits_.colour ? fmt::format("{}{}{}", bold_begin, text, bold_end) : std::string(text);
}

std::string printable(std::string_view text) {
    return seen_text(text);
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
