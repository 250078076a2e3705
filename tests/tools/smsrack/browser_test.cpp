// `smsrack dashboard` starts a browser: what other accounts of the machine can see of that has no code.
#include "tools/smsrack/dashboard/browser.hpp"

#include "tests/support/read_file.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>

using namespace smsrack;
using namespace smsrack::cli;
using namespace std::chrono_literals;

namespace {

const std::string address = "http://127.0.0.1:40123/#code=0123abcd";

mode_t mode_of(const std::filesystem::path& path) {
    struct stat status {};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    return status.st_mode & 0777U;
}

std::ptrdiff_t entries_in(const std::filesystem::path& folder) {
    return std::distance(std::filesystem::directory_iterator(folder), {});
}

}  // namespace

TEST_CASE(
    "dashboard: the page with the code is for the caller's eyes alone, and ends with its object") {
    const test::TempDir folder;
    {
        const auto page = LoginPage::write(folder.path(), address);
        REQUIRE(page);
        CHECK(test::read_file(page->file()).contains("content=\"0;url=" + address + "\""));
        CHECK(mode_of(page->file()) == 0600U);
        CHECK(mode_of(page->file().parent_path()) == 0700U);
    }
    CHECK(entries_in(folder.path()) == 0);
    CHECK(LoginPage::write(folder.path() / "none", address).error().code == Errc::storage);
}

TEST_CASE(
    "dashboard: the browser gets a file and no code, can be interrupted, and the file ends after a "
    "minute") {
    const test::TempDir folder;
    const test::TempDir pages;
    const auto said = folder.path() / "said";
    const auto program = folder.path() / "open";
    {
        std::ofstream script(program);
        script << "#!/bin/sh\n{ echo \"$@\"; grep SigBlk /proc/self/status; } >" << said.string()
               << ".new\nmv " << said.string() << ".new " << said.string() << "\n";
    }
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    sigset_t blocked{};
    sigset_t before{};
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGINT);  // as StopSignal does it
    ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
    Browser browser(program.string(), pages.path());
    const SteadyTime begin{};
    CHECK_FALSE(browser.tend_at());
    const auto opened = browser.open(address, begin);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    REQUIRE(opened);
    REQUIRE(test::wait_for(20s, [&] { return std::filesystem::exists(said); }));
    const std::string words = test::read_file(said);
    CHECK(words.starts_with(pages.path().string() + "/smsrack-dashboard-"));
    CHECK_FALSE(words.contains("code"));
    CHECK(words.contains("SigBlk:\t0000000000000000"));
    CHECK(browser.tend_at() == begin + 60s);
    browser.tend(begin + 59s);
    CHECK(entries_in(pages.path()) == 1);
    browser.tend(begin + 60s);
    CHECK(entries_in(pages.path()) == 0);
    CHECK_FALSE(browser.tend_at());
}

TEST_CASE("dashboard: where there is no browser, no page stays") {
    const test::TempDir pages;
    Browser browser("smsrack-no-such-program", pages.path());
    CHECK(browser.open(address, {}).error().code == Errc::not_found);
    CHECK(entries_in(pages.path()) == 0);
}
