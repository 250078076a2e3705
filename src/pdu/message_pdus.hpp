/// Turns a message of the rack into its PDUs, by way of the segmenter.
///
/// National language tables are not used automatically: phones and centres that lack them show
/// wrong letters, and the sender gets no error.
/// Unit:    PDUs are octets in a std::string, the service centre field (00: that of the SIM) first.
/// Errors:  bad_number, bad_encoding (not UTF-8), too_long (more than 255 segments).
#pragma once

#include "src/base/result.hpp"
#include "src/pdu/segmenter.hpp"
#include "src/sms/message.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::pdu {

/// The one place where a MessageBody becomes a SegmentRequest. The views live as long as `body`.
[[nodiscard]] SegmentRequest segment_request(const MessageBody& body);

struct MessageOptions {
    std::uint16_t concat_ref = 0;  ///< its low octet is sent, the same in all segments
    /// What is left of its time: becomes TP-VP, rounded down.
    std::optional<std::chrono::seconds> valid_for = {};
};

/// The PDUs in order of the segments. TP-MR is 0 in all: the modem counts for itself.
[[nodiscard]] Result<std::vector<std::string>> encode_message(const MessageBody& body,
                                                              const MessageOptions& options);

}  // namespace smsrack::pdu
