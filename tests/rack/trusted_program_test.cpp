#include "firmware-host/system/trusted_program.hpp"

#include "firmware-host/upgrade/successor.hpp"
#include "src/base/hash.hpp"
#include "tests/support/read_file.hpp"
#include "tests/support/temp_dir.hpp"

#include <doctest/doctest.h>

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace smsrack;
using host::TrustedProgram;

namespace {

namespace fs = std::filesystem;

/// A program that ends well, in a folder of its own.
struct Installed {
    Installed() {
        fs::create_directory(folder);
        REQUIRE(chmod(folder.c_str(), 0755) == 0);
        fs::copy_file("/bin/true", program);
        REQUIRE(chmod(program.c_str(), 0755) == 0);
    }
    [[nodiscard]] Result<TrustedProgram> open() const {
        return TrustedProgram::open(program, geteuid());
    }
    const test::TempDir dir;
    const fs::path folder = dir.path() / "bin";
    const fs::path program = folder / "smsrackd";
};

void check_refused(const Result<TrustedProgram>& opened, Errc code, const std::string& words) {
    REQUIRE_FALSE(opened);
    CHECK(opened.error().code == code);
    CHECK(opened.error().context.contains(words));
}

int ending_of(const TrustedProgram& program) {
    const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    const auto pid = host::start_program(program, {"--about"}, nothing);
    ::close(nothing);
    REQUIRE(pid);
    int status = -1;
    REQUIRE(waitpid(*pid, &status, 0) == *pid);
    return status;
}

}  // namespace

TEST_CASE("TrustedProgram: one that only root or the service can change is started") {
    const Installed it;
    const auto program = it.open();
    REQUIRE(program);
    CHECK(program->path() == it.program);
    CHECK(ending_of(*program) == 0);
    fs::create_symlink(it.program, it.dir.path() / "link");
    CHECK(TrustedProgram::open(it.dir.path() / "link", geteuid()));
}

TEST_CASE("TrustedProgram: its hash is that of its octets") {
    const Installed it;
    const auto program = it.open();
    REQUIRE(program);
    const std::string octets = test::read_file(it.program.string());
    CHECK(octets.size() > 1'000);
    CHECK(program->hash() == hash128_text(octets));
    CHECK(program->require(hash128_text(octets)));
    CHECK(program->require(""));
    CHECK(program->require(hash128_text("another")).error().code == Errc::conflict);
}

TEST_CASE("TrustedProgram: what is executed is what was checked, whatever took its place") {
    const Installed it;
    const auto program = it.open();
    REQUIRE(program);
    fs::copy_file("/bin/false", it.folder / "other");
    fs::rename(it.folder / "other", it.program);
    CHECK(ending_of(*program) == 0);
}

TEST_CASE("TrustedProgram: a file or folder that others may write to is refused") {
    const Installed it;
    for (const mode_t mode : {0775U, 0757U, 0777U}) {
        CAPTURE(mode);
        REQUIRE(chmod(it.program.c_str(), mode) == 0);
        check_refused(it.open(), Errc::forbidden, "others may change it");
        REQUIRE(chmod(it.program.c_str(), 0755) == 0);
        REQUIRE(chmod(it.folder.c_str(), mode) == 0);
        check_refused(it.open(), Errc::forbidden, it.folder.string() + " has mode");
        REQUIRE(chmod(it.folder.c_str(), 0755) == 0);
        REQUIRE(chmod(it.dir.path().c_str(), mode) == 0);  // one above
        check_refused(it.open(), Errc::forbidden, it.dir.path().string() + " has mode");
        REQUIRE(chmod(it.dir.path().c_str(), 0700) == 0);
    }
    CHECK(it.open());
    REQUIRE(chmod(it.folder.c_str(), 01777) == 0);  // everyone may make files next to it
    check_refused(it.open(), Errc::forbidden, it.folder.string());
}

TEST_CASE("TrustedProgram: one that belongs to another account is refused") {
    const Installed it;
    constexpr uid_t other = 61'002;
    if (geteuid() == 0) {
        REQUIRE(chown(it.program.c_str(), other, static_cast<gid_t>(-1)) == 0);
        check_refused(it.open(), Errc::forbidden, "belongs to uid 61002");
        REQUIRE(chown(it.program.c_str(), 0, static_cast<gid_t>(-1)) == 0);
        REQUIRE(chown(it.folder.c_str(), other, static_cast<gid_t>(-1)) == 0);
        check_refused(it.open(), Errc::forbidden, it.folder.string() + " belongs to uid 61002");
    } else {  // a service of another account
        check_refused(TrustedProgram::open(it.program, other), Errc::forbidden, "belongs to uid");
    }
}

TEST_CASE("TrustedProgram: what is no program, and what another program would read") {
    const Installed it;
    REQUIRE(chmod(it.program.c_str(), 0644) == 0);
    check_refused(it.open(), Errc::bad_request, "no program");
    check_refused(TrustedProgram::open(it.folder, geteuid()), Errc::bad_request, "no program");
    check_refused(TrustedProgram::open(it.folder / "none", geteuid()), Errc::bad_request,
                  "no program");
    std::ofstream(it.program) << "#!/bin/sh\nexit 0\n";
    REQUIRE(chmod(it.program.c_str(), 0755) == 0);
    check_refused(it.open(), Errc::forbidden, "scripts are refused");
}
