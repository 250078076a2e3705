#include "tools/modem_model/faults/inject.hpp"

#include "tools/modem_model/call.hpp"
#include "tools/modem_model/life.hpp"

namespace smsrack::modem_sim {
namespace {

void set_hung(Core& core, bool hung, bool stalled) {
    core.faults.hung = hung;
    core.faults.stalled = stalled;
    core.output.mute(hung || stalled);
}

void say_garbage(Core& core, int octets) {
    for (int i = 0; i < octets; ++i) {
        const char octet = static_cast<char>(core.random.below(256));
        core.output.write({&octet, 1});
    }
}

/// An SMS-DELIVER whose originator is longer than the PDU.
void send_undecodable(Core& core, SteadyTime at, int count) {
    for (int i = 0; i < count && core.smsc.has_room(1); ++i) {
        std::string tpdu = "\x04\xFF\x91";
        for (int octet = 0; octet < 9; ++octet) {
            tpdu += static_cast<char>(core.random.below(256));
        }
        core.smsc.put(at,
                      {.pdu = {.octets = std::string(1, '\0') + tpdu, .tpdu_length = tpdu.size()}});
    }
}

/// Those that change what the modem, its SIM or its network is; false for the others.
bool change(Core& core, SteadyTime at, const Fault& fault) {
    switch (fault.kind) {
        case FaultKind::hang:
        case FaultKind::stall:
        case FaultKind::unhang:
            set_hung(core, fault.kind == FaultKind::hang, fault.kind == FaultKind::stall);
            return true;
        case FaultKind::reboot:
            restart(core, at);
            return true;
        case FaultKind::network_lost:
            set_coverage(core, Coverage::lost);
            return true;
        case FaultKind::denied:
            set_coverage(core, Coverage::denied);
            return true;
        case FaultKind::roaming:
            set_coverage(core, Coverage::roaming);
            return true;
        case FaultKind::network_back:
            set_coverage(core, Coverage::home);
            return true;
        case FaultKind::sim_removed:
            remove_card(core);
            return true;
        case FaultKind::sim_inserted:
            insert_card(core, at);
            return true;
        case FaultKind::sim_swapped:
            swap_card(core, at, static_cast<unsigned>(fault.code));
            return true;
        case FaultKind::pin_wanted:
            lock_card(core, at, fault.text, fault.count);
            return true;
        case FaultKind::puk_wanted:
            lock_card(core, at, fault.text, 0);
            return true;
        case FaultKind::centre_lost:
            core.card.centre.clear();
            return true;
        case FaultKind::storage_full:
        case FaultKind::storage_free:
            core.card.sms.jam(fault.kind == FaultKind::storage_full);
            return true;
        default:
            return false;
    }
}

}  // namespace

void inject_fault(Core& core, SteadyTime at, const Fault& fault) {
    core.journal.fault(at, core.settings.index, fault_row(fault.kind).name);
    if (change(core, at, fault)) {
        return;
    }
    switch (fault.kind) {
        case FaultKind::unplug:
        case FaultKind::replug:
        case FaultKind::split:
        case FaultKind::rate_lossy:
        case FaultKind::rate_clean:
            break;
        case FaultKind::reboot_loop:
            core.faults.add({.kind = fault.kind, .count = fault.count - 1});
            restart(core, at);
            break;
        case FaultKind::undecodable:
            send_undecodable(core, at, fault.count);
            break;
        case FaultKind::lose_urc:
            core.output.lose_urcs(fault.count);
            break;
        case FaultKind::ring:
            begin_call(core, at, fault.text, fault.count);
            break;
        case FaultKind::garbage:
            say_garbage(core, fault.count);
            break;
        default:
            core.faults.add(fault);
    }
}

}  // namespace smsrack::modem_sim
