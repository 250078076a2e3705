#include "drivers/at/final_result.hpp"

#include <array>
#include <charconv>
#include <fmt/format.h>

namespace smsrack::at {
namespace {

struct ErrorForm {
    std::string_view prefix;
    FinalKind kind;
    int unknown;  // the code where none is given
};
constexpr std::array error_forms{
    ErrorForm{"+CMS ERROR", FinalKind::cms_error, 500},
    ErrorForm{"+CME ERROR", FinalKind::cme_error, 100},
};

int code_of(std::string_view text, int unknown) {
    const auto digits = text.find_first_not_of(": ");
    int code = 0;
    if (digits == std::string_view::npos ||
        std::from_chars(text.data() + digits, text.data() + text.size(), code).ec != std::errc{}) {
        return unknown;
    }
    return code;
}

}  // namespace

std::optional<FinalResult> parse_final_result(std::string_view line) {
    if (line == "OK") {
        return FinalResult{FinalKind::ok};
    }
    if (line == "ERROR") {
        return FinalResult{FinalKind::error};
    }
    for (const auto& form : error_forms) {
        if (line.starts_with(form.prefix)) {
            return FinalResult{form.kind, code_of(line.substr(form.prefix.size()), form.unknown)};
        }
    }
    return std::nullopt;
}

std::string to_text(FinalResult result) {
    switch (result.kind) {
        case FinalKind::ok:
            return "OK";
        case FinalKind::error:
            return "ERROR";
        case FinalKind::cms_error:
            return fmt::format("+CMS ERROR: {}", result.code);
        case FinalKind::cme_error:
            return fmt::format("+CME ERROR: {}", result.code);
        case FinalKind::timed_out:
            return "no answer";
    }
    return {};
}

}  // namespace smsrack::at
