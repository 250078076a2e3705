#include "src/cluster/power_line.hpp"

#include "src/base/unseen.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <utility>

namespace smsrack::cluster {
namespace {

constexpr std::size_t box_name_max = 32;

bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
}

bool is_control(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

/// The words behind the first blank; empty: there are none.
std::string_view behind_blank(std::string_view text) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    return text.substr(std::min(blank + 1, text.size()));
}

}  // namespace

bool may_be_ordered(std::string_view box) {
    return !box.empty() && box.size() <= box_name_max && box.front() != '-' && box.front() != '.' &&
           std::ranges::all_of(box, is_plain);
}

Result<std::string> line_of(const PowerLine& order) {
    if (!may_be_ordered(order.box)) {
        return fail(Errc::bad_request,
                    "the name of the box has a character that no program is given");
    }
    return fmt::format("{} {}\n", ports::power_order_names.at(static_cast<std::size_t>(order.what)),
                       order.box);
}

std::optional<PowerLine> read_order(std::string_view line) {
    const std::string_view word = line.substr(0, line.find(' '));
    const std::string_view box = behind_blank(line);
    const auto found = std::ranges::find(ports::power_order_names, word);
    if (found == ports::power_order_names.end() || !may_be_ordered(box)) {
        return std::nullopt;
    }
    return PowerLine{
        .what = static_cast<ports::PowerOrder>(found - ports::power_order_names.begin()),
        .box = std::string(box)};
}

std::string line_of(const PowerEnd& end) {
    std::string line = end.code ? fmt::format("exit {}", *end.code) : "failed";
    if (!end.words.empty()) {
        line += ' ';
        line += end.words;
    }
    line.resize(std::min(line.size(), power_line_max - 1));
    std::ranges::replace_if(line, is_control, ' ');
    return line + '\n';
}

Result<> read_end(std::string_view line) {
    const std::string_view word = line.substr(0, line.find(' '));
    const std::string_view rest = behind_blank(line);
    if (word == "failed") {
        return fail(Errc::conflict, rest.empty() ? "the program was not run" : seen_text(rest));
    }
    int code = 0;
    const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), code);
    if (word != "exit" || read.ec != std::errc{}) {
        return fail(Errc::protocol, "the socket of smsrack-wake did not answer in its words");
    }
    if (code == 0) {
        return {};
    }
    const std::string_view words = behind_blank(rest);
    return fail(Errc::conflict, fmt::format("the program ended with {}{}{}", code,
                                            words.empty() ? "" : ": ", seen_text(words)));
}

}  // namespace smsrack::cluster
