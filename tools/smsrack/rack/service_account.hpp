/// The account whose rights `doctor` checks: that of the service, if this process may act as it.
///
/// A file that root can read may be closed to the service, and the service is what counts.
/// Threads: one; while an object exists, the process has the rights of that account.
#pragma once

#include "firmware-host/setup/configuration.hpp"

#include <sys/types.h>
#include <vector>

namespace smsrack::cli {

class ServiceAccount {
public:
    /// Root becomes the account `smsrack`, where the machine has one; all others stay what they are.
    ServiceAccount();
    ~ServiceAccount();
    ServiceAccount(const ServiceAccount&) = delete;
    ServiceAccount& operator=(const ServiceAccount&) = delete;

    /// Whose rights these are.
    [[nodiscard]] host::Rights rights() const { return rights_; }

private:
    host::Rights rights_ = host::Rights::of_service;
    bool changed_ = false;
    std::vector<gid_t> groups_ = {};  // before
    gid_t group_ = 0;                 // before
};

}  // namespace smsrack::cli
