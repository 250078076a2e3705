/// Accounts and groups that only this process and its children see: /etc/passwd and /etc/group of a
/// mount namespace.
///
/// For root. The rest of the machine sees nothing of it.
#pragma once

#include "tests/support/temp_dir.hpp"

#include <string>
#include <string_view>

namespace smsrack::test {

class Accounts {
public:
    /// Adds these lines to what the files have. Throws where there may be no namespace.
    Accounts(std::string_view passwd, std::string_view groups);
    Accounts(const Accounts&) = delete;
    Accounts& operator=(const Accounts&) = delete;
    /// The files are those of before.
    ~Accounts();

    /// Empty: they can be made; else why not.
    [[nodiscard]] static std::string why_not();

private:
    void cover(const char* file, std::string_view lines) const;

    TempDir folder_;
};

}  // namespace smsrack::test
