#include "firmware-host/config_file.hpp"

#include <fstream>
#include <sstream>
#include <utility>

namespace smsrack::host {

std::optional<std::string> read_config(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (!file || !(text << file.rdbuf())) {
        return std::nullopt;
    }
    return std::move(text).str();
}

}  // namespace smsrack::host
