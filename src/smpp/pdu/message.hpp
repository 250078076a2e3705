/// submit_sm and deliver_sm, which have the same fields, and their answers; data_sm.
///
/// Source:  SMPP 3.4 4.4, 4.6, 4.7.
#pragma once

#include "src/smpp/layout.hpp"

#include <cstdint>
#include <string>
#include <tuple>

namespace smsrack::smpp {

inline constexpr std::size_t service_type_max = 6;
inline constexpr std::size_t address_max = 21;
inline constexpr std::size_t message_id_max = 65;

struct Message {
    std::string service_type = {};
    Address source = {};
    Address destination = {};
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

    bool operator==(const Message&) const = default;

    static constexpr auto fields =
        std::tuple{TextField{"service_type", &Message::service_type, service_type_max,
                             Status::invalid_service_type},
                   AddressField{"source", &Message::source, address_max, Status::invalid_source},
                   AddressField{"destination", &Message::destination, address_max,
                                Status::invalid_destination},
                   OctetField{"esm_class", &Message::esm_class},
                   OctetField{"protocol_id", &Message::protocol_id},
                   OctetField{"priority_flag", &Message::priority_flag},
                   TimeField{"schedule_delivery_time", &Message::schedule_delivery_time,
                             Status::invalid_schedule},
                   TimeField{"validity_period", &Message::validity_period, Status::invalid_expiry},
                   OctetField{"registered_delivery", &Message::registered_delivery},
                   OctetField{"replace_if_present_flag", &Message::replace_if_present_flag},
                   OctetField{"data_coding", &Message::data_coding},
                   OctetField{"sm_default_msg_id", &Message::sm_default_msg_id},
                   ShortMessageField{&Message::short_message},
                   TlvField{&Message::tlvs}};
};

struct Data {
    std::string service_type = {};
    Address source = {};
    Address destination = {};
    std::uint8_t esm_class = 0;
    std::uint8_t registered_delivery = 0;
    std::uint8_t data_coding = 0;
    Tlvs tlvs = {};

    bool operator==(const Data&) const = default;

    static constexpr std::size_t data_address_max = 65;
    static constexpr auto fields =
        std::tuple{TextField{"service_type", &Data::service_type, service_type_max,
                             Status::invalid_service_type},
                   AddressField{"source", &Data::source, data_address_max, Status::invalid_source},
                   AddressField{"destination", &Data::destination, data_address_max,
                                Status::invalid_destination},
                   OctetField{"esm_class", &Data::esm_class},
                   OctetField{"registered_delivery", &Data::registered_delivery},
                   OctetField{"data_coding", &Data::data_coding},
                   TlvField{&Data::tlvs}};
};

/// To submit_sm, deliver_sm and data_sm.
struct MessageAnswer {
    std::string message_id = {};
    Tlvs tlvs = {};

    bool operator==(const MessageAnswer&) const = default;

    static constexpr auto fields = std::tuple{TextField{"message_id", &MessageAnswer::message_id,
                                                        message_id_max, Status::invalid_message_id},
                                              TlvField{&MessageAnswer::tlvs}};
};

}  // namespace smsrack::smpp
