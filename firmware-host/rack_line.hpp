/// One modem of the rack: its driver, its line and their thread, and what an earlier run left of them.
///
/// Threads: made, started and stopped by the main thread.
#pragma once

#include "drivers/gsm/gsm_modem.hpp"
#include "drivers/serial/byte_pipe.hpp"
#include "firmware-host/upgrade/hand_over.hpp"
#include "src/base/worker.hpp"
#include "src/config/settings.hpp"
#include "src/line/line_address.hpp"
#include "src/line/modem_line.hpp"
#include "src/line/sim_quota.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::host {

/// Where a modem's bytes come from: a serial port, or a model in tests.
using OpenPort = std::function<std::unique_ptr<serial::PipeSource>(const config::ModemSettings&)>;
/// The power line of a modem; null where the board has none for it.
using PowerOf = std::function<std::unique_ptr<ports::Power>(const config::ModemSettings&)>;

struct RackLine {
    /// Makes the modem and the address: the line follows when all that it writes to is there.
    RackLine(ModemId line_id, const config::ModemSettings& settings,
             const config::ServiceSettings& service, const OpenPort& open_port,
             const PowerOf& power_of, const Clock& clock, Log& log);

    /// Where `left` has the line at the same port, its modem continues as it is, and `carried` is moved
    /// from there. Else the port is closed, and opened again.
    void adopt_modem(std::vector<LineHandOver>& left, const config::ModemSettings& settings,
                     Log& log);
    /// nullopt: its modem is not set up, so the next run begins with its port.
    [[nodiscard]] std::optional<LineHandOver> leave();

    const ModemId id;
    const std::string name;
    gsm::GsmModem modem;
    line::LineAddress address{modem.waiter()};
    std::unique_ptr<line::SimQuota> quota = nullptr;  ///< null: it has none
    std::optional<LineHandOver> carried = {};  ///< by an earlier run; its port is the modem's now
    std::optional<line::ModemLine> line = {};
    std::optional<Worker> worker = {};
};

}  // namespace smsrack::host
