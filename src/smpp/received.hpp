/// A received message as deliver_sm: whole, or in parts with a header.
///
/// Source:  SMPP 3.4 4.6, 5.2.5, 5.2.19; 3GPP TS 23.038 4; 3GPP TS 23.040 9.2.3.24.1, 9.2.3.24.4
#pragma once

#include "src/smpp/coding.hpp"
#include "src/smpp/pdu/message.hpp"
#include "src/smpp/ports16.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::smpp {

struct ReceivedMessage {
    std::string from = {};    ///< "+33612345678", a short code, or letters
    std::string to = {};      ///< of the SIM; empty: not known
    std::string octets = {};  ///< a text in UTF-8, or data
    bool is_text = true;
    std::optional<Ports16> ports = {};
    std::optional<std::uint8_t> message_class = {};  ///< 0 to 3
};

/// Most octets of one message_payload: a TLV takes 65,535, and the PDU around it stays below what ESMEs take.
inline constexpr std::size_t payload_max = 60'000;
/// Most parts of one reference.
inline constexpr std::size_t parts_max = 255;

/// One; a long one has message_payload. Only one above payload_max is cut, between two characters.
/// Ports are parameters of it; a class is in its data_coding, whose alphabets are those of GSM.
/// `by_default`: what data_coding 0 means to the account.
[[nodiscard]] std::vector<Message> whole(const ReceivedMessage& received, Coding by_default);

/// As many as it needs, with the header of concatenation and this reference, and of its ports. Those after parts_max
/// have the next reference, and so on.
[[nodiscard]] std::vector<Message> parts_of(const ReceivedMessage& received, std::uint8_t reference,
                                            Coding by_default);

/// "+33612345678" -> TON 1, NPI 1, "33612345678".
[[nodiscard]] Address address_of(std::string_view number);

}  // namespace smsrack::smpp
