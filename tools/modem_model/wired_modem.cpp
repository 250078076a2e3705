#include "tools/modem_model/wired_modem.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace smsrack::modem_sim {
namespace {

/// Octets after which the modem may do something: the wire carries what is up to one of them as a
/// chunk.
constexpr std::string_view terminators = "\r\x1A\x1B";

/// The longest PDU line takes 30 ms at 115200 baud.
constexpr std::chrono::milliseconds read_ahead(40);

/// A long listing reaches the host in pieces of about this many octets, at line ends.
constexpr std::size_t piece = 256;

/// A full SIM listed is 18 KiB: enough for a host that lists it a dozen times without reading.
constexpr std::size_t to_host_max = std::size_t{256} * 1024;

ModemSettings with_baud(ModemSettings settings, unsigned baud) {
    settings.baud = baud != 0 ? baud : settings.baud;
    return settings;
}

}  // namespace

WiredModem::WiredModem(ModemSettings settings, unsigned baud, Random& random, Journal& journal)
    : random_(random),
      model_(with_baud(std::move(settings), baud), random, journal),
      to_modem_(baud),
      to_host_(baud) {
    to_host_.set_baud(model_.baud());
}

/// The chunk as its receiver has it, who reads at `baud`.
std::string WiredModem::arriving(UartLane::Chunk chunk, unsigned baud) {
    if (chunk.baud != baud) {
        return read_at_rate(chunk.octets, chunk.baud, baud);
    }
    if (lossy_above_ && chunk.baud > *lossy_above_) {
        constexpr std::uint64_t one_of = 50;
        std::erase_if(chunk.octets, [this](char) { return random_.below(one_of) == 0; });
    }
    return std::move(chunk.octets);
}

void WiredModem::host_wrote(SteadyTime now, std::string_view octets) {
    note_gap(now);
    to_modem_.set_baud(host_baud_ != 0 ? host_baud_ : model_.baud());
    while (!octets.empty()) {
        const std::size_t end = std::min(octets.find_first_of(terminators), octets.size() - 1) + 1;
        to_modem_.send(now, octets.substr(0, end));
        octets.remove_prefix(end);
    }
}

/// Only the first octets behind something said are an answer to it.
void WiredModem::note_gap(SteadyTime now) {
    const SteadyTime said = to_host_.last_due();
    if (said != answered_) {
        answered_ = said;
        const auto micros = [](SteadyTime::duration time) {
            return std::chrono::duration_cast<std::chrono::microseconds>(
                std::max(time, SteadyTime::duration::zero()));
        };
        model_.host_answered({.host = micros(now - said - late_), .late = micros(late_)});
    }
}

SteadyTime WiredModem::step(SteadyTime now) {
    advance(now);
    return std::min({to_modem_.due(), model_deadline_, to_host_.due()});
}

std::string WiredModem::take_received(SteadyTime now) {
    std::string octets;
    while (octets.empty() && to_host_.due() <= now) {
        UartLane::Chunk chunk = to_host_.take();
        late_ = now - chunk.due;
        const unsigned read_at = host_baud_ != 0 ? host_baud_ : chunk.baud;
        octets = arriving(std::move(chunk), read_at);
    }
    return octets;
}

bool WiredModem::offer(SteadyTime now, const Inbound& message) {
    advance(now);
    const bool taken = model_.offer(now, message);
    model_deadline_ = model_.step(now);
    say(now);
    return taken;
}

void WiredModem::inject(SteadyTime now, const Fault& fault) {
    advance(now);
    if (fault.kind == FaultKind::split) {
        to_host_.split_next(static_cast<std::uint64_t>(fault.count));
    }
    if (fault.kind == FaultKind::rate_lossy || fault.kind == FaultKind::rate_clean) {
        lossy_above_ = fault.kind == FaultKind::rate_lossy
                           ? std::optional(static_cast<unsigned>(fault.code))
                           : std::nullopt;
    }
    model_.inject(now, fault);
    if (fault.kind == FaultKind::unplug) {
        unplug();
        return;
    }
    if (fault.kind == FaultKind::replug) {
        model_.power_on(now);
    }
    model_deadline_ = model_.step(now);
    say(now);
}

void WiredModem::unplug() {
    to_modem_.clear();
    to_host_.clear();
    model_.power_off();
    to_host_.set_baud(model_.baud());
    model_deadline_ = never;
    ++unplugs_;
}

void WiredModem::advance(SteadyTime now) {
    while (true) {
        if (to_modem_.due() < model_deadline_ && to_modem_.due() <= now + read_ahead) {
            UartLane::Chunk chunk = to_modem_.take();
            const SteadyTime due = chunk.due;
            model_.feed(due, arriving(std::move(chunk), model_.baud()));
            model_deadline_ = model_.step(due);
            say(due);
        } else if (model_deadline_ <= now) {
            const SteadyTime at = model_deadline_;
            model_deadline_ = model_.step(at);
            say(at);
        } else {
            return;
        }
    }
}

void WiredModem::say(SteadyTime at) {
    const std::string said = model_.take_output();
    std::string_view rest = said;
    while (!rest.empty() && to_host_.waiting() < to_host_max) {
        const std::size_t line_end = rest.find("\r\n", std::min(piece, rest.size()));
        const std::size_t end = line_end == std::string_view::npos ? rest.size() : line_end + 2;
        to_host_.send(at, rest.substr(0, end));
        rest.remove_prefix(end);
    }
    to_host_.set_baud(model_.baud());  // what changes it is answered at the rate before
}

}  // namespace smsrack::modem_sim
