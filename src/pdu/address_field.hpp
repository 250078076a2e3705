/// Addresses in a PDU: TP-OA, TP-DA, TP-RA and the service centre's.
///
/// Unit:    the length of a TP address counts semi-octets (20 at most), that of the service centre
///          field octets (11).
/// Source:  3GPP TS 23.040 9.1.2.5; TS 24.011 8.2.5.1 (service centre).
#pragma once

#include "src/pdu/alphabet/short_text.hpp"
#include "src/pdu/pdu_error.hpp"
#include "src/pdu/reader.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::pdu {

inline constexpr std::uint8_t ton_unknown = 0;
inline constexpr std::uint8_t ton_international = 1;
inline constexpr std::uint8_t ton_national = 2;
inline constexpr std::uint8_t ton_name = 5;  ///< alphanumeric
inline constexpr std::uint8_t npi_telephone = 1;

inline constexpr std::size_t address_digits_max = 20;
inline constexpr std::size_t name_septets_max = 11;

struct AddressField {
    /// 0-9 * # a b c, filler f; or the letters of a name, in UTF-8.
    ShortText<name_septets_max* 3> number = {};
    std::uint8_t ton = ton_unknown;
    std::uint8_t npi = npi_telephone;

    /// As the rack stores it: "+33612345678" (TON 1), "36180", a name.
    [[nodiscard]] std::string display() const;
};

/// Errors: bad_address at its length octet, truncated.
[[nodiscard]] AddressField read_address(Reader& reader, std::string_view field);

/// Nothing when the length octet is 0; errors as above.
[[nodiscard]] std::optional<AddressField> read_service_centre(Reader& reader);

/// An address in its encoding on the air, with its length octet.
class AddressOctets {
public:
    void push_back(std::uint8_t octet) {
        octets_[size_] = octet;
        ++size_;
    }
    [[nodiscard]] Octets view() const { return {octets_.data(), size_}; }

private:
    std::array<std::uint8_t, 12> octets_ = {};
    std::uint8_t size_ = 0;
};

/// The number: "+digits" is TON 1, digits are TON 0, both of the telephone plan.
struct AddressWish {
    std::string_view number;
    std::uint8_t ton = ton_unknown;    ///< 0..7
    std::uint8_t npi = npi_telephone;  ///< 0..15
};
[[nodiscard]] AddressWish plain_number(std::string_view number);

/// bad_address: not 1..20 of "0123456789*#abc", or for a name not 1..11 septets of the default
/// alphabet.
[[nodiscard]] PduResult<AddressOctets> make_address(AddressWish wish, std::string_view field);

/// bad_address: not 1..20 of "0123456789*#abc"; a service centre has no name.
[[nodiscard]] PduResult<AddressOctets> make_service_centre(AddressWish wish);

}  // namespace smsrack::pdu
