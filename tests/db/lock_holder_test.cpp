#include "db/engine/lock_holder.hpp"

#include "db/engine/state_lock.hpp"
#include "tests/db/temp_folder.hpp"

#include <doctest/doctest.h>

#include <array>
#include <csignal>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <string>
#include <sys/file.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace smsrack;

namespace {

/// A child that holds an flock on the file for as long as the object exists.
class Holder {
public:
    explicit Holder(const std::string& file) {
        std::array<int, 2> told{};
        REQUIRE(pipe(told.data()) == 0);
        pid_ = fork();
        if (pid_ == 0) {
            const int fd = open(file.c_str(), O_RDWR | O_CREAT, 0600);
            const bool held = flock(fd, LOCK_EX) == 0;
            (void)!write(told[1], held ? "1" : "0", 1);
            for (;;) {
                pause();
            }
        }
        char word = 0;
        REQUIRE(read(told[0], &word, 1) == 1);
        CHECK(word == '1');
        close(told[0]);
        close(told[1]);
    }
    Holder(const Holder&) = delete;
    Holder& operator=(const Holder&) = delete;
    ~Holder() {
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }
    [[nodiscard]] pid_t pid() const { return pid_; }

private:
    pid_t pid_ = -1;
};

}  // namespace

TEST_CASE("lock_pids: who holds a lock on the file, whatever its kind; who waits is none of them") {
    const std::string locks =
        "1: POSIX  ADVISORY  READ 41 fd:01:1234 120 120\n"
        "2: FLOCK  ADVISORY  WRITE 42 fd:01:1234 0 EOF\n"
        "2: -> FLOCK  ADVISORY  WRITE 43 fd:01:1234 0 EOF\n"
        "3: POSIX  ADVISORY  WRITE 41 fd:01:1234 128 128\n"
        "4: OFDLCK ADVISORY  WRITE -1 fd:01:1234 0 EOF\n"
        "5: FLOCK  ADVISORY  WRITE 44 fd:01:12345 0 EOF\n"
        "6: FLOCK  ADVISORY  WRITE 45 fd:02:1234 0 EOF\n"
        "7: FLOCK\n\nnonsense";
    CHECK(db::lock_pids(locks, makedev(0xfd, 1), 1234) == std::vector<pid_t>{41, 42});
    CHECK(db::lock_pids("", makedev(0xfd, 1), 1234).empty());
}

TEST_CASE("StateLock: the error names the process that holds it, though the file names another") {
    const test::TempFolder folder;
    const auto file = folder.file("smsrack.lock");
    {
        const Holder holder(file);
        const auto lock = db::StateLock::take(file);
        REQUIRE_FALSE(lock);
        CHECK(lock.error().code == Errc::busy);
        CHECK(lock.error().context.contains("process " + std::to_string(holder.pid()) + ", uid "));
    }
    CHECK(db::StateLock::take(file));
}

TEST_CASE("StateLock: one that is let go in a moment is waited for") {
    const test::TempFolder folder;
    const auto file = folder.file("smsrack.lock");
    auto before = db::StateLock::take(file);
    REQUIRE(before);
    std::optional<db::StateLock> held(*std::move(before));
    const std::jthread ends([&held] {
        (void)poll(nullptr, 0, 50);
        held.reset();
    });
    CHECK(db::StateLock::take(file));
}
