#include "drivers/serial/mask.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <iterator>

namespace smsrack::serial {
namespace {

/// Digits in a row that are more than an index or a code: numbers, PDUs.
constexpr std::size_t run_max = 6;
constexpr std::size_t run_shown = 4;

constexpr std::array<std::string_view, 4> secret_commands{"+CPIN=", "+CPWD=", "+CLCK=", "+CPIN2="};

/// TS 22.030: passwords, PINs, PUKs, and barring, which takes a password.
constexpr std::array<std::string_view, 5> secret_services{"03", "04", "05", "33", "35"};

/// Lines whose quoted words are numbers, names or texts.
constexpr std::array<std::string_view, 9> private_lines{"+CUSD", "+CLIP", "+CNUM", "+CCWA", "+COLP",
                                                        "+CPBR", "+CLCC", "+CMGW", "+CSCA"};

constexpr std::array<bool, 256> hex_digits = [] {
    std::array<bool, 256> table{};
    for (const char c : std::string_view("0123456789ABCDEFabcdef")) {
        table[static_cast<unsigned char>(c)] = true;
    }
    return table;
}();

bool same_letters(std::string_view text, std::string_view upper) {
    return std::ranges::equal(
        text, upper, [](unsigned char a, unsigned char b) { return std::toupper(a) == b; });
}

/// With or without the AT of a command or its echo.
bool is_private(std::string_view line) {
    if (line.size() > 2 && same_letters(line.substr(0, 2), "AT")) {
        line.remove_prefix(2);
    }
    const auto begins_line = [line](std::string_view name) {
        return same_letters(line.substr(0, name.size()), name);
    };
    return std::ranges::any_of(private_lines, begins_line);
}

std::size_t run_length(std::string_view line) {
    const auto end = std::ranges::find_if_not(
        line, [](char c) { return hex_digits[static_cast<unsigned char>(c)]; });
    return static_cast<std::size_t>(end - line.begin());
}

/// Appends what may be shown of the front of `line`, and gives how much of it that was: quoted words
/// (where they are hidden), a run of digits, or one character.
std::size_t append_piece(std::string& out, std::string_view line, bool hides_words) {
    if (hides_words && line.front() == '"') {
        const auto words = std::min(line.find('"', 1), line.size()) - 1;
        if (words == 0) {
            out += "\"\"";
        } else {
            fmt::format_to(std::back_inserter(out), "\"...({} characters)\"", words);
        }
        return std::min(words + 2, line.size());
    }
    const auto run = run_length(line);
    if (run > run_max) {
        out += line.substr(0, run_shown);
        fmt::format_to(std::back_inserter(out), "...({} digits)", run);
        return run;
    }
    const auto length = std::max<std::size_t>(run, 1);
    out += line.substr(0, length);
    return length;
}

/// The front of a code as it was dialled: digits, or the hexadecimal of them.
std::string front_of_code(std::string_view code) {
    constexpr std::size_t front = 8;
    std::string plain(code.substr(0, front));
    if (!code.starts_with("2A") && !code.starts_with("23")) {
        return plain;
    }
    plain.clear();
    for (std::size_t i = 0; i + 1 < code.size() && plain.size() < front; i += 2) {
        const std::string_view pair = code.substr(i, 2);
        if (pair == "2A" || pair == "23") {
            plain += pair == "2A" ? '*' : '#';
        } else if (pair[0] == '3') {
            plain += pair[1];
        } else {
            break;
        }
    }
    return plain;
}

/// Behind the quote of AT+CUSD=1,"**04*... : a code that changes a PIN, or takes one.
std::size_t secret_code_begin(std::string_view line) {
    for (std::size_t quote = line.find('"'); quote != std::string_view::npos;
         quote = line.find('"', quote + 1)) {
        const std::string plain = front_of_code(line.substr(quote + 1));
        const std::string_view code = plain;
        const std::string_view service =
            code.substr(std::min(code.find_first_not_of("*#"), code.size()));
        const bool is_secret = service.size() < code.size() &&
                               std::ranges::any_of(secret_services, [&](std::string_view name) {
                                   return service.starts_with(name);
                               });
        if (is_secret) {
            return quote + 1;
        }
    }
    return std::string_view::npos;
}

}  // namespace

std::size_t secret_begin(std::string_view line) {
    if (line.find("+CUSD") != std::string_view::npos) {
        if (const auto code = secret_code_begin(line); code != std::string_view::npos) {
            return code;
        }
    }
    for (auto equals = line.find('='); equals != std::string_view::npos;
         equals = line.find('=', equals + 1)) {
        const auto before = line.substr(0, equals + 1);
        for (const std::string_view name : secret_commands) {
            if (before.size() >= name.size() &&
                same_letters(before.substr(before.size() - name.size()), name)) {
                return equals + 1;
            }
        }
    }
    return std::string_view::npos;
}

void append_without_secret(std::string& out, std::string_view line) {
    const auto secret = std::min(secret_begin(line), line.size());
    out += line.substr(0, secret);
    out.append(line.size() - secret, '*');
}

void append_masked(std::string& out, std::string_view line) {
    const auto secret = std::min(secret_begin(line), line.size());
    const auto hidden = line.size() - secret;
    line = line.substr(0, secret);
    const bool hides_words = is_private(line);
    while (!line.empty()) {
        line.remove_prefix(append_piece(out, line, hides_words));
    }
    out.append(hidden, '*');
}

}  // namespace smsrack::serial
