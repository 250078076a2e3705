#include "src/config/toml_bounds.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace smsrack::config {
namespace {

class Scanner {
public:
    explicit Scanner(std::string_view text) : rest_(text) {}

    std::optional<TomlFault> run() {
        while (!rest_.empty()) {
            step();
            if (brackets_ > toml_brackets_max) {
                return fault(
                    fmt::format("more than {} brackets are open; no setting is nested so deeply",
                                toml_brackets_max));
            }
            if (parts_ > toml_key_parts_max) {
                return fault(
                    fmt::format("a key of more than {} parts; no setting is nested so deeply",
                                toml_key_parts_max));
            }
        }
        return std::nullopt;
    }

private:
    void step() {
        switch (const char c = rest_.front()) {
            case '#':
                skip(std::min(rest_.find('\n'), rest_.size()));
                return;
            case '"':
            case '\'':
                skip_text(c);
                return;
            case '[':
            case '{':
                ++brackets_;
                parts_ = 1;
                break;
            case ']':
            case '}':
                brackets_ = std::max(brackets_ - 1, 0);
                parts_ = 1;
                break;
            case '=':
            case ',':
            case '\n':
                parts_ = 1;
                break;
            case '.':
                ++parts_;
                break;
            default:
                break;
        }
        skip(1);
    }

    /// Of one line, or of several where it begins with three quotes.
    void skip_text(char quote) {
        const std::string three(3, quote);
        const bool several_lines = rest_.starts_with(three);
        skip(several_lines ? 3 : 1);
        while (!rest_.empty()) {
            if (quote == '"' && rest_.front() == '\\') {
                skip(2);
            } else if (several_lines && rest_.starts_with(three)) {
                skip(3);
                for (int more = 0; more < 2 && rest_.starts_with(quote); ++more) {
                    skip(1);  // quotes that the text ends with
                }
                return;
            } else if (!several_lines && (rest_.front() == quote || rest_.front() == '\n')) {
                skip(rest_.front() == quote ? 1 : 0);
                return;
            } else {
                skip(1);
            }
        }
    }

    void skip(std::size_t count) {
        count = std::min(count, rest_.size());
        line_ += static_cast<int>(std::ranges::count(rest_.substr(0, count), '\n'));
        rest_.remove_prefix(count);
    }

    [[nodiscard]] TomlFault fault(std::string message) const {
        return {.line = line_, .message = std::move(message)};
    }

    std::string_view rest_;
    int line_ = 1;
    int brackets_ = 0;
    int parts_ = 1;  // of the key, or of the number, that is being read
};

}  // namespace

std::optional<TomlFault> find_excess(std::string_view text) {
    if (text.size() > toml_bytes_max) {
        return TomlFault{.line = 1,
                         .message = fmt::format("is larger than {} octets", toml_bytes_max)};
    }
    return Scanner(text).run();
}

}  // namespace smsrack::config
