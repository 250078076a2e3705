#include "firmware-host/gate/smpp/password_check.hpp"

#include "firmware-host/gate/session/secret.hpp"
#include "src/access/password.hpp"
#include "src/access/token.hpp"

#include <utility>

namespace smsrack::gate {
namespace {

/// Of no password: who has no account must not learn it from the time of the answer.
constexpr const char* no_password =
    "$y$j9T$000000000000000000000.$0000000000000000000000000000000000000000000";

}  // namespace

PasswordCheck::PasswordCheck(net::Loop& loop) : loop_(loop), key_(new_secret()) {}

std::string PasswordCheck::remembered(const std::string& hash, const std::string& password) const {
    return access::token_hash(key_ + hash + '\n' + password);
}

void PasswordCheck::check(std::string hash, std::string password, Wanted wanted, Done done) {
    const auto known = right_.find(hash);
    if (known != right_.end() && known->second == remembered(hash, password)) {
        return done(true);
    }
    std::erase_if(waiting_, [](const Check& check) { return !check.wanted(); });
    waiting_.push_back({std::move(hash), std::move(password), std::move(wanted), std::move(done)});
    next();
}

void PasswordCheck::next() {
    while (!runs_ && !waiting_.empty()) {
        Check check = std::move(waiting_.front());
        waiting_.pop_front();
        if (!check.wanted()) {
            continue;
        }
        runs_ = true;
        pool_.post([this, check = std::move(check), alive = std::weak_ptr(alive_)]() mutable {
            const bool right = access::password_matches(
                check.password, check.hash.empty() ? no_password : check.hash);
            loop_.post([this, check = std::move(check), alive = std::move(alive), right] {
                if (alive.lock() != nullptr) {
                    finish(check, right);
                }
            });
        });
    }
}

void PasswordCheck::finish(const Check& check, bool right) {
    runs_ = false;
    const bool counts = right && !check.hash.empty();
    if (counts && right_.size() == remembered_max) {
        right_.erase(right_.begin());
    }
    if (counts) {
        right_.insert_or_assign(check.hash, remembered(check.hash, check.password));
    }
    check.done(counts);
    next();
}

}  // namespace smsrack::gate
