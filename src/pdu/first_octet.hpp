/// The first octet of a TPDU: its type and its flags.
///
/// Source:  3GPP TS 23.040 9.2.2, 9.2.3.1 to 9.2.3.7, 9.2.3.17, 9.2.3.23 to 9.2.3.27.
#pragma once

#include <cstdint>

namespace smsrack::pdu {

/// What TP-MTI means depends on the sender.
enum class Direction : std::uint8_t {
    to_mobile,    ///< DELIVER, SUBMIT-REPORT, STATUS-REPORT
    from_mobile,  ///< DELIVER-REPORT, SUBMIT, COMMAND
    stored,       ///< what a modem's memory holds: DELIVER, SUBMIT, STATUS-REPORT
};

/// Bits 4 and 3 of SMS-SUBMIT.
enum class ValidityFormat : std::uint8_t { none = 0, enhanced = 1, relative = 2, absolute = 3 };

struct FirstOctet {
    static constexpr std::uint8_t submit = 0x01;  ///< TP-MTI
    /// TP-MMS (clear: more wait), TP-RD in SMS-SUBMIT.
    static constexpr std::uint8_t more_messages = 0x04;
    static constexpr std::uint8_t reject_duplicates = 0x04;
    static constexpr std::uint8_t loop_prevention = 0x08;
    static constexpr std::uint8_t status_report = 0x20;  ///< TP-SRI, TP-SRR, TP-SRQ
    static constexpr std::uint8_t user_data_header = 0x40;
    static constexpr std::uint8_t reply_path = 0x80;
    static constexpr unsigned validity_shift = 3;

    std::uint8_t raw = 0;

    [[nodiscard]] std::uint8_t tp_mti() const { return raw & 0x03U; }
    [[nodiscard]] bool has(std::uint8_t bit) const { return (raw & bit) != 0; }
    [[nodiscard]] bool tp_udhi() const { return has(user_data_header); }
    [[nodiscard]] ValidityFormat tp_vpf() const {
        return static_cast<ValidityFormat>((raw >> validity_shift) & 0x03U);
    }
};

}  // namespace smsrack::pdu
