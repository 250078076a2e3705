#include "tools/modem_model/modem_model.hpp"

#include "tools/modem_model/at_syntax.hpp"
#include "tools/modem_model/call.hpp"
#include "tools/modem_model/commands.hpp"
#include "tools/modem_model/faults/inject.hpp"
#include "tools/modem_model/life.hpp"
#include "tools/modem_model/sms/delivery.hpp"
#include "tools/modem_model/sms/erasure.hpp"
#include "tools/modem_model/sms/submit.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::modem_sim {
namespace {

constexpr char ctrl_z = 0x1A;
constexpr char escape = 0x1B;
constexpr std::size_t line_max = 512;  // octets of a command line; a real one takes about this many
constexpr std::size_t entry_max = 1024;   // digits of a PDU are 352, with room for a wrong one
constexpr std::size_t waiting_max = 512;  // octets that wait while busy

bool listens(const Core& core) {
    return core.life != Life::off && core.life != Life::starting && !core.faults.hung;
}

/// Of each message in parts of a sender that counts none.
constexpr std::uint8_t constant_reference = 0x01;

/// The one command that a stalled modem still hears.
bool restarts(std::string_view line) {
    return line == "AT+CFUN=1" || line == "AT+CFUN=1,1";
}

}  // namespace

ModemModel::ModemModel(ModemSettings settings, Random& random, Journal& journal)
    : core_(std::move(settings), random, journal) {
    power_on_ready(core_);
}

void ModemModel::feed(SteadyTime at, std::string_view octets) {
    for (const char octet : octets) {
        take_octet(at, octet);
    }
}

void ModemModel::host_answered(const HostGap& gap) {
    (core_.input == InputMode::entry ? core_.gaps.entry : core_.gaps.command) = gap;
}

SteadyTime ModemModel::step(SteadyTime at) {
    step_life(core_, at);
    step_submit(core_, at);
    step_erasure(core_, at);
    take_waiting(at);
    step_delivery(core_, at);
    step_call(core_, at);
    if (core_.ussd_at <= at) {
        core_.ussd_at = never;
        core_.output.urc(core_.ussd_line);
    }
    return std::min({core_.life_at, submit_deadline(core_), erasure_deadline(core_),
                     delivery_deadline(core_), core_.call.ring_at, core_.ussd_at});
}

void ModemModel::power_on(SteadyTime at) {
    modem_sim::power_on(core_, at);
}

void ModemModel::power_off() {
    modem_sim::power_off(core_);
    line_.clear();
    waiting_.clear();
}

bool ModemModel::offer(SteadyTime at, const Inbound& message) {
    if (!message.pdu.empty()) {
        return offer_pdu(at, message);
    }
    const auto segments = segments_of(message);
    if (!core_.smsc.has_room(segments.size())) {
        return false;
    }
    const std::string sent = stamp_of(at, message);
    for (std::size_t i = 0; i < segments.size(); ++i) {
        core_.smsc.put(at, {.pdu = make_deliver(message.from, sent, segments[i]),
                            .id = message.id,
                            .segment = static_cast<int>(i) + 1,
                            .segments = static_cast<int>(segments.size()),
                            .peer = message.from,
                            .text = message.text});
    }
    return true;
}

std::string ModemModel::stamp_of(SteadyTime at, const Inbound& message) {
    if (!message.time_stamp.empty()) {
        return message.time_stamp;
    }
    const auto dead = core_.faults.take(FaultKind::dead_clock);
    return dead ? dead_stamp(dead->code) : time_stamp(core_.settings.time_base.wall_at(at));
}

std::vector<TextSegment> ModemModel::segments_of(const Inbound& message) {
    auto segments = make_segments(message.text, message.reference.value_or(reference_));
    if (segments.size() < 2 || message.reference) {
        return segments;
    }
    if (core_.faults.take(FaultKind::same_reference)) {
        return make_segments(message.text, constant_reference);
    }
    ++reference_;
    return segments;
}

