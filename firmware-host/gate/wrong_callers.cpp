#include "firmware-host/gate/wrong_callers.hpp"

#include "src/access/token.hpp"
#include "src/wire/problem.hpp"

#include <chrono>
#include <string>
#include <utility>

namespace smsrack::gate {

Error tokens_unreadable() {
    constexpr std::chrono::seconds again{30};
    return {.code = Errc::busy,
            .context = "the gate can't read its file of tokens: its log says why; try again later",
            .retry_after = again};
}

bool WrongCallers::must_wait(Answer& answer) const {
    const auto wait = wrong_.wait_of(answer.client().network, parts_.clock.steady());
    if (!wait) {
        return false;
    }
    wire::HttpResponse response =
        wire::problem(429, Errc::overloaded, "too many wrong tokens came from this address; wait");
    response.headers.push_back({"Retry-After", std::to_string(wait->count())});
    answer.send(std::move(response));
    return true;
}

void WrongCallers::refuse(Answer& answer) {
    const ClientPlace& client = answer.client();
    parts_.metrics.refused_token();
    // A proxy that does not say whose call it is: its other clients need not wait.
    if (!addresses_.is_trusted(client.address) &&
        wrong_.add(client.network, parts_.clock.steady())) {
        parts_.log.warn("wrong_tokens",
                        {{"address", parts_.log_addresses ? client.address : std::string("-")},
                         {"account", client.network},
                         {"detail", "too many from one address; it must wait"}});
    }
    answer.fail({.code = Errc::unauthorized, .context = std::string(access::unknown_token)});
}

}  // namespace smsrack::gate
