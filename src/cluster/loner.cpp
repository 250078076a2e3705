#include "src/cluster/loner.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace smsrack::cluster {

Loner::Loner(const FleetWorld& world, SeatKeeper& seat,
             std::function<std::vector<GroupPace>()> groups)
    : Task(world, seat), groups_(std::move(groups)) {}

/// Not for a connection that is made again at once.
bool Loner::may_run() const {
    const auto away = seat_.away_for();
    return away && *away >= world_.settings.accept_wait;
}

/// Rows that it has passed by may have a modem by now.
void Loner::begin() {
    constexpr std::chrono::seconds again{30};
    if (const SteadyTime now = world_.clock.steady(); now >= from_first_) {
        from_first_ = now + again;
        after_ = {};
    }
    world_.look(
        [after = after_, &levels = world_.settings](ports::FleetReader& reader) {
            return reader.lone(after, levels.alone_lowest, levels.alone_highest);
        },
        [this](const Result<ports::LonePage>& page) {
            if (!page || !may_run()) {
                return end();
            }
            choose(*page);
        });
}

void Loner::choose(const ports::LonePage& page) {
    auto wishes = wishes_of(groups_(), world_.settings.ahead);
    std::vector<MessageId> messages;
    bool all = true;
    for (const ports::LoneRow& row : page.rows) {
        const auto wish = std::ranges::find(wishes, row.group, &ports::TakeWish::group);
        if (wish == wishes.end()) {
            continue;  // no modem of the group has room
        }
        if (wish->limit == 0 || messages.size() == round_max) {
            all = false;
            continue;
        }
        --wish->limit;
        messages.push_back(row.id);
    }
    const bool more = all && page.last != MessageId{};
    after_ = more ? page.last : after_;
    if (messages.empty()) {
        return end(more && !wishes.empty());
    }
    world_.ask(
        world_.store,
        ports::MakeFirm{.messages = std::move(messages), .epoch = {}, .at = world_.clock.wall()},
        [this, more](const Result<std::vector<MessageId>>& firm) {
            end(firm.has_value() && more);
        });
}

}  // namespace smsrack::cluster
