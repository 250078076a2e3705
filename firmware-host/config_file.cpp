#include "firmware-host/config_file.hpp"

#include <algorithm>
#include <array>
#include <fstream>

namespace smsrack::host {

std::optional<std::string> read_config(const std::string& path, std::size_t bytes_max) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        return std::nullopt;
    }
    std::string text;
    std::array<char, 16UL * 1024> piece{};
    while (text.size() <= bytes_max) {
        const std::size_t wanted = std::min(piece.size(), bytes_max - text.size() + 1);
        file.read(piece.data(), static_cast<std::streamsize>(wanted));
        text.append(piece.data(), static_cast<std::size_t>(file.gcount()));
        if (!file) {
            break;
        }
    }
    return file.bad() ? std::nullopt : std::optional(std::move(text));
}

}  // namespace smsrack::host
