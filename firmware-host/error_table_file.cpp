#include "firmware-host/error_table_file.hpp"

#include "firmware-host/config_file.hpp"
#include "src/causes/error_file.hpp"

#include <utility>

namespace smsrack::host {

std::expected<ErrorTable, std::string> read_error_table(const std::string& path) {
    ErrorTable built_in = causes::built_in_table();
    if (path.empty()) {
        return built_in;
    }
    const auto text = read_config(path);
    if (!text) {
        return std::unexpected(path + ": can't be read (service.error_table)");
    }
    auto rows = causes::load_causes(*text, path);
    if (!rows) {
        return std::unexpected(rows.error().text());
    }
    return built_in.with(std::move(*rows));
}

}  // namespace smsrack::host
