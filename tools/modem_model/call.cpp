#include "tools/modem_model/call.hpp"

#include <chrono>
#include <fmt/format.h>

namespace smsrack::modem_sim {
namespace {

constexpr std::chrono::seconds ring_every(3);

}  // namespace

void begin_call(Core& core, SteadyTime at, std::string_view from, int rings) {
    if (core.registered() && core.call.ring_at == never) {
        core.call = {.rings_left = rings, .ring_at = at, .from = std::string(from)};
    }
}

void hang_up(Core& core, SteadyTime at) {
    if (core.call.ring_at != never) {
        core.call = {};
        ++core.stats.calls_hung_up;
        core.journal.fault(at, core.settings.index, "call_hung_up");
    }
}

void step_call(Core& core, SteadyTime at) {
    Call& call = core.call;
    if (call.ring_at > at) {
        return;
    }
    if (call.rings_left == 0) {
        call = {};
        core.output.urc("NO CARRIER");
        return;
    }
    --call.rings_left;
    call.ring_at = at + ring_every;
    core.output.urc(plain_value(core.prefs.general, "+CRC") == "1" ? "+CRING: VOICE" : "RING");
    if (plain_value(core.prefs.general, "+CLIP") == "1") {
        core.output.urc(fmt::format("+CLIP: \"{}\",{},\"\",,\"\",0", call.from,
                                    call.from.starts_with('+') ? 145 : 129));
    }
}

}  // namespace smsrack::modem_sim
