#include "firmware-host/system/pin_key.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <random>
#include <system_error>
#include <unistd.h>

namespace smsrack::host {
namespace {

std::unexpected<Error> failed(const std::string& what, int error) {
    return fail(Errc::storage, what + ": " + std::generic_category().message(error), error);
}

Result<HashKey> read_key(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::array<char, std::tuple_size_v<HashKey>> octets = {};
    if (!file.read(octets.data(), octets.size())) {
        return fail(Errc::storage, path + " can't be read, or is too short");
    }
    HashKey key = {};
    std::ranges::transform(octets, key.begin(),
                           [](char octet) { return static_cast<std::uint8_t>(octet); });
    return key;
}

/// Whole or not at all, also through a power cut: a new name for a file that is on the disk.
Result<> make_key(const std::string& path) {
    const std::string fresh = path + ".new";
    const int file = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) {
        return failed(fresh, errno);
    }
    std::random_device chance;
    HashKey key = {};
    std::ranges::generate(key, [&] { return static_cast<std::uint8_t>(chance()); });
    const bool written =
        ::write(file, key.data(), key.size()) == static_cast<ssize_t>(key.size()) &&
        ::fsync(file) == 0;
    const int error = errno;
    ::close(file);
    if (!written || ::rename(fresh.c_str(), path.c_str()) != 0) {
        return failed(fresh, written ? errno : error);
    }
    return {};
}

}  // namespace

Result<HashKey> pin_key(const std::string& state_dir) {
    const std::string path = state_dir + "/pin.key";
    std::error_code unknown;
    if (!std::filesystem::exists(path, unknown)) {
        if (auto made = make_key(path); !made) {
            return std::unexpected(std::move(made.error()));
        }
    }
    return read_key(path);
}

}  // namespace smsrack::host
