/// State shared by all feeds of events: which feeds wait for room in the engine, and how many lines
/// were not events.
///
/// Threads: loop thread.
#pragma once

#include "src/trigger/door.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::api {

class TriggerFeed;

class TriggerFeeds {
public:
    /// Null: there are no triggers.
    explicit TriggerFeeds(trigger::Door* door);
    ~TriggerFeeds();
    TriggerFeeds(const TriggerFeeds&) = delete;
    TriggerFeeds& operator=(const TriggerFeeds&) = delete;

    /// Called once, when there may be room again.
    void wait_for_room(std::shared_ptr<TriggerFeed> feed);

    void add_unreadable(std::string_view trigger, std::uint64_t lines);
    /// Since the start.
    [[nodiscard]] std::uint64_t unreadable(std::string_view trigger) const;

private:
    void room();

    trigger::Door* const door_;
    std::vector<std::shared_ptr<TriggerFeed>> waiting_;             // <= connections
    std::map<std::string, std::uint64_t, std::less<>> unreadable_;  // bound: triggers
};

}  // namespace smsrack::api
