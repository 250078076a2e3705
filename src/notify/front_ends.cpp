#include "src/notify/front_ends.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::notify {

using ports::ClientLink;
using ports::ClientLinkEvent;

void FrontEnds::registered(const ports::ClientRow& row, FrontEndConnection& connection) {
    Entry& entry = entries_[row.name];
    FrontEndConnection* const older = std::exchange(entry.connection, &connection);
    entry.id = row.id;
    entry.heard = clock_.steady();
    entry.heard_at = clock_.wall();
    (void)move(row.name, entry, ClientLinkEvent::registered);
    entry.deadline = settings_.heartbeat.count() > 0 ? entry.heard + settings_.heartbeat : never;
    tell_deadline();
    if (older != nullptr) {
        older->end_with("replaced");
    }
}

void FrontEnds::link_lost(ClientId client, const FrontEndConnection& connection) {
    const auto found = std::ranges::find_if(entries_, [&](const auto& entry) {
        return entry.second.id == client && entry.second.connection == &connection;
    });
    if (found != entries_.end()) {
        lose(found->first, found->second);
        tell_deadline();
    }
}

void FrontEnds::heard(std::string_view name) {
    const auto found = entries_.find(name);
    if (found == entries_.end()) {
        return;
    }
    Entry& entry = found->second;
    entry.heard = clock_.steady();
    entry.heard_at = clock_.wall();
    if (entry.link == ClientLink::active && settings_.heartbeat.count() > 0) {
        // The timer fires early, and is then set again.
        entry.deadline = entry.heard + settings_.heartbeat;
    }
}

void FrontEnds::forgotten(const std::string& name) {
    const auto found = entries_.find(name);
    if (found == entries_.end()) {
        return;
    }
    FrontEndConnection* const connection = found->second.connection;
    entries_.erase(found);
    tell_deadline();
    if (connection != nullptr) {
        connection->end_with("forgotten");
    }
}

std::vector<FrontEndCarried> FrontEnds::away() const {
    std::vector<FrontEndCarried> away;
    for (const auto& [name, entry] : entries_) {
        if (entry.link == ClientLink::pending) {
            away.push_back({.name = name,
                            .id = entry.id,
                            .stop_at = entry.deadline,
                            .since = entry.since,
                            .heard_at = entry.heard_at});
        }
    }
    return away;
}

void FrontEnds::adopt(const std::vector<FrontEndCarried>& away) {
    for (const FrontEndCarried& one : away) {
        entries_[one.name] = {.id = one.id,
                              .link = ClientLink::pending,
                              .deadline = one.stop_at,
                              .since = one.since,
                              .heard_at = one.heard_at};
    }
    tell_deadline();
}

void FrontEnds::close() {
    entries_.clear();
    told_ = nullptr;
}

SteadyTime FrontEnds::step(SteadyTime now) {
    std::vector<FrontEndConnection*> silent;
    for (auto it = entries_.begin(); it != entries_.end();) {
        auto& [name, entry] = *it;
        if (entry.deadline > now) {
            ++it;
        } else if (entry.link == ClientLink::active) {
            silent.push_back(entry.connection);
            lose(name, entry);
            ++it;
        } else {
            (void)move(name, entry, ClientLinkEvent::disconnect_timer);
            it = entries_.erase(it);
        }
    }
    for (FrontEndConnection* const connection : silent) {
        connection->end_with("not_heard");
    }
    said_ = never;  // it has come
    tell_deadline();
    return said_;
}

FrontEnds::Seen FrontEnds::seen(const std::string& name) const {
    const auto found = entries_.find(name);
    if (found == entries_.end()) {
        return {};
    }
    return {.link = found->second.link,
            .since = found->second.since,
            .heard_at = found->second.heard_at};
}

std::array<std::size_t, 2> FrontEnds::counts() const {
    std::array<std::size_t, 2> counts{};
    for (const auto& [name, entry] : entries_) {
        ++counts.at(static_cast<std::size_t>(entry.link));
    }
    return counts;
}

bool FrontEnds::move(const std::string& name, Entry& entry, ClientLinkEvent event) {
    const auto to = next(ports::client_link_rules, entry.link, event);
    if (!to) {
        ++refused_;
        return false;
    }
    if (*to != entry.link) {
        entry.link = *to;
        entry.since = clock_.wall();
        store_.post(ports::KeepEvent{{.at = entry.since,
                                      .type = EventType::client_state,
                                      .detail = std::string(client_link_name(*to)) + " " + name}});
    }
    return true;
}

void FrontEnds::lose(const std::string& name, Entry& entry) {
    entry.connection = nullptr;
    if (move(name, entry, ClientLinkEvent::link_lost)) {
        entry.deadline = clock_.steady() + settings_.disconnect;
    }
}

void FrontEnds::tell_deadline() {
    SteadyTime earliest = never;
    for (const auto& [name, entry] : entries_) {
        earliest = std::min(earliest, entry.deadline);
    }
    if (earliest != said_) {
        said_ = earliest;
        if (told_) {
            told_(earliest);
        }
    }
}

}  // namespace smsrack::notify
