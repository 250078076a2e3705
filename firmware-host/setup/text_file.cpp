#include "firmware-host/setup/text_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <system_error>

namespace smsrack::host {
namespace {

std::unexpected<Error> unreadable(const std::string& path, int error) {
    return fail(Errc::bad_config,
                fmt::format("{} can't be read: {}", path, std::generic_category().message(error)),
                error);
}

}  // namespace

Result<std::string> read_text_file(const std::string& path, std::size_t bytes_max) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"),
                                                               std::fclose);
    if (!file) {
        return unreadable(path, errno);
    }
    std::string text;
    std::array<char, 16UL * 1024> piece{};
    while (text.size() <= bytes_max) {
        const std::size_t wanted = std::min(piece.size(), bytes_max - text.size() + 1);
        const std::size_t count = std::fread(piece.data(), 1, wanted, file.get());
        text.append(piece.data(), count);
        if (std::ferror(file.get()) != 0) {
            return unreadable(path, errno);
        }
        if (count < wanted) {
            break;
        }
    }
    return text;
}

}  // namespace smsrack::host
