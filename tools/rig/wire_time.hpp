/// What a serial line allows: the octets of one submit in PDU mode, and how many submits fit into a
/// second.
///
/// The dialogue, without echo, is half duplex: AT+CMGS, prompt, PDU, +CMGS and OK follow each
/// other.
/// Unit:    octets; 10 bits each on the wire (8N1).
/// Source:  3GPP TS 27.005 4.3.
#pragma once

#include <chrono>
#include <cstddef>

namespace smsrack::rig {

/// `pdu_octets` with the service centre field, `tpdu_octets` without; `mr` is the answer's number.
[[nodiscard]] std::size_t submit_dialogue_octets(std::size_t pdu_octets, std::size_t tpdu_octets,
                                                 unsigned mr);

/// The mean over all 256 references.
[[nodiscard]] double mean_submit_dialogue_octets(std::size_t pdu_octets, std::size_t tpdu_octets);

/// Messages per second of `modems` lines with nothing between the dialogues; `baud` above 0.
[[nodiscard]] double wire_limit(double dialogue_octets, unsigned baud,
                                std::chrono::duration<double> service, unsigned modems);

}  // namespace smsrack::rig
