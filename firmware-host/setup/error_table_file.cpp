#include "firmware-host/setup/error_table_file.hpp"

#include "firmware-host/setup/text_file.hpp"
#include "src/causes/error_file.hpp"

#include <utility>

namespace smsrack::host {

std::expected<ErrorTable, config::ConfigProblems> read_error_table(const std::string& path) {
    ErrorTable built_in = causes::built_in_table();
    if (path.empty()) {
        return built_in;
    }
    const auto text = read_text_file(path);
    if (!text) {
        return std::unexpected(config::ConfigProblems{
            {.key = "service.error_table", .message = text.error().context}});
    }
    auto rows = causes::load_causes(*text, path);
    if (!rows) {
        config::ConfigProblems problems = std::move(rows.error().problems);
        for (config::ConfigProblem& problem : problems) {
            problem.file = path;
        }
        return std::unexpected(std::move(problems));
    }
    return built_in.with(std::move(*rows));
}

}  // namespace smsrack::host
