/// TP-UD: the header and what follows it, as text or as data.
///
/// Unit:    TP-UDL counts septets for uncompressed GSM 7-bit (160 at most), octets otherwise (140
///          at most).
/// Errors:  bad_udl, bad_udh, truncated.
/// Source:  3GPP TS 23.040 9.2.3.16, 9.2.3.24.
#pragma once

#include "src/pdu/alphabet/dcs.hpp"
#include "src/pdu/alphabet/gsm7.hpp"
#include "src/pdu/reader.hpp"
#include "src/pdu/udh.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::pdu {

inline constexpr std::size_t user_data_octets_max = 140;

/// A text in UTF-8 as short as one segment; no allocation.
class SegmentText {
public:
    [[nodiscard]] std::string_view view() const { return {characters_.data(), size_}; }

private:
    friend struct UserData;
    std::array<char, gsm7_utf8_max> characters_;  // only the first size_ are ever read
    std::size_t size_ = 0;
};

struct UserData {
    Dcs dcs = {};
    std::uint8_t tp_udl = 0;
    Octets octets = {};           ///< all of TP-UD
    Octets payload = {};          ///< behind the header; for GSM 7-bit with the fill bits
    std::optional<Udh> udh = {};  ///< with TP-UDHI, unless there are no user data

    /// UTF-8; empty when dcs.is_text() is false.
    void read_text(SegmentText& out) const;
    [[nodiscard]] std::string text() const;
};

/// With TP-UDL in front.
[[nodiscard]] UserData read_user_data(Reader& reader, const Dcs& dcs, bool tp_udhi);

}  // namespace smsrack::pdu
