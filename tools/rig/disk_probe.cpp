#include "tools/rig/disk_probe.hpp"

#include "tools/client/unique_fd.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace smsrack::rig {
namespace {

using std::chrono::steady_clock;

constexpr std::size_t page = 4096;
constexpr std::size_t pages = 64;
constexpr std::size_t rounds = 300;

Result<Spread> probe(int fd) {
    const std::array<char, page> octets{};
    const auto overwrite = [&](std::size_t index) {
        const auto offset = static_cast<off_t>(page * (index % pages));
        return pwrite(fd, octets.data(), page, offset) == static_cast<ssize_t>(page);
    };
    for (std::size_t i = 0; i < pages; ++i) {
        if (!overwrite(i)) {
            return fail(Errc::storage, "probe of the disk", errno);
        }
    }
    if (fsync(fd) != 0) {
        return fail(Errc::storage, "probe of the disk", errno);
    }
    std::vector<double> times;
    for (std::size_t i = 0; i < rounds; ++i) {
        const auto start = steady_clock::now();
        if (!overwrite(i) || fdatasync(fd) != 0) {
            return fail(Errc::storage, "probe of the disk", errno);
        }
        times.push_back(
            std::chrono::duration<double, std::milli>(steady_clock::now() - start).count());
    }
    return spread_of(std::move(times));
}

}  // namespace

Result<Spread> probe_disk(const std::filesystem::path& folder) {
    const auto path = folder / "probe";
    const client::UniqueFd fd(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!fd) {
        return fail(Errc::storage, path.string(), errno);
    }
    auto spread = probe(fd.get());
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    return spread;
}

}  // namespace smsrack::rig
