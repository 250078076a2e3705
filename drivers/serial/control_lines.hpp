/// The control lines of a port (CTS, DSR, ...), as the port reports them, for diagnosis.
///
/// Threads: any. Opens the port for a moment; not while it is open here.
#pragma once

#include <optional>
#include <string>

namespace smsrack::serial {

struct ControlLines {
    bool cts = false;  ///< the modem is ready to take octets
    bool dsr = false;  ///< the modem is switched on
};

/// Nullopt if the port has none (a pseudo-terminal) or can't be opened.
[[nodiscard]] std::optional<ControlLines> control_lines(const std::string& path);

}  // namespace smsrack::serial
