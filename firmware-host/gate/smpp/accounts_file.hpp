/// The accounts of SMPP as their file has them; read again when the file changes.
///
/// A file with a fault changes nothing; those that were read before stay valid. The file must be readable for its owner alone.
/// Threads: loop thread.
#pragma once

#include "firmware-host/net/loop.hpp"
#include "firmware-host/tokens/file_watch.hpp"
#include "src/base/log.hpp"
#include "src/smpp/account.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::gate {

class AccountsFile {
public:
    /// Reads the file. `changed`: called when it was read again. All outlives the object.
    AccountsFile(std::string path, net::Loop& loop, Log& log, std::function<void()> changed);

    /// Null: there is none of this name.
    [[nodiscard]] const smpp::Account* find(std::string_view name) const;
    [[nodiscard]] const std::vector<smpp::Account>& all() const { return accounts_; }

    void read();

private:
    const std::string path_;
    Log& log_;
    const std::function<void()> changed_;
    std::vector<smpp::Account> accounts_;
    std::unique_ptr<host::FileWatch> watch_;  // null: its folder can't be watched
};

}  // namespace smsrack::gate
