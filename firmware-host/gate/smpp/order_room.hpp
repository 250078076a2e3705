/// Octets of what the ESMEs of one account have asked besides new messages, until the service has answered.
///
/// Bound:   bytes_max; and the room of all accounts, which SubmitLink shares.
/// Threads: loop thread.
#pragma once

#include "firmware-host/gate/smpp/submit_link.hpp"

#include <cstddef>
#include <memory>
#include <utility>

namespace smsrack::gate {

class OrderRoom {
public:
    static constexpr std::size_t bytes_max = SubmitLink::bytes_max;
    /// About what a call to the service takes with its answer, but for the content.
    static constexpr std::size_t order_bytes = 4096;
    /// The same of a list of messages, but for the longest ones.
    static constexpr std::size_t list_bytes = 64UL * 1024;

    /// `held`: of all accounts.
    explicit OrderRoom(SubmitLink::Held held) : of_all_(std::move(held)) {}

    /// What one order takes; its owners keep it until the order has ended.
    class Place {
    public:
        Place(SubmitLink::Held mine, SubmitLink::Held of_all, std::size_t octets)
            : mine_(std::move(mine)), of_all_(std::move(of_all)), octets_(octets) {
            *mine_ += octets_;
            *of_all_ += octets_;
        }
        ~Place() {
            *mine_ -= octets_;
            *of_all_ -= octets_;
        }
        Place(const Place&) = delete;
        Place& operator=(const Place&) = delete;

    private:
        const SubmitLink::Held mine_;
        const SubmitLink::Held of_all_;
        const std::size_t octets_;
    };
    using PlacePtr = std::shared_ptr<const Place>;

    [[nodiscard]] bool has_room() const {
        return *mine_ < bytes_max && *of_all_ < SubmitLink::bytes_of_all;
    }
    [[nodiscard]] PlacePtr take(std::size_t content_bytes) const {
        return std::make_shared<const Place>(mine_, of_all_, order_bytes + content_bytes);
    }

private:
    const SubmitLink::Held mine_ = std::make_shared<std::size_t>(0);
    const SubmitLink::Held of_all_;
};

}  // namespace smsrack::gate
