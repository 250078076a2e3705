/// TP-DCS: the alphabet of the user data, and what the phone does with the message.
///
/// Source:  3GPP TS 23.038 4. What is reserved there is read as 00: GSM 7-bit, no class.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace smsrack::pdu {

enum class Alphabet : std::uint8_t { gsm7, data8, ucs2 };

/// "gsm7", "data8", "ucs2".
[[nodiscard]] std::string_view alphabet_name(Alphabet alphabet);

enum class WaitingKind : std::uint8_t { voicemail, fax, email, other };

[[nodiscard]] std::string_view waiting_kind_name(WaitingKind kind);

/// Groups 1100 to 1110: messages wait elsewhere.
struct WaitingIndication {
    WaitingKind kind = WaitingKind::voicemail;
    bool active = false;
    bool store = false;  ///< the message itself is worth keeping
};

struct Dcs {
    std::uint8_t raw = 0;
    Alphabet alphabet = Alphabet::gsm7;
    std::optional<std::uint8_t> message_class = {};  ///< 0..3
    bool compressed = false;
    bool auto_delete = false;
    bool reserved = false;
    std::optional<WaitingIndication> waiting = {};

    /// TP-UDL counts septets; otherwise octets.
    [[nodiscard]] bool counts_septets() const { return alphabet == Alphabet::gsm7 && !compressed; }
    [[nodiscard]] bool is_text() const { return alphabet != Alphabet::data8 && !compressed; }
};

/// Never fails: all 256 values mean something.
[[nodiscard]] Dcs read_dcs(std::uint8_t raw);

/// 00, 04, 08 without a class; 10, 14, 18 and the class with one.
[[nodiscard]] std::uint8_t make_dcs(Alphabet alphabet, std::optional<std::uint8_t> message_class);

}  // namespace smsrack::pdu
