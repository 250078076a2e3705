/// A received message as deliver_sm: whole, or in parts with a header.
///
/// Source:  SMPP 3.4 4.6, 5.2.5; 3GPP TS 23.040 9.2.3.24.1
#pragma once

#include "src/smpp/coding.hpp"
#include "src/smpp/pdu/message.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace smsrack::smpp {

struct ReceivedMessage {
    std::string from = {};    ///< "+33612345678", a short code, or letters
    std::string to = {};      ///< of the SIM; empty: not known
    std::string octets = {};  ///< a text in UTF-8, or data
    bool is_text = true;
};

/// One; a long one has message_payload. `by_default`: what data_coding 0 means to the account.
[[nodiscard]] Message whole(const ReceivedMessage& received, Coding by_default);

/// As many as it needs, with the header of concatenation and this reference.
[[nodiscard]] std::vector<Message> parts_of(const ReceivedMessage& received, std::uint8_t reference,
                                            Coding by_default);

/// "+33612345678" -> TON 1, NPI 1, "33612345678".
[[nodiscard]] Address address_of(std::string_view number);

}  // namespace smsrack::smpp
