/// The fields of a PDU's body as a table, from which it is read, written and shown.
///
/// A PDU is a struct with `static constexpr auto fields = std::tuple{...}` of the kinds below, in the
/// order of the octets.
/// Errors:  of reading: what the reader says; each field names the status of its own mistakes.
/// Source:  SMPP 3.4 3.1.
#pragma once

#include "src/base/check.hpp"
#include "src/smpp/reader.hpp"
#include "src/smpp/tlv.hpp"
#include "src/smpp/writer.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

namespace smsrack::smpp {

/// Type of number, plan, digits or letters (5.2.5 to 5.2.9).
struct Address {
    std::uint8_t ton = 0;
    std::uint8_t npi = 0;
    std::string text = {};

    bool operator==(const Address&) const = default;
};

template <typename Pdu>
struct OctetField {
    std::string_view name;
    std::uint8_t Pdu::*member;
};

/// A C-octet string: `max` octets with its NUL.
template <typename Pdu>
struct TextField {
    std::string_view name;
    std::string Pdu::*member;
    std::size_t max;
    Status wrong;
};

/// A time: 16 characters, or none (7.1.1).
template <typename Pdu>
struct TimeField {
    std::string_view name;
    std::string Pdu::*member;
    Status wrong;
};

template <typename Pdu>
struct AddressField {
    std::string_view name;
    Address Pdu::*member;
    std::size_t max;
    Status wrong;
};

/// sm_length and short_message (5.2.21, 5.2.22).
template <typename Pdu>
struct ShortMessageField {
    std::string Pdu::*member;
};

template <typename Pdu>
struct TlvField {
    Tlvs Pdu::*member;
};

inline constexpr std::size_t time_octets = 17;
inline constexpr std::size_t short_message_max = 254;

template <typename Pdu>
void read(Reader& reader, Pdu& pdu, const OctetField<Pdu>& field) {
    pdu.*field.member = reader.octet(field.name);
}
template <typename Pdu>
void put(std::string& out, const Pdu& pdu, const OctetField<Pdu>& field) {
    put_octet(out, pdu.*field.member);
}

template <typename Pdu>
void read(Reader& reader, Pdu& pdu, const TextField<Pdu>& field) {
    pdu.*field.member = reader.text(field.max, field.name, field.wrong);
}
template <typename Pdu>
void put(std::string& out, const Pdu& pdu, const TextField<Pdu>& field) {
    put_text(out, pdu.*field.member, field.max);
}

template <typename Pdu>
void read(Reader& reader, Pdu& pdu, const TimeField<Pdu>& field) {
    const std::string_view text = reader.text(time_octets, field.name, field.wrong);
    if (!text.empty() && text.size() != time_octets - 1) {
        reader.fail(field.wrong, field.name);
    }
    pdu.*field.member = text;
}
template <typename Pdu>
void put(std::string& out, const Pdu& pdu, const TimeField<Pdu>& field) {
    put_text(out, pdu.*field.member, time_octets);
}

inline void read_address(Reader& reader, Address& address, std::string_view name, std::size_t max,
                         Status wrong) {
    address.ton = reader.octet(name);
    address.npi = reader.octet(name);
    address.text = reader.text(max, name, wrong);
}
inline void put_address(std::string& out, const Address& address, std::size_t max) {
    put_octet(out, address.ton);
    put_octet(out, address.npi);
    put_text(out, address.text, max);
}
template <typename Pdu>
void read(Reader& reader, Pdu& pdu, const AddressField<Pdu>& field) {
    read_address(reader, pdu.*field.member, field.name, field.max, field.wrong);
}
template <typename Pdu>
void put(std::string& out, const Pdu& pdu, const AddressField<Pdu>& field) {
    put_address(out, pdu.*field.member, field.max);
}

template <typename Pdu>
void read(Reader& reader, Pdu& pdu, const ShortMessageField<Pdu>& field) {
    const std::size_t length = reader.octet("sm_length");
    if (length > short_message_max) {
        reader.fail(Status::invalid_message_length, "sm_length");
    }
    pdu.*field.member = reader.octets(length, "short_message", Status::invalid_message_length);
}
template <typename Pdu>
void put(std::string& out, const Pdu& pdu, const ShortMessageField<Pdu>& field) {
    const std::string& octets = pdu.*field.member;
    SMSRACK_CHECK(octets.size() <= short_message_max);
    put_octet(out, static_cast<std::uint8_t>(octets.size()));
    out += octets;
}

template <typename Pdu>
void read(Reader& reader, Pdu& pdu, const TlvField<Pdu>& field) {
    pdu.*field.member = read_tlvs(reader);
}
template <typename Pdu>
void put(std::string& out, const Pdu& pdu, const TlvField<Pdu>& field) {
    put_tlvs(out, pdu.*field.member);
}

/// All fields, one after the other.
template <typename Pdu>
[[nodiscard]] Pdu read_fields(Reader& reader) {
    Pdu pdu;
    std::apply([&](const auto&... field) { (read(reader, pdu, field), ...); }, Pdu::fields);
    return pdu;
}
template <typename Pdu>
void put_fields(std::string& out, const Pdu& pdu) {
    std::apply([&](const auto&... field) { (put(out, pdu, field), ...); }, Pdu::fields);
}

}  // namespace smsrack::smpp
