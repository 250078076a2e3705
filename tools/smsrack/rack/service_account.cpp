#include "tools/smsrack/rack/service_account.hpp"

#include "firmware-host/setup/local_accounts.hpp"

#include <exception>
#include <grp.h>
#include <unistd.h>

namespace smsrack::cli {
namespace {

constexpr const char* account = "smsrack";  // User= and Group= of smsrackd.service

}  // namespace

ServiceAccount::ServiceAccount() {
    const auto service = host::local_user(account);
    if (!service || *service == ::geteuid()) {
        return;
    }
    if (::geteuid() != 0) {
        rights_ = host::Rights::of_another;
        return;
    }
    const int count = ::getgroups(0, nullptr);
    groups_.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    group_ = ::getegid();
    const auto own_group = host::local_group(account);
    if (!own_group || ::getgroups(count, groups_.data()) < 0 ||
        ::initgroups(account, *own_group) != 0) {
        rights_ = host::Rights::of_another;
        return;
    }
    changed_ = true;
    if (::setegid(*own_group) != 0 || ::seteuid(*service) != 0) {
        rights_ = host::Rights::of_another;
    }
}

ServiceAccount::~ServiceAccount() {
    if (!changed_) {
        return;
    }
    if (::seteuid(0) != 0 || ::setegid(group_) != 0 ||
        ::setgroups(groups_.size(), groups_.data()) != 0) {
        std::terminate();  // nothing may run with rights that are half another account's
    }
}

}  // namespace smsrack::cli
