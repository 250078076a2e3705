#include "src/pdu/address_field.hpp"

#include "src/pdu/alphabet/gsm7.hpp"
#include "src/pdu/alphabet/utf8.hpp"
#include "src/pdu/semi_octet.hpp"

#include <array>

namespace smsrack::pdu {
namespace {

constexpr std::size_t service_centre_octets_max = 11;
constexpr std::string_view service_centre_field = "SMSC";

void read_type(AddressField& address, std::uint8_t type) {
    address.ton = (type >> 4U) & 0x07U;
    address.npi = type & 0x0FU;
}

std::uint8_t type_octet(AddressWish wish) {
    return static_cast<std::uint8_t>(0x80U | (unsigned{wish.ton} << 4U) | wish.npi);
}

void read_digits(AddressField& address, Octets octets, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint8_t octet = octets[i / 2];
        address.number.push_back(
            semi_octet_digits[i % 2 == 0 ? first_half(octet) : second_half(octet)]);
    }
}

void read_name(AddressField& address, Octets octets, std::size_t semi_octets) {
    const std::size_t count = semi_octets * 4 / 7;
    Septets septets;
    unpack_septets(octets, 0, count, septets);
    std::array<char, name_septets_max * 3> text;
    const char* const end = put_gsm7_text(text.data(), {septets.data(), count}, gsm7_tables({}));
    address.number.append({text.data(), static_cast<std::size_t>(end - text.data())});
}

PduError bad_address(std::string_view field) {
    return {.code = PduErrc::bad_address, .field = field};
}

/// The digits of a number to encode.
class SemiOctets {
public:
    /// False when it can't be.
    [[nodiscard]] bool take(std::string_view number) {
        if (number.empty() || number.size() > address_digits_max) {
            return false;
        }
        for (const char digit : number) {
            const auto value = semi_octet_of(digit);
            if (!value) {
                return false;
            }
            values_[count_++] = *value;
        }
        return true;
    }
    void put(AddressOctets& out) const {
        for (std::size_t i = 0; i < count_; i += 2) {
            const std::uint8_t second = i + 1 < count_ ? values_[i + 1] : semi_octet_filler;
            out.push_back(static_cast<std::uint8_t>((second << 4U) | values_[i]));
        }
    }

private:
    std::array<std::uint8_t, address_digits_max> values_ = {};
    std::size_t count_ = 0;
};

/// The septets of a name, or 0 when it has none, too many or a character outside the default
/// alphabet.
std::size_t septets_of_name(std::string_view name,
                            std::array<std::uint8_t, name_septets_max>& septets) {
    const Gsm7Tables tables = gsm7_tables({});
    std::size_t count = 0;
    for (std::size_t at = 0; at < name.size();) {
        const CodePoint character = code_point_at(name, at);
        if (character.octets == 0) {
            return 0;
        }
        at += character.octets;
        const Gsm7Code code = gsm7_code(character.value, tables);
        if (code.septets == 0 || count + code.septets > septets.size()) {
            return 0;
        }
        if (code.septets == 2) {
            septets[count++] = escape_code;
        }
        septets[count++] = code.code;
    }
    return count;
}

/// `length`: its length octet.
PduResult<AddressOctets> make_number(AddressWish wish, std::size_t length, std::string_view field) {
    SemiOctets digits;
    if (!digits.take(wish.number)) {
        return std::unexpected(bad_address(field));
    }
    AddressOctets out;
    out.push_back(static_cast<std::uint8_t>(length));
    out.push_back(type_octet(wish));
    digits.put(out);
    return out;
}

PduResult<AddressOctets> make_name(AddressWish wish, std::string_view field) {
    std::array<std::uint8_t, name_septets_max> septets{};
    const std::size_t count = septets_of_name(wish.number, septets);
    if (count == 0) {
        return std::unexpected(bad_address(field));
    }
    std::array<std::uint8_t, octets_of_septets(name_septets_max)> packed{};
    pack_septets({septets.data(), count}, 0, packed);
    AddressOctets out;
    out.push_back(static_cast<std::uint8_t>((count * 7 + 3) / 4));
    out.push_back(type_octet(wish));
    for (std::size_t i = 0; i < octets_of_septets(count); ++i) {
        out.push_back(packed[i]);
    }
    return out;
}

}  // namespace

std::string AddressField::display() const {
    std::string text(ton == ton_international ? "+" : "");
    text += number.view();
    return text;
}

AddressField read_address(Reader& reader, std::string_view field) {
    const std::size_t at = reader.offset();
    const std::size_t semi_octets = reader.octet(field);
    if (semi_octets > address_digits_max) {
        reader.fail(PduErrc::bad_address, at, field);
    }
    AddressField address;
    read_type(address, reader.octet(field));
    const Octets value = reader.octets((semi_octets + 1) / 2, field);
    if (reader.failed()) {
        return {};
    }
    if (address.ton == ton_name) {
        read_name(address, value, semi_octets);
    } else {
        read_digits(address, value, semi_octets);
    }
    return address;
}

std::optional<AddressField> read_service_centre(Reader& reader) {
    const std::size_t at = reader.offset();
    const std::size_t length = reader.octet(service_centre_field);
    if (length > service_centre_octets_max) {
        reader.fail(PduErrc::bad_address, at, service_centre_field);
    }
    if (reader.failed() || length == 0) {
        return std::nullopt;
    }
    AddressField address;
    read_type(address, reader.octet(service_centre_field));
    const Octets value = reader.octets(length - 1, service_centre_field);
    if (reader.failed()) {
        return std::nullopt;
    }
    const bool odd = !value.empty() && second_half(value.back()) == semi_octet_filler;
    read_digits(address, value, value.size() * 2 - (odd ? 1 : 0));
    return address;
}

AddressWish plain_number(std::string_view number) {
    if (number.starts_with('+')) {
        return {.number = number.substr(1), .ton = ton_international};
    }
    return {.number = number};
}

PduResult<AddressOctets> make_address(AddressWish wish, std::string_view field) {
    return wish.ton == ton_name ? make_name(wish, field)
                                : make_number(wish, wish.number.size(), field);
}

PduResult<AddressOctets> make_service_centre(AddressWish wish) {
    if (wish.ton == ton_name) {
        return std::unexpected(bad_address(service_centre_field));
    }
    return make_number(wish, 1 + (wish.number.size() + 1) / 2, service_centre_field);
}

}  // namespace smsrack::pdu
