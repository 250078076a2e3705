#include "drivers/at/line_class.hpp"

#include "drivers/at/final_result.hpp"

namespace smsrack::at {

const UrcRule* find_urc(std::string_view line, std::span<const UrcRule> urcs) {
    for (const auto& rule : urcs) {
        if (line.starts_with(rule.prefix)) {
            return &rule;
        }
    }
    return nullptr;
}

LineKind classify(std::string_view line, const LineContext& context,
                  std::span<const UrcRule> urcs) {
    if (!context.echo.empty() && line == context.echo) {
        return LineKind::echo;
    }
    if (parse_final_result(line)) {
        return LineKind::final_result;
    }
    if (!context.prefix.empty() && line.starts_with(context.prefix) &&
        (context.is_answer == nullptr || context.is_answer(line))) {
        return LineKind::intermediate;
    }
    if (find_urc(line, urcs) != nullptr) {
        return LineKind::urc;
    }
    return LineKind::data;
}

}  // namespace smsrack::at
