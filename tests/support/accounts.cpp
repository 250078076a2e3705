#include "tests/support/accounts.hpp"

#include "tests/support/read_file.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace smsrack::test {
namespace {

constexpr const char* passwd_file = "/etc/passwd";
constexpr const char* group_file = "/etc/group";

bool enter_namespace() {
    return unshare(CLONE_NEWNS) == 0 &&
           mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

}  // namespace

std::string Accounts::why_not() {
    if (geteuid() != 0) {
        return "other accounts need root";
    }
    return enter_namespace() ? "" : "no mount namespace: " + std::generic_category().message(errno);
}

Accounts::Accounts(std::string_view passwd, std::string_view groups) {
    if (!enter_namespace()) {
        throw std::system_error(errno, std::generic_category(), "unshare");
    }
    cover(passwd_file, passwd);
    cover(group_file, groups);
}

Accounts::~Accounts() {
    (void)umount2(group_file, MNT_DETACH);
    (void)umount2(passwd_file, MNT_DETACH);
}

void Accounts::cover(const char* file, std::string_view lines) const {
    const auto copy = folder_.path() / std::filesystem::path(file).filename();
    std::ofstream(copy) << read_file(file) << lines;
    if (chmod(copy.c_str(), 0644) != 0 ||
        mount(copy.c_str(), file, nullptr, MS_BIND, nullptr) != 0) {
        throw std::system_error(errno, std::generic_category(), file);
    }
}

}  // namespace smsrack::test
