/// Puts back into an engine that has forgotten something what this box has.
///
/// It marks what the engine may lack, waits until the putter has put that and the settler has ended what has ended,
/// puts the pairs that this box has claimed, and has the rules of this box kept once more.
/// Time:    it looks again after look_pause whether they have, and less and less often, up to look_pause_max: a box that sends has
///          something new to end again and again.
/// Threads: the desk's.
#pragma once

#include "src/cluster/task.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace smsrack::cluster {

class Returner final : public Task {
public:
    static constexpr std::chrono::milliseconds look_pause{70};
    static constexpr std::chrono::milliseconds look_pause_max{1'130};

    /// `marked`: there is something to put or to end; `shared`: the rules of this box come from the store again.
    Returner(const FleetWorld& world, SeatKeeper& seat, std::function<void()> marked,
             std::function<void()> shared);

private:
    [[nodiscard]] bool may_run() const override { return seat_.is_returning(); }
    void begin() override;
    void mark();
    void find(ports::PutAgain::Page page);
    void mark_ends(std::vector<MessageId> forgotten, MessageId last);
    void share_rules();
    void wait_for_putter();
    void wait_for_settler();
    void look_later();
    void put_pairs();
    void put(std::vector<ports::OwnPair> pairs, std::size_t first, std::optional<ports::Pair> last);

    std::function<void()> marked_;
    std::function<void()> shared_;
    std::chrono::milliseconds pause_ = look_pause;
    ports::Seat of_ = {};
    unsigned returns_ = 0;      // SeatKeeper::returns() of what follows
    MessageId marked_to_ = {};  // rows
    ports::Pair put_to_ = {};
};

}  // namespace smsrack::cluster
