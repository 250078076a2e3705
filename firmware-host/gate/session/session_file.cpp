#include "firmware-host/gate/session/session_file.hpp"

#include "firmware-host/setup/text_file.hpp"
#include "src/access/token.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <sstream>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace smsrack::gate {
namespace {

constexpr std::size_t line_bytes = 160;
constexpr std::size_t bytes_max = Sessions::sessions_max * line_bytes;

Result<> failed(const std::string& path) {
    const int error = errno;
    return fail(Errc::storage, path + ": " + std::generic_category().message(error), error);
}

std::int64_t seconds_of(WallTime time) {
    return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

bool write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(fd, text.data(), text.size());
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

}  // namespace

SessionFile::SessionFile(std::string path, const Clock& clock)
    : path_(std::move(path)), clock_(clock) {}

void SessionFile::load(Sessions& sessions) const {
    const auto text = host::read_text_file(path_, bytes_max);
    if (!text) {
        return;
    }
    const SteadyTime now = clock_.steady();
    const std::int64_t now_s = seconds_of(clock_.wall());
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string hash;
        std::string token;
        std::int64_t used_s = 0;
        if (words >> hash >> token >> used_s && access::is_token_hash(hash) &&
            access::is_token_hash(token)) {
            const std::chrono::seconds unused(now_s - std::clamp<std::int64_t>(used_s, 0, now_s));
            sessions.begin(std::move(hash), std::move(token), now - unused);
        }
    }
}

Result<> SessionFile::save(const Sessions& sessions) const {
    const SteadyTime now = clock_.steady();
    const std::int64_t now_s = seconds_of(clock_.wall());
    std::string text;
    for (const auto& [hash, session] : sessions.all()) {
        const auto unused = std::chrono::duration_cast<std::chrono::seconds>(now - session.used);
        text += fmt::format("{} {} {}\n", hash, session.token, now_s - unused.count());
    }
    const std::string fresh = path_ + ".new";
    constexpr mode_t own_alone = 0600;
    const int fd = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, own_alone);
    if (fd < 0) {
        return failed(fresh);
    }
    const bool written = write_all(fd, text);
    if (::close(fd) != 0 || !written || std::rename(fresh.c_str(), path_.c_str()) != 0) {
        return failed(fresh);
    }
    return {};
}

void SessionFile::remove() const {
    (void)::unlink(path_.c_str());
}

}  // namespace smsrack::gate
