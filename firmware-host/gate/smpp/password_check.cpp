#include "firmware-host/gate/smpp/password_check.hpp"

#include "firmware-host/gate/session/secret.hpp"
#include "src/access/password.hpp"
#include "src/access/token.hpp"

#include <utility>

namespace smsrack::gate {
namespace {

/// Of no password: who has no account must not learn it from the time of the answer.
constexpr const char* nobody =
    "$y$j9T$000000000000000000000.$0000000000000000000000000000000000000000000";

}  // namespace

PasswordCheck::PasswordCheck(net::Loop& loop) : loop_(loop), key_(new_secret()) {}

std::string PasswordCheck::remembered(const std::string& hash, const std::string& password) const {
    return access::token_hash(key_ + hash + '\n' + password);
}

void PasswordCheck::check(const std::string& hash, const std::string& password, Done done) {
    const auto known = right_.find(hash);
    if (known != right_.end() && known->second == remembered(hash, password)) {
        return done(true);
    }
    if (waiting_ == waiting_max) {
        return done(false);
    }
    ++waiting_;
    pool_.post(
        [this, hash, password, done = std::move(done), alive = std::weak_ptr(alive_)]() mutable {
            const bool right = access::password_matches(password, hash.empty() ? nobody : hash);
            loop_.post([this, hash = std::move(hash), password = std::move(password),
                        done = std::move(done), alive = std::move(alive), right] {
                if (alive.lock() != nullptr) {
                    finish(hash, password, right);
                    done(right && !hash.empty());
                }
            });
        });
}

void PasswordCheck::finish(const std::string& hash, const std::string& password, bool right) {
    --waiting_;
    if (!right || hash.empty()) {
        return;
    }
    if (right_.size() == remembered_max) {
        right_.erase(right_.begin());
    }
    right_.insert_or_assign(hash, remembered(hash, password));
}

}  // namespace smsrack::gate