bool ModemModel::offer_pdu(SteadyTime at, const Inbound& message) {
    const std::size_t centre = 1 + static_cast<unsigned char>(message.pdu.front());
    if (!core_.smsc.has_room(1) || message.pdu.size() <= centre) {
        return false;
    }
    core_.smsc.put(at, {.pdu = {.octets = message.pdu, .tpdu_length = message.pdu.size() - centre},
                        .id = message.id,
                        .peer = message.from,
                        .text = message.text});
    return true;
}

void ModemModel::take_octet(SteadyTime at, char octet) {
    if (!listens(core_)) {
        ++core_.stats.lost_octets;
        return;
    }
    if (core_.input == InputMode::busy) {
        if (waiting_.size() < waiting_max) {
            waiting_ += octet;
        } else {
            ++core_.stats.lost_octets;
        }
        return;
    }
    if (core_.prefs.general.echo && octet != ctrl_z && octet != escape) {
        core_.output.write({&octet, 1});
    }
    if (core_.input == InputMode::entry) {
        take_in_entry(at, octet);
    } else {
        take_in_command(at, octet);
    }
}

void ModemModel::take_in_entry(SteadyTime at, char octet) {
    if (octet == ctrl_z) {
        say(core_, at, finish_entry(core_, at));
        (void)step(at);  // a network without service time answers at once
    } else if (octet == escape) {
        (void)core_.apply(InputEvent::escape);
        core_.output.line("OK");
        core_.output.hold(false);
    } else if (!core_.entry.number.empty()) {
        take_in_text(octet);
    } else if (octet != '\n' && octet != '\r' && core_.entry.typed.size() < entry_max) {
        core_.entry.typed += octet;
    }
}

/// A line end is part of the text, and a prompt asks for the next line.
void ModemModel::take_in_text(char octet) {
    if (octet == '\b') {
        if (!core_.entry.typed.empty()) {
            core_.entry.typed.pop_back();
        }
    } else if (octet != '\n' && core_.entry.typed.size() < entry_max) {
        core_.entry.typed += octet == '\r' ? '\n' : octet;
        if (octet == '\r') {
            core_.output.write("\r\n> ");
        }
    }
}

void ModemModel::take_in_command(SteadyTime at, char octet) {
    if (octet == '\r') {
        const std::string line = std::exchange(line_, {});
        core_.output.hold(false);
        run_line(at, line);
    } else if (octet == escape) {
        line_.clear();
        core_.output.hold(false);
    } else if (octet == '\b') {
        if (!line_.empty()) {
            line_.pop_back();
        }
    } else if (octet != '\n' && line_.size() < line_max &&
               (!line_.empty() || (octet | 0x20) == 'a')) {
        line_ += octet;  // a line begins with its A: noise before is not heard
        core_.output.hold(core_.prefs.general.echo);  // no URC within what is echoed
    }
}

void ModemModel::run_line(SteadyTime at, std::string_view line) {
    if (core_.faults.stalled) {
        if (restarts(line)) {
            restart(core_, at);
        }
        return;
    }
    const auto commands = parse_at_line(line);
    if (!commands) {
        if (!line.empty()) {
            say(core_, at, error());
        }
        return;
    }
    Answer whole;
    for (const AtCommand& command : *commands) {
        Answer answer = run_command(core_, at, command);
        whole.lines += answer.lines;
        whole.final = answer.final;
        whole.code = answer.code;
        if (answer.final != Final::ok) {
            break;
        }
    }
    say(core_, at, whole);
    if (whole.final == Final::restart) {
        restart(core_, at);
    }
    (void)step(at);
}

void ModemModel::take_waiting(SteadyTime at) {
    while (!waiting_.empty() && core_.input != InputMode::busy && listens(core_)) {
        const std::string octets = std::exchange(waiting_, {});
        feed(at, octets);
    }
}

void ModemModel::inject(SteadyTime at, const Fault& fault) {
    if (fault.kind == FaultKind::reboot || fault.kind == FaultKind::reboot_loop) {
        line_.clear();
        waiting_.clear();
    }
    inject_fault(core_, at, fault);
}

}  // namespace smsrack::modem_sim
