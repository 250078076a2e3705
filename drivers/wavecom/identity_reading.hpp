/// Is a number that modem or SIM said of themselves (IMEI, IMSI, ICCID) whole?
///
/// A UART that loses octets makes a number shorter, and then the SIM passes for another one, with another quota
/// and history. A number of full length with its check digit is whole; any other is when it was read twice alike.
/// Threads: the line's thread.
/// Source:  3GPP TS 23.003 2.2 (IMSI), 6.2 (IMEI); ITU-T E.118 (ICCID, check digit after Luhn).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace smsrack::wavecom {

enum class Identity : std::uint8_t { imei, imsi, iccid };

class IdentityReading {
public:
    /// Another one is asked for.
    void begin() { before_.clear(); }
    /// As it was read; empty: it was not. True: it is whole.
    [[nodiscard]] bool take(Identity kind, std::string_view number);

private:
    std::string before_;
};

}  // namespace smsrack::wavecom
