#include "tools/smsrack/report.hpp"

#include "tools/smsrack/screen/json_fields.hpp"

#include <fmt/format.h>

namespace smsrack::cli {

Outcome<> report(const wire::Json& value, std::string_view words, Context& context) {
    context.console.write(context.json ? json_line(value) + "\n" : words);
    return ExitCode::done;
}

Outcome<> report(const Outcome<wire::Json>& answer, Context& context,
                 const std::function<std::string(const wire::Json&)>& words) {
    if (!answer) {
        return std::unexpected(answer.error());
    }
    return report(*answer, context.json ? "" : words(*answer), context);
}

Outcome<wire::Json> about(std::string_view kind, const std::string& name,
                          Outcome<wire::Json> answer) {
    if (!answer) {
        answer.error().message =
            fmt::format("{} {}: {}", kind, printable(name), answer.error().message);
    }
    return answer;
}

}  // namespace smsrack::cli
