/// Which SIM a message should go out with: the one that its client names, the one of the parts before
/// it, or the one that its recipient knows; and for the rack's own messages not the one that they go to.
///
/// The store keeps the SIM that a recipient knows when the network takes a message. Between giving
/// one to a line and that commit it is kept here, so that two first messages to one number do not
/// go by two SIMs.
/// Threads: the dispatch thread.
#pragma once

#include "src/base/ids.hpp"
#include "src/line/may_send.hpp"
#include "src/sms/message.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace smsrack::dispatch {

class Routes {
public:
    /// `places`: messages in memory at most.
    explicit Routes(std::size_t places) : places_(places) {}

    /// For a line with this SIM. `to_itself`: the message goes to the SIM's own number.
    /// `other_can_send(sim)`: another line of the group, with this SIM, or nullopt: with any, may
    /// be busy but will send. A recipient's SIM that cannot send is not waited for: another one
    /// takes the message, and is known from then on.
    template <std::predicate<std::optional<SimId>> OtherCanSend>
    [[nodiscard]] line::Route of(const OutMessage& message, SimId sim, bool to_itself,
                                 OtherCanSend other_can_send) const {
        line::Route route{.other_can_send = false};
        if (message.self_sms) {
            route.to_itself = to_itself;
            route.other_can_send = to_itself && other_can_send(std::nullopt);
        } else if (message.sticky) {
            route.known = known(message);
            route.other_can_send =
                route.known != SimId{} && route.known != sim && other_can_send(route.known);
        }
        return route;
    }

    /// The message is given to a line with this SIM, which the recipient knows from now on.
    void given(OutMessage& message, SimId sim);

private:
    [[nodiscard]] SimId known(const OutMessage& message) const;

    const std::size_t places_;
    std::unordered_map<std::uint64_t, SimId> sims_;  // by hash of the recipient; <= places_
};

}  // namespace smsrack::dispatch
