/// What is asked of a message that was submitted before: query_sm, cancel_sm, replace_sm, and the
/// answer to query_sm.
///
/// Source:  SMPP 3.4 4.8, 4.9, 4.10.
#pragma once

#include "src/smpp/layout.hpp"
#include "src/smpp/pdu/message.hpp"

#include <cstdint>
#include <string>
#include <tuple>

namespace smsrack::smpp {

struct Query {
    std::string message_id = {};
    Address source = {};

    bool operator==(const Query&) const = default;

    static constexpr auto fields = std::tuple{
        TextField{"message_id", &Query::message_id, message_id_max, Status::invalid_message_id},
        AddressField{"source", &Query::source, address_max, Status::invalid_source}};
};

struct QueryAnswer {
    std::string message_id = {};
    std::string final_date = {};
    std::uint8_t message_state = 0;
    std::uint8_t error_code = 0;

    bool operator==(const QueryAnswer&) const = default;

    static constexpr auto fields = std::tuple{
        TextField{"message_id", &QueryAnswer::message_id, message_id_max,
                  Status::invalid_message_id},
        TimeField{"final_date", &QueryAnswer::final_date, Status::invalid_command_length},
        OctetField{"message_state", &QueryAnswer::message_state},
        OctetField{"error_code", &QueryAnswer::error_code}};
};

struct Cancel {
    std::string service_type = {};
    std::string message_id = {};
    Address source = {};
    Address destination = {};

    bool operator==(const Cancel&) const = default;

    static constexpr auto fields = std::tuple{
        TextField{"service_type", &Cancel::service_type, service_type_max,
                  Status::invalid_service_type},
        TextField{"message_id", &Cancel::message_id, message_id_max, Status::invalid_message_id},
        AddressField{"source", &Cancel::source, address_max, Status::invalid_source},
        AddressField{"destination", &Cancel::destination, address_max,
                     Status::invalid_destination}};
};

struct Replace {
    std::string message_id = {};
    Address source = {};
    std::string schedule_delivery_time = {};
    std::string validity_period = {};
    std::uint8_t registered_delivery = 0;
    std::uint8_t sm_default_msg_id = 0;
    std::string short_message = {};  ///< octets

    bool operator==(const Replace&) const = default;

    static constexpr auto fields = std::tuple{
        TextField{"message_id", &Replace::message_id, message_id_max, Status::invalid_message_id},
        AddressField{"source", &Replace::source, address_max, Status::invalid_source},
        TimeField{"schedule_delivery_time", &Replace::schedule_delivery_time,
                  Status::invalid_schedule},
        TimeField{"validity_period", &Replace::validity_period, Status::invalid_expiry},
        OctetField{"registered_delivery", &Replace::registered_delivery},
        OctetField{"sm_default_msg_id", &Replace::sm_default_msg_id},
        ShortMessageField{&Replace::short_message}};
};

}  // namespace smsrack::smpp
