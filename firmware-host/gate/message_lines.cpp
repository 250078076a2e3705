#include "firmware-host/gate/message_lines.hpp"

#include "src/wire/json.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace smsrack::gate {
namespace {

/// The number in a refusal is its last member.
std::string renumbered(std::string_view answer, std::uint64_t number) {
    constexpr std::string_view key = "\"line\":";
    const std::size_t at = answer.rfind(key);
    if (!answer.starts_with(R"({"error":)") || at == std::string_view::npos) {
        return std::string(answer);
    }
    const std::size_t begin = at + key.size();
    const std::size_t end = std::min(answer.find_first_not_of("0123456789", begin), answer.size());
    return fmt::format("{}{}{}", answer.substr(0, begin), number, answer.substr(end));
}

}  // namespace

std::optional<std::string> with_ref(std::string_view line, std::string_view ref) {
    const auto json = wire::parse_json(line);
    if (!json || !json->is_object() || json->empty() || json->contains("ref")) {
        return std::nullopt;
    }
    const std::size_t begin = line.find('{') + 1;
    return fmt::format("{}\"ref\":\"{}\",{}", line.substr(0, begin), ref, line.substr(begin));
}

std::string MessageLines::take(std::string_view octets) {
    std::string out;
    for (auto line = splitter_.next(octets); line; line = splitter_.next(octets)) {
        out += keep(*line);
    }
    return out;
}

std::string MessageLines::take_end() {
    const auto line = splitter_.last();
    return line ? keep(*line) : std::string();
}

std::string MessageLines::keep(const wire::LineSplitter::Line& line) {
    constexpr std::size_t max = wire::LineSplitter::line_bytes_max;
    Line kept{.number = line.number, .text = {}};
    if (line.too_long) {
        // The service refuses it as it would refuse the line.
        kept.text = std::string(max + 1, 'x');
    } else if (auto with = with_ref(line.text, fresh_ref_()); with && with->size() <= max) {
        kept.text = *std::move(with);
    } else {
        kept.has_ref = !with;
        kept.text = line.text;
    }
    kept.text += '\n';
    bytes_ += kept.text.size();
    without_ref_ += kept.has_ref ? 0 : 1;
    lines_.push_back(std::move(kept));
    return lines_.back().text;
}

std::optional<std::string> MessageLines::answered(std::string_view answer) {
    return lines_.empty() ? std::nullopt : std::optional(renumbered(answer, give_up()));
}

std::string MessageLines::unanswered() const {
    std::string out;
    for (const Line& line : lines_) {
        out += line.text;
    }
    return out;
}

std::uint64_t MessageLines::give_up() {
    const Line line = std::move(lines_.front());
    lines_.pop_front();
    bytes_ -= line.text.size();
    without_ref_ -= line.has_ref ? 0 : 1;
    return line.number;
}

}  // namespace smsrack::gate
