#include "tools/modem_model/at_syntax.hpp"

#include <algorithm>
#include <charconv>

namespace smsrack::modem_sim {
namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_letter(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}
char upper(char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

/// The position of the first of `signs` outside quotes, or the end.
std::size_t find_unquoted(std::string_view text, std::string_view signs) {
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"') {
            quoted = !quoted;
        } else if (!quoted && signs.find(text[i]) != std::string_view::npos) {
            return i;
        }
    }
    return text.size();
}

/// "+CMGS=24" and the like, up to ";".
AtCommand take_extended(std::string_view& rest) {
    const std::size_t end = find_unquoted(rest, ";");
    const std::string_view whole = rest.substr(0, end);
    rest.remove_prefix(std::min(rest.size(), end + 1));

    const std::size_t sign = std::min(whole.find_first_of("=?"), whole.size());
    AtCommand command;
    for (const char c : whole.substr(0, sign)) {
        if (c != ' ') {
            command.name += upper(c);
        }
    }
    const std::string_view tail = whole.substr(sign);
    if (tail == "?") {
        command.form = AtForm::read;
    } else if (tail == "=?") {
        command.form = AtForm::test;
    } else if (tail.starts_with('=')) {
        command.form = AtForm::set;
        command.arguments = tail.substr(1);
    } else if (!tail.empty()) {
        command.name += tail;  // "+CSQ?x" is the name of nothing
    }
    return command;
}

/// "E0", "&F", "S0=0", "Z".
AtCommand take_basic(std::string_view& rest) {
    AtCommand command;
    if (rest.front() == '&' || rest.front() == '%' || rest.front() == '\\') {
        command.name += rest.front();
        rest.remove_prefix(1);
    }
    if (rest.empty() || !is_letter(rest.front())) {
        rest = {};
        return {.name = std::string(1, '?')};  // the name of nothing
    }
    command.name += upper(rest.front());
    rest.remove_prefix(1);
    const bool to_the_end = command.name == "D";
    std::size_t size = 0;
    while (size < rest.size() &&
           (to_the_end || is_digit(rest[size]) ||
            (command.name == "S" && (rest[size] == '=' || rest[size] == '?')))) {
        ++size;
    }
    command.arguments = rest.substr(0, size);
    rest.remove_prefix(size);
    return command;
}

}  // namespace

std::optional<std::vector<AtCommand>> parse_at_line(std::string_view line) {
    if (line.size() < 2 || upper(line[0]) != 'A' || upper(line[1]) != 'T') {
        return std::nullopt;
    }
    line.remove_prefix(2);
    std::vector<AtCommand> commands;
    while (!line.empty()) {
        if (line.front() == ' ' || line.front() == ';') {
            line.remove_prefix(1);
        } else if (line.front() == '+') {
            commands.push_back(take_extended(line));
        } else {
            commands.push_back(take_basic(line));
        }
    }
    return commands;
}

AtArguments::AtArguments(std::string_view text) {
    while (!text.empty()) {
        const std::size_t end = find_unquoted(text, ",");
        items_.push_back(text.substr(0, end));
        if (end + 1 == text.size()) {
            items_.emplace_back();  // "1," has a second, empty one
        }
        text.remove_prefix(std::min(text.size(), end + 1));
    }
}

std::optional<int> AtArguments::number(std::size_t at) const {
    const std::string_view item = text(at);
    int value = 0;
    const auto [end, failed] = std::from_chars(item.data(), item.data() + item.size(), value);
    if (item.empty() || failed != std::errc{} || end != item.data() + item.size()) {
        return std::nullopt;
    }
    return value;
}

std::optional<int> AtArguments::number_or(std::size_t at, int otherwise) const {
    return text(at).empty() ? otherwise : number(at);
}

std::string_view AtArguments::text(std::size_t at) const {
    if (at >= items_.size()) {
        return {};
    }
    std::string_view item = items_[at];
    while (item.starts_with(' ')) {
        item.remove_prefix(1);
    }
    if (item.size() >= 2 && item.starts_with('"') && item.ends_with('"')) {
        item = item.substr(1, item.size() - 2);
    }
    return item;
}

}  // namespace smsrack::modem_sim
