#include "drivers/at/line_framer.hpp"

#include <utility>

namespace smsrack::at {
namespace {

bool is_line_end(char byte) {
    return byte == '\r' || byte == '\n';
}
bool is_printable(char byte) {
    return byte >= ' ' && byte <= '~';
}

}  // namespace

LineFramer::LineFramer() {
    line_.reserve(line_max);
}

std::optional<FramedLine> LineFramer::next(std::span<const char>& bytes) {
    if (std::exchange(told_, false)) {
        line_.clear();
    }
    while (!bytes.empty()) {
        const char byte = bytes.front();
        bytes = bytes.subspan(1);
        if (is_line_end(byte)) {
            while (line_.ends_with(' ')) {
                line_.pop_back();
            }
            if (!line_.empty()) {
                told_ = true;
                strange_ = 0;
                return FramedLine{.text = line_};
            }
        } else if (!is_printable(byte)) {
            ++strange_;
        } else if (line_.size() < line_max && !(byte == ' ' && line_.empty())) {
            line_ += byte;
            if (prompt_expected_ && line_ == "> ") {
                told_ = true;
                return FramedLine{.text = line_, .prompt = true};
            }
        }
    }
    return std::nullopt;
}

void LineFramer::resume(std::string_view half_line, bool prompt_expected) {
    clear();
    line_ = half_line.substr(0, line_max);
    prompt_expected_ = prompt_expected;
}

void LineFramer::clear() {
    line_.clear();
    strange_ = 0;
    told_ = false;
}

}  // namespace smsrack::at
