#include "firmware-host/gate/session/sessions.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::gate {

void Sessions::begin(std::string hash, std::string token, SteadyTime now) {
    make_room(token);
    sessions_.insert_or_assign(std::move(hash), Session{.token = std::move(token), .used = now});
}

/// Ends one if there are as many as there may be: of the token if it has its share, else of all.
void Sessions::make_room(const std::string& token) {
    const auto of_token =
        std::ranges::count_if(sessions_, [&](const auto& it) { return it.second.token == token; });
    const bool share_taken = static_cast<std::size_t>(of_token) >= of_token_max;
    if (!share_taken && sessions_.size() < sessions_max) {
        return;
    }
    auto oldest = sessions_.end();
    for (auto it = sessions_.begin(); it != sessions_.end(); ++it) {
        if ((!share_taken || it->second.token == token) &&
            (oldest == sessions_.end() || it->second.used < oldest->second.used)) {
            oldest = it;
        }
    }
    sessions_.erase(oldest);
}

const Sessions::Session* Sessions::use(std::string_view hash, SteadyTime now) {
    const auto found = sessions_.find(hash);
    if (found == sessions_.end() || is_over(found->second, now)) {
        return nullptr;
    }
    found->second.used = now;
    return &found->second;
}

bool Sessions::is_open(std::string_view hash, SteadyTime now) const {
    const auto found = sessions_.find(hash);
    return found != sessions_.end() && !is_over(found->second, now);
}

bool Sessions::end(std::string_view hash) {
    const auto found = sessions_.find(hash);
    if (found == sessions_.end()) {
        return false;
    }
    sessions_.erase(found);
    return true;
}

bool Sessions::sweep(SteadyTime now, const std::function<bool(const std::string& token)>& counts) {
    return std::erase_if(sessions_, [&](const auto& it) {
               return is_over(it.second, now) || !counts(it.second.token);
           }) != 0;
}

}  // namespace smsrack::gate
