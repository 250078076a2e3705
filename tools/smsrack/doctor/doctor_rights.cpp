#include "tools/smsrack/doctor/doctor_rights.hpp"

#include "tools/smsrack/doctor/doctor_unit.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace smsrack::cli {
namespace {

constexpr unsigned owner_may = 0600;
constexpr unsigned group_may = 0060;

std::string user_name(uid_t uid) {
    const passwd* const entry = ::getpwuid(uid);  // NOLINT(concurrency-mt-unsafe): one thread
    return entry != nullptr ? entry->pw_name : fmt::format("user {}", uid);
}

std::string group_name(gid_t gid) {
    const group* const entry = ::getgrgid(gid);  // NOLINT(concurrency-mt-unsafe): one thread
    return entry != nullptr ? entry->gr_name : fmt::format("group {}", gid);
}

bool is_in_group(const passwd& account, gid_t wanted) {
    constexpr int groups_max = 256;
    std::vector<gid_t> groups(groups_max);
    int count = groups_max;
    if (::getgrouplist(account.pw_name, account.pw_gid, groups.data(), &count) < 0) {
        return false;
    }
    groups.resize(static_cast<std::size_t>(count));
    return std::ranges::find(groups, wanted) != groups.end();
}

}  // namespace

PortRights port_rights(const std::string& port) {
    struct stat about {};
    if (::stat(port.c_str(), &about) != 0) {
        return {.path = port};
    }
    constexpr mode_t permissions = 07777;
    PortRights rights{.path = port,
                      .owner = user_name(about.st_uid),
                      .group = group_name(about.st_gid),
                      .mode = about.st_mode & permissions,
                      .asker = user_name(::geteuid())};
    // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
    if (const passwd* const account = ::getpwnam(service_account); account != nullptr) {
        rights.account = account->pw_name;
        rights.account_may =
            (account->pw_uid == about.st_uid && (rights.mode & owner_may) == owner_may) ||
            ((rights.mode & group_may) == group_may && is_in_group(*account, about.st_gid));
    }
    return rights;
}

RightsWords words_of(const PortRights& rights) {
    if (rights.owner.empty()) {
        return {.text = rights.path, .advice = "`smsrack slots` lists the ports"};
    }
    RightsWords words{.text =
                          fmt::format("{} belongs to {}:{}, mode {:04o}; you are {}", rights.path,
                                      rights.owner, rights.group, rights.mode, rights.asker)};
    if (rights.account_may) {
        words.advice = fmt::format(
            "the service's account {} may open it; `sudo smsrack doctor` "
            "asks the modem",
            rights.account);
    } else if ((rights.mode & group_may) != group_may || rights.group == "root") {
        words.advice = fmt::format(
            "its group must be one that may use it: `sudo chgrp dialout {0} && sudo chmod 0660 "
            "{0}`; to keep that when the modem is plugged in again, a udev rule with "
            "GROUP=\"dialout\", MODE=\"0660\"",
            rights.path);
    } else if (!rights.account.empty()) {
        words.advice = fmt::format("`sudo usermod -aG {} {} && sudo systemctl restart {}`",
                                   rights.group, rights.account, service_unit);
    } else {
        words.advice = fmt::format(
            "`sudo usermod -aG {} {}`, then log in again and start the "
            "service",
            rights.group, rights.asker);
    }
    return words;
}

}  // namespace smsrack::cli
