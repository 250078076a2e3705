/// Octets in memory that accounts have not taken, of all accounts and of each.
///
/// Bound:   octets_max of all together, but that each account may always hold a share_min.
/// Threads: loop thread.
#pragma once

#include <cstddef>

namespace smsrack::gate {

class DeliveryRoom {
public:
    static constexpr std::size_t octets_max = 32UL << 20U;
    static constexpr std::size_t share_min = 32UL * 1024;

    /// What one account holds; the room outlives it.
    class Share {
    public:
        explicit Share(DeliveryRoom& room) : room_(room) {}
        ~Share() { drop(held_); }
        Share(const Share&) = delete;
        Share& operator=(const Share&) = delete;

        void hold(std::size_t octets) {
            held_ += octets;
            room_.held_ += octets;
        }
        void drop(std::size_t octets) {
            held_ -= octets;
            room_.held_ -= octets;
        }
        [[nodiscard]] bool has_room() const {
            return held_ < share_min || room_.held_ < octets_max;
        }

    private:
        DeliveryRoom& room_;
        std::size_t held_ = 0;
    };

private:
    std::size_t held_ = 0;
};

}  // namespace smsrack::gate
