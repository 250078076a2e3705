/// A WAVECOM modem (Fastrack, M1306B) behind a serial port.
///
/// Threads: the line's thread; waiter().wake() from any.
/// Time:    the injected Clock; step() never waits.
/// Errors:  faults are events, as ports::Modem says.
/// Source:  3GPP TS 27.005, TS 27.007; WAVECOM AT command manual (+WIND, +CCID, +CPINC).
#pragma once

#include "drivers/serial/byte_pipe.hpp"
#include "drivers/wavecom/modem_settings.hpp"
#include "src/base/clock.hpp"
#include "src/base/log.hpp"
#include "src/ports/modem.hpp"

#include <memory>
#include <string>

namespace smsrack::wavecom {

class WavecomModem final : public ports::Modem {
public:
    /// `name` is for log lines. `clock` and `log` outlive this object.
    WavecomModem(std::string name, ModemSettings settings,
                 std::unique_ptr<serial::PipeSource> source, const Clock& clock, Log& log);
    ~WavecomModem() override;

    void open(ports::OpenMode mode) override;
    SteadyTime step(SteadyTime now) override;
    [[nodiscard]] std::optional<ports::ModemEvent> next_event() override;
    [[nodiscard]] bool can_submit() const override;
    void begin_submit(std::string pdu) override;
    void release_pdu() override;
    void withhold_pdu() override;
    void acknowledge(std::uint32_t token) override;
    void pause_reading(bool paused) override;
    void close_when_idle() override;
    [[nodiscard]] Waiter& waiter() override;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace smsrack::wavecom
