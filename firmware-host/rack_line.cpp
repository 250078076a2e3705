#include "firmware-host/rack_line.hpp"

#include "drivers/wavecom/profile.hpp"
#include "firmware-host/rack_settings.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::host {

RackLine::RackLine(ModemId line_id, const config::ModemSettings& settings,
                   const config::ServiceSettings& service, const OpenPort& open_port,
                   const PowerOf& power_of, const Clock& clock, Log& log)
    : id(line_id),
      name(settings.name),
      modem(name, wavecom::profile, modem_settings(settings, service, log), open_port(settings),
            clock, log, power_of(settings)) {}

void RackLine::adopt_modem(std::vector<LineHandOver>& left, const config::ModemSettings& settings,
                           Log& log) {
    const auto found = std::ranges::find(left, name, &LineHandOver::name);
    if (found == left.end() || !found->continues(settings)) {
        return;
    }
    if (const auto adopted = modem.adopt(found->modem, found->port.get()); !adopted) {
        log.warn("port_not_taken_over", {{"modem", name}, {"error", adopted.error().context}});
        return;
    }
    (void)found->port.release();
    carried = std::move(*found);
}

std::optional<LineHandOver> RackLine::leave() {
    LineHandOver left{.name = name, .path = modem.port().path, .baud = modem.port().baud};
    left.fast_baud = modem.fast_baud();
    left.line = line->carried();
    auto state = modem.carried();
    left.port = serial::OwnedFd(state ? modem.duplicate_port() : -1);
    const bool in_step =
        state && (state->submit.state != gsm::SubmitState::idle) == left.line.in_hand.has_value();
    if (!in_step || left.port.get() < 0) {
        return std::nullopt;
    }
    left.modem = *std::move(state);
    return left;
}

}  // namespace smsrack::host
