/// The order to the operator's program that this box has given last: to wake another box, or to park it.
///
/// It is open until it was seen to be carried out. What was not is named as trouble, until the box is as it should be, or a person has said that
/// it is gone.
/// Threads: the desk's.
#pragma once

#include "src/cluster/fleet_picture.hpp"
#include "src/cluster/fleet_world.hpp"
#include "src/ports/box_power.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace smsrack::cluster {

class PowerErrand {
public:
    struct Order {
        std::int64_t number = 0;
        ports::PowerOrder what = ports::PowerOrder::wake;
        BoxNumber box = {};
        std::string name = {};
        std::int64_t beats = 0;            // of the box, as it was ordered
        SteadyTime since = {};             // it was answered
        std::optional<Result<>> how = {};  // nullopt: not yet
    };

    /// `power`: null: there is none. `answered`: the program has ended; on the desk's thread. All outlive the object.
    PowerErrand(const FleetWorld& world, const FleetPicture& picture, ports::BoxPower* power,
                std::function<void()> answered)
        : world_(world), picture_(picture), power_(power), answered_(std::move(answered)) {}

    [[nodiscard]] bool can_order() const { return power_ != nullptr && power_->is_there(); }
    void give(ports::PowerOrder what, BoxNumber box, std::string name);
    [[nodiscard]] const std::optional<Order>& open() const { return open_; }
    std::optional<Order> take() { return std::exchange(open_, std::nullopt); }
    /// The open one has failed: `words` name it.
    void fail(std::string words);

    /// Boxes that could not be woken, each with when that was.
    [[nodiscard]] const WakesFailed& failed() const { return failed_; }
    /// The box has come, or is tried again.
    void forgive(BoxNumber box) { failed_.erase(box); }

    /// Empty: there is none, or no more.
    [[nodiscard]] const std::string& trouble() const { return words_; }
    void look_at_trouble();

private:
    struct Trouble {
        BoxNumber box = {};
        ports::PowerOrder what = ports::PowerOrder::wake;
    };

    void answered(std::int64_t number, Result<> how);

    const FleetWorld& world_;
    const FleetPicture& picture_;
    ports::BoxPower* const power_;
    const std::function<void()> answered_;
    std::optional<Order> open_ = {};
    std::int64_t given_ = 0;
    WakesFailed failed_ = {};
    std::int64_t failures_ = 0;
    std::optional<Trouble> trouble_ = {};
    std::string words_ = {};  // of it
};

}  // namespace smsrack::cluster
