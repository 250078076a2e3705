#include "firmware-host/tokens/tokens_file.hpp"

#include "firmware-host/process/system_clock.hpp"
#include "src/base/time_text.hpp"
#include "tests/support/quiet_log.hpp"
#include "tests/support/temp_dir.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

std::string line_of(const std::string& name, const std::string& more = "") {
    return name + " send " + access::token_hash(name) + " 2026-11-21T02:20:18Z" + more + "\n";
}

struct TokensRig {
    test::TempDir folder;
    std::filesystem::path path = folder.path() / "tokens";
    net::Loop loop;
    host::SystemClock clock;
    test::QuietLog log;
    int changes = 0;
    host::TokensFile file{path.string(), {loop, clock, log}, [this] {
                              ++changes;
                              loop.stop();
                          }};

    /// As `smsrack token` does: a whole file takes the place of the one before.
    void write(const std::string& text) {
        const auto fresh = path.string() + ".new";
        std::ofstream(fresh) << text;
        std::filesystem::rename(fresh, path);
    }
    /// Until tokens have changed, or `longest` is over.
    void wait(std::chrono::milliseconds longest = 20s) {
        const auto over = loop.after(longest, [this] { loop.stop(); });
        loop.run();
    }
    [[nodiscard]] bool counts(const std::string& name) const {
        return file.book().find(access::token_hash(name), clock.wall()) != nullptr;
    }
};

}  // namespace

TEST_CASE("TokensFile: what is written, replaced and removed counts at once") {
    TokensRig rig;
    CHECK_FALSE(rig.counts("shop"));
    rig.write(line_of("shop"));
    rig.wait();
    CHECK(rig.counts("shop"));
    rig.write(line_of("eyes"));
    rig.wait();
    CHECK(rig.counts("eyes"));
    CHECK_FALSE(rig.counts("shop"));
    std::filesystem::remove(rig.path);
    rig.wait();
    CHECK_FALSE(rig.counts("eyes"));
}

TEST_CASE("TokensFile: a file with a fault changes nothing") {
    TokensRig rig;
    rig.write(line_of("shop"));
    rig.wait();
    rig.write(line_of("eyes") + "what is this\n");
    rig.wait();
    CHECK(rig.counts("shop"));
    CHECK_FALSE(rig.counts("eyes"));
}

TEST_CASE("TokensFile: other files of the folder are none of its business") {
    TokensRig rig;
    std::ofstream(rig.folder.path() / "smsrack.toml") << "x";
    rig.wait(200ms);
    CHECK(rig.changes == 0);
}

TEST_CASE("TokensFile: reports the end of a token") {
    TokensRig rig;
    rig.write(line_of("shop", " until=" + time_text(rig.clock.wall() + 300ms)));
    rig.wait();
    CHECK(rig.counts("shop"));
    CHECK(rig.changes == 1);
    // The timer has another clock than the token: it may come a moment before, and is set again.
    for (int waits = 0; waits < 3 && rig.counts("shop"); ++waits) {
        rig.wait();
    }
    CHECK_FALSE(rig.counts("shop"));
    CHECK(rig.changes >= 2);
}

TEST_CASE("TokensFile: a folder that is not there is no fault of the service") {
    net::Loop loop;
    const host::SystemClock clock;
    test::QuietLog log;
    const host::TokensFile file("/nonexistent/tokens", {loop, clock, log}, [] {});
    CHECK(file.book().find(access::token_hash("shop"), clock.wall()) == nullptr);
}
