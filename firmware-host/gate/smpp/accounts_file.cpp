#include "firmware-host/gate/smpp/accounts_file.hpp"

#include "firmware-host/setup/text_file.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace smsrack::gate {

AccountsFile::AccountsFile(std::string path, net::Loop& loop, Log& log,
                           std::function<void()> changed)
    : path_(std::move(path)), log_(log), changed_(std::move(changed)) {
    auto watch = host::FileWatch::make(path_, loop, [this] {
        read();
        changed_();
    });
    if (watch) {
        watch_ = *std::move(watch);
    } else {
        log_.warn("smpp_accounts_not_watched",
                  {{"file", path_},
                   {"detail", watch.error().context},
                   {"advice", "after a change: systemctl reload smsrack-gate"}});
    }
    read();
}

const smpp::Account* AccountsFile::find(std::string_view name) const {
    const auto found = std::ranges::find(accounts_, name, &smpp::Account::name);
    return found == accounts_.end() ? nullptr : &*found;
}

void AccountsFile::read() {
    namespace fs = std::filesystem;
    const auto unusable = [this](std::string_view why) {
        log_.error("smpp_accounts_unusable",
                   {{"file", path_},
                    {"detail", why},
                    {"advice", "those that were read before stay valid"}});
    };
    std::error_code error;
    const fs::perms mode = fs::status(path_, error).permissions();
    if (error == std::errc::no_such_file_or_directory) {
        // There is no account yet; or an editor is about to put the new file there.
        return accounts_.empty() ? void() : unusable("it is not there");
    }
    if (!error && (mode & (fs::perms::group_all | fs::perms::others_all)) != fs::perms::none) {
        return unusable("others than its owner may read it: chmod 600");
    }
    const auto text = host::read_text_file(path_);
    if (!text) {
        return unusable(text.error().context);
    }
    auto accounts = smpp::accounts_of(*text);
    if (!accounts) {
        return unusable(accounts.error().context);
    }
    accounts_ = *std::move(accounts);
    log_.info("smpp_accounts_read", {{"accounts", accounts_.size()}});
}

}  // namespace smsrack::gate
