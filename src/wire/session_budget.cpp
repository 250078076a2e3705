#include "src/wire/session_budget.hpp"

#include <utility>

namespace smsrack::wire {

SessionBudget::SessionBudget(std::size_t bytes_max) : state_(std::make_shared<State>(bytes_max)) {}

SessionBudget::Share::Share(const SessionBudget& budget, std::uint32_t account, bool privileged)
    : state_(budget.state_), account_(account), privileged_(privileged) {}

SessionBudget::Share::Share(SameAccount, const Share& share)
    : state_(share.state_), account_(share.account_), privileged_(share.privileged_) {}

std::unique_ptr<SessionBudget::Share> SessionBudget::Share::another(std::size_t bytes) const {
    std::unique_ptr<Share> share(new Share(SameAccount(), *this));
    share->hold(bytes);
    return share;
}

std::size_t SessionBudget::Share::room() const {
    const std::lock_guard lock(state_->mutex);
    const std::size_t free =
        state_->held < state_->bytes_max ? state_->bytes_max - state_->held : 0;
    if (privileged_) {
        return free;
    }
    const auto found = state_->accounts.find(account_);
    const std::size_t held = found == state_->accounts.end() ? 0 : found->second;
    // Once it has grown by the room, it holds what is still free: held + room = free - room.
    return free > held ? (free - held) / 2 : 0;
}

void SessionBudget::Share::hold(std::size_t bytes) {
    if (bytes == held_) {
        return;
    }
    const std::lock_guard lock(state_->mutex);
    std::size_t& account = state_->accounts[account_];
    account = account - held_ + bytes;
    state_->held = state_->held - held_ + bytes;
    state_->released = state_->released || bytes < held_;
    held_ = bytes;
    if (account == 0) {
        state_->accounts.erase(account_);
    }
}

std::size_t SessionBudget::held() const {
    const std::lock_guard lock(state_->mutex);
    return state_->held;
}

bool SessionBudget::take_released() {
    const std::lock_guard lock(state_->mutex);
    return std::exchange(state_->released, false);
}

}  // namespace smsrack::wire
