#include "tools/smsrack/dashboard/browser.hpp"

#include "tools/smsrack/dashboard/spawn.hpp"

#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace smsrack::cli {

Result<> Browser::open(const std::string& address, SteadyTime now) {
    auto page = LoginPage::write(parent_, address);
    if (!page) {
        return std::unexpected(std::move(page.error()));
    }
    Spawn spawn;
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        spawn.give_nothing(fd);
    }
    const auto pid = spawn.start({program_, page->file().string()});
    if (!pid) {
        return std::unexpected(pid.error());
    }
    pid_ = *pid;
    page_ = *std::move(page);
    page_until_ = now + page_kept;
    return {};
}

void Browser::tend(SteadyTime now) {
    if (page_ && now >= page_until_) {
        page_.reset();
    }
    if (pid_ > 0 && ::waitpid(pid_, nullptr, WNOHANG) != 0) {
        pid_ = -1;
    }
}

std::optional<SteadyTime> Browser::tend_at() const {
    return page_ ? std::optional(page_until_) : std::nullopt;
}

}  // namespace smsrack::cli
