/// What the calls of clients need to reach the service, and how long they wait for it.
#pragma once

#include "firmware-host/gate/gate_metrics.hpp"
#include "firmware-host/gate/upstream.hpp"
#include "firmware-host/net/loop.hpp"
#include "src/base/clock.hpp"
#include "src/base/result.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <utility>

namespace smsrack::gate {

struct ServiceLink {
    Upstream& upstream;
    net::Loop& loop;
    const Clock& clock;
    GateMetrics& metrics;
};

/// An upgrade holds connections for some 100 ms; a restart takes a second or more.
inline constexpr std::chrono::seconds service_wait{10};
/// A stream waits longer: its client sees nothing of it.
inline constexpr std::chrono::seconds stream_wait{60};
inline constexpr std::chrono::milliseconds try_again{100};
/// Asks again after try_again, if the author of the answer is still there then.
template <typename Author>
[[nodiscard]] net::LoopWatchPtr soon(const ServiceLink& link, std::weak_ptr<Author> author,
                                     void (Author::*ask)()) {
    return link.loop.after(try_again, [author = std::move(author), ask] {
        if (const auto self = author.lock()) {
            ((*self).*ask)();
        }
    });
}
/// Of one answer or one body on its way, on either side: then the other side is not read.
inline constexpr std::size_t held_max = 256UL * 1024;

/// Told to a client that has waited long enough. `maybe_done`: the service may have done what was
/// asked before it went away, and the client could not tell when it asks again.
[[nodiscard]] inline Error service_away(bool maybe_done) {
    return {.code = maybe_done ? Errc::outcome_unknown : Errc::overloaded,
            .context = maybe_done ? "the service went away before it answered; look whether this "
                                    "was done before you repeat it"
                                  : "the service does not run at the moment",
            .retry_after = service_wait};
}

}  // namespace smsrack::gate
