#include "src/api/triggers/trigger_feeds.hpp"

#include "src/api/triggers/trigger_feed.hpp"

#include <utility>

namespace smsrack::api {

TriggerFeeds::TriggerFeeds(trigger::Door* door) : door_(door) {
    if (door_ != nullptr) {
        door_->on_room([this] { room(); });
    }
}

TriggerFeeds::~TriggerFeeds() {
    if (door_ != nullptr) {
        door_->on_room([] {});
    }
}

void TriggerFeeds::wait_for_room(std::shared_ptr<TriggerFeed> feed) {
    waiting_.push_back(std::move(feed));
}

void TriggerFeeds::add_unreadable(std::string_view trigger, std::uint64_t lines) {
    unreadable_[std::string(trigger)] += lines;
}

std::uint64_t TriggerFeeds::unreadable(std::string_view trigger) const {
    const auto found = unreadable_.find(trigger);
    return found == unreadable_.end() ? 0 : found->second;
}

void TriggerFeeds::room() {
    for (const auto& waiting : std::exchange(waiting_, {})) {
        waiting->go_on();
    }
}

}  // namespace smsrack::api
