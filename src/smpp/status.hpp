/// The command status of an answer: its number, its name and what it says in words.
///
/// Source:  SMPP 3.4 5.1.3.
#pragma once

#include <cstdint>
#include <string_view>

namespace smsrack::smpp {

enum class Status : std::uint32_t {
    ok = 0x00,
    invalid_message_length = 0x01,
    invalid_command_length = 0x02,
    invalid_command_id = 0x03,
    wrong_bind_state = 0x04,
    already_bound = 0x05,
    system_error = 0x08,
    invalid_source = 0x0A,
    invalid_destination = 0x0B,
    invalid_message_id = 0x0C,
    bind_failed = 0x0D,
    invalid_password = 0x0E,
    invalid_system_id = 0x0F,
    cancel_failed = 0x11,
    replace_failed = 0x13,
    queue_full = 0x14,
    invalid_service_type = 0x15,
    invalid_number_of_destinations = 0x33,
    invalid_distribution_list = 0x34,
    invalid_destination_flag = 0x40,
    submit_failed = 0x45,
    invalid_system_type = 0x53,
    throttled = 0x58,
    invalid_schedule = 0x61,
    invalid_expiry = 0x62,
    receiver_temporary = 0x64,
    receiver_permanent = 0x65,
    receiver_rejects = 0x66,
    query_failed = 0x67,
    bad_optional_part = 0xC0,
    parameter_length = 0xC2,
};

/// "ESME_RTHROTTLED"; of a number that the standard does not name: "".
[[nodiscard]] std::string_view status_name(Status status);

/// "too many messages, or too fast"; of a number that the standard does not name: "".
[[nodiscard]] std::string_view status_words(Status status);

}  // namespace smsrack::smpp
