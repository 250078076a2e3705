/// A modem at the end of its serial line, full duplex: octets of the host and of the modem arrive
/// later.
///
/// The model always uses the nominal time of what happens, not at the time of the wake-up, so a
/// late step() costs the wire nothing. What the host has written can't be called back, so the model
/// may read it up to 40 ms early, at its nominal time: that spares half of the wake-ups, and an
/// order such as `hang` acts that much later.
/// Octets sent at one rate and received at another are garbage. They are sent at the rate that the sender
/// has then: for the modem this is AT+IPR, for the host host_baud().
/// Unit:    256 KiB may be under way to the host; what the modem says beyond is lost.
/// Time:    host_wrote() and step() in order of `now`; step() returns when it wants to be
///          called again.
/// Threads: one.
#pragma once

#include "tools/modem_model/modem_model.hpp"
#include "tools/modem_model/uart.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace smsrack::modem_sim {

class WiredModem {
public:
    /// `baud`: until AT+IPR says otherwise; 0: octets take no time, at any rate.
    WiredModem(ModemSettings settings, unsigned baud, Random& random, Journal& journal);

    /// The rate of the host's port from now on; 0: always the modem's. Such is it at first.
    void host_baud(unsigned baud) { host_baud_ = baud; }

    void host_wrote(SteadyTime now, std::string_view octets);
    /// False while enough is under way to the modem that a real port would block its writer.
    [[nodiscard]] bool accepts() const { return to_modem_.waiting() < 4096; }

    /// Lets everything happen that is due. Returns the next deadline.
    SteadyTime step(SteadyTime now);

    /// What has reached the host, one chunk at a time as a reader would see it; empty when all was
    /// taken. `now`: when the reader can have it.
    [[nodiscard]] std::string take_received(SteadyTime now);

    [[nodiscard]] bool offer(SteadyTime now, const Inbound& message);
    /// `unplug`: what was under way on the wire is gone, the modem has no power.
    void inject(SteadyTime now, const Fault& fault);
    /// What waits for its occasion happens no more; what lasts still does.
    void calm() { model_.calm(); }
    void time_passes(std::chrono::milliseconds length) { model_.time_passes(length); }

    [[nodiscard]] bool plugged() const { return model_.core().life != Life::off; }
    /// How often it was unplugged so far: a port that was opened before is lost.
    [[nodiscard]] unsigned unplugs() const { return unplugs_; }

    [[nodiscard]] const ModemModel& model() const { return model_; }

private:
    void unplug();
    void note_gap(SteadyTime now);
    void advance(SteadyTime now);
    void say(SteadyTime at);
    [[nodiscard]] std::string arriving(UartLane::Chunk chunk, unsigned baud);

    Random& random_;
    ModemModel model_;
    UartLane to_modem_;
    UartLane to_host_;
    SteadyTime model_deadline_ = never;
    unsigned unplugs_ = 0;
    unsigned host_baud_ = 0;
    std::optional<unsigned> lossy_above_ = {};
    SteadyTime answered_ = {};        // the end of what the host has already answered
    SteadyTime::duration late_ = {};  // of what was taken last
};

}  // namespace smsrack::modem_sim
