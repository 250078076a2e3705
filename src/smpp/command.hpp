/// The commands of SMPP, as a table.
///
/// Source:  SMPP 3.4 5.1.2.1; who may send what: 2.3.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace smsrack::smpp {

/// Set in the id of an answer.
inline constexpr std::uint32_t answer_bit = 0x8000'0000;

enum class Command : std::uint32_t {
    generic_nack = answer_bit,
    bind_receiver = 0x01,
    bind_transmitter = 0x02,
    query_sm = 0x03,
    submit_sm = 0x04,
    deliver_sm = 0x05,
    unbind = 0x06,
    replace_sm = 0x07,
    cancel_sm = 0x08,
    bind_transceiver = 0x09,
    outbind = 0x0B,
    enquire_link = 0x15,
    submit_multi = 0x21,
    data_sm = 0x103,
    bind_receiver_resp = answer_bit | 0x01,
    bind_transmitter_resp = answer_bit | 0x02,
    query_sm_resp = answer_bit | 0x03,
    submit_sm_resp = answer_bit | 0x04,
    deliver_sm_resp = answer_bit | 0x05,
    unbind_resp = answer_bit | 0x06,
    replace_sm_resp = answer_bit | 0x07,
    cancel_sm_resp = answer_bit | 0x08,
    bind_transceiver_resp = answer_bit | 0x09,
    enquire_link_resp = answer_bit | 0x15,
    submit_multi_resp = answer_bit | 0x21,
    data_sm_resp = answer_bit | 0x103,
};

[[nodiscard]] constexpr bool is_answer(Command command) {
    return (static_cast<std::uint32_t>(command) & answer_bit) != 0;
}

/// Of a request that has one; outbind has none.
[[nodiscard]] constexpr Command answer_to(Command request) {
    return static_cast<Command>(static_cast<std::uint32_t>(request) | answer_bit);
}

/// "submit_sm"; of an id that is no command: "".
[[nodiscard]] std::string_view command_name(Command command);

}  // namespace smsrack::smpp
