/// submit_multi and its answer: one text to several numbers.
///
/// Source:  SMPP 3.4 4.5.
#pragma once

#include "src/smpp/layout.hpp"
#include "src/smpp/pdu/message.hpp"

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace smsrack::smpp {

/// A number, or the name of a distribution list.
struct MultiDestination {
    bool is_list = false;
    Address address = {};  ///< of a list only the text, its name

    bool operator==(const MultiDestination&) const = default;
};

template <typename Pdu>
struct DestinationsField {
    std::vector<MultiDestination> Pdu::*member;
};

/// A number that was refused.
struct RefusedDestination {
    Address address = {};
    Status status = Status::ok;

    bool operator==(const RefusedDestination&) const = default;
};

template <typename Pdu>
struct RefusedField {
    std::vector<RefusedDestination> Pdu::*member;
};

inline constexpr std::size_t destinations_max = 254;

void read_destinations(Reader& reader, std::vector<MultiDestination>& destinations);
void put_destinations(std::string& out, const std::vector<MultiDestination>& destinations);
void read_refused(Reader& reader, std::vector<RefusedDestination>& refused);
void put_refused(std::string& out, const std::vector<RefusedDestination>& refused);

template <typename Pdu>
void read(Reader& reader, Pdu& pdu, const DestinationsField<Pdu>& field) {
    read_destinations(reader, pdu.*field.member);
}
template <typename Pdu>
void put(std::string& out, const Pdu& pdu, const DestinationsField<Pdu>& field) {
    put_destinations(out, pdu.*field.member);
}
template <typename Pdu>
void read(Reader& reader, Pdu& pdu, const RefusedField<Pdu>& field) {
    read_refused(reader, pdu.*field.member);
}
template <typename Pdu>
void put(std::string& out, const Pdu& pdu, const RefusedField<Pdu>& field) {
    put_refused(out, pdu.*field.member);
}

struct SubmitMulti {
    std::string service_type = {};
    Address source = {};
    std::vector<MultiDestination> destinations = {};
    std::uint8_t esm_class = 0;
    std::uint8_t protocol_id = 0;
    std::uint8_t priority_flag = 0;
    std::string schedule_delivery_time = {};
    std::string validity_period = {};
    std::uint8_t registered_delivery = 0;
    std::uint8_t replace_if_present_flag = 0;
    std::uint8_t data_coding = 0;
    std::uint8_t sm_default_msg_id = 0;
    std::string short_message = {};  ///< octets
    Tlvs tlvs = {};

    bool operator==(const SubmitMulti&) const = default;

    static constexpr auto fields = std::tuple{
        TextField{"service_type", &SubmitMulti::service_type, service_type_max,
                  Status::invalid_service_type},
        AddressField{"source", &SubmitMulti::source, address_max, Status::invalid_source},
        DestinationsField{&SubmitMulti::destinations},
        OctetField{"esm_class", &SubmitMulti::esm_class},
        OctetField{"protocol_id", &SubmitMulti::protocol_id},
        OctetField{"priority_flag", &SubmitMulti::priority_flag},
        TimeField{"schedule_delivery_time", &SubmitMulti::schedule_delivery_time,
                  Status::invalid_schedule},
        TimeField{"validity_period", &SubmitMulti::validity_period, Status::invalid_expiry},
        OctetField{"registered_delivery", &SubmitMulti::registered_delivery},
        OctetField{"replace_if_present_flag", &SubmitMulti::replace_if_present_flag},
        OctetField{"data_coding", &SubmitMulti::data_coding},
        OctetField{"sm_default_msg_id", &SubmitMulti::sm_default_msg_id},
        ShortMessageField{&SubmitMulti::short_message},
        TlvField{&SubmitMulti::tlvs}};
};

struct SubmitMultiAnswer {
    std::string message_id = {};
    std::vector<RefusedDestination> refused = {};
    Tlvs tlvs = {};

    bool operator==(const SubmitMultiAnswer&) const = default;

    static constexpr auto fields =
        std::tuple{TextField{"message_id", &SubmitMultiAnswer::message_id, message_id_max,
                             Status::invalid_message_id},
                   RefusedField{&SubmitMultiAnswer::refused}, TlvField{&SubmitMultiAnswer::tlvs}};
};

}  // namespace smsrack::smpp
