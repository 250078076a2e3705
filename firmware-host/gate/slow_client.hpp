/// Reads no more of the service's answer while its client has not taken what came of it.
///
/// Bound:   held_max octets that the client has not taken.
/// Threads: loop thread.
#pragma once

#include "firmware-host/gate/service_link.hpp"
#include "firmware-host/gate/upstream.hpp"
#include "src/wire/http_message.hpp"

#include <memory>

namespace smsrack::gate {

/// Where the author of an answer keeps its call; null while it has none.
using CallPlace = std::unique_ptr<Upstream::Call>;

/// `call` exists as long as its author: it continues when the client has taken all.
inline void pause_if_full(const std::shared_ptr<CallPlace>& call, wire::Responder& client) {
    if (!*call || client.backlog() < held_max) {
        return;
    }
    (*call)->pause(true);
    client.on_drained([weak = std::weak_ptr(call)] {
        const auto again = weak.lock();
        if (again && *again) {
            (*again)->pause(false);
        }
    });
}

}  // namespace smsrack::gate
