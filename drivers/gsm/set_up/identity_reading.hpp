/// Is a number that modem or SIM said of themselves (IMEI, IMSI, ICCID) whole?
///
/// A UART that loses octets makes a number shorter, and then the SIM passes for another one, with another quota
/// and history. A number of full length with its check digit is whole; any other is when it was read twice alike.
/// Bound:   readings_max readings; then the last one counts.
/// Source:  3GPP TS 23.003 2.2 (IMSI), 6.2 (IMEI); ITU-T E.118 (ICCID, check digit after Luhn).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace smsrack::gsm {

enum class Identity : std::uint8_t { imei, imsi, iccid };

class IdentityReading {
public:
    static constexpr int readings_max = 8;

    /// Another number is asked for.
    void begin() { *this = {}; }
    /// As it was read; empty: it was not.
    void take(Identity kind, std::string_view number);
    /// The last one may have lost digits, so the same question is due again. True once for each reading.
    [[nodiscard]] bool asks_again() {
        return std::exchange(may_be_torn_, false) && readings_ < readings_max;
    }

private:
    std::string before_;
    int readings_ = 0;
    bool may_be_torn_ = false;
};

}  // namespace smsrack::gsm
