/// The receiver of one webhook: looks its name up, checks where it leads, signs and sends.
///
/// Time:    an address is used for address_kept, and no longer once a request failed; a request with its lookup takes at most the
///          webhook's timeout.
/// Bound:   one lookup at a time; what waits for it is bounded by the caller.
/// Threads: loop thread. `done` may destroy the receiver.
/// Errors:  none here; what goes wrong is a PostOutcome.
#pragma once

#include "firmware-host/gate/webhook/name_lookup.hpp"
#include "firmware-host/gate/webhook/post_client.hpp"
#include "src/base/clock.hpp"
#include "src/config/ip_address.hpp"
#include "src/config/webhook_settings.hpp"
#include "src/posting/receiver_request.hpp"

#include <chrono>
#include <list>
#include <memory>
#include <optional>
#include <vector>

namespace smsrack::gate {

class Receiver {
public:
    static constexpr std::chrono::seconds address_kept{30};

    struct Parts {
        PostClient::Parts post;
        NameLookup& names;
    };

    /// What is in `parts` outlives the object.
    Receiver(const Parts& parts, const config::WebhookSettings& webhook,
             posting::ReceiverKeys keys);
    /// Ends all requests; none gets its `done`.
    ~Receiver() = default;
    Receiver(const Receiver&) = delete;
    Receiver& operator=(const Receiver&) = delete;

    /// `done` is called later, once.
    void send(posting::WebhookEvent event, PostClient::Done done);

private:
    /// It waits for the address.
    struct Waiting {
        posting::WebhookEvent event = {};
        PostClient::Done done = {};
        SteadyTime begun = {};
        net::LoopWatchPtr too_late = {};
    };
    using Addresses = NameLookup::Addresses;

    void look_up();
    void found(Result<Addresses> result);
    void tell_all(const PostOutcome& outcome);
    void post(Waiting waiting);
    [[nodiscard]] PostOutcome came_to_nothing(PostOutcome words, SteadyTime begun) const;

    const Parts parts_;
    const config::WebhookSettings webhook_;
    const posting::ReceiverKeys keys_;
    const config::HttpUrl target_;  ///< that is connected to: the receiver, or its proxy
    std::optional<Addresses> addresses_;
    SteadyTime looked_up_at_ = {};
    bool looking_up_ = false;
    std::list<Waiting> waiting_;
    std::shared_ptr<int> lives_ = std::make_shared<int>();
    PostClient client_;
};

}  // namespace smsrack::gate
