/// What a message of the rack asks of the segmenter, and its PDUs.
///
/// National language tables are not used by themselves: phones and centres that lack them show
/// wrong letters, and nobody hears of it.
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
    std::uint16_t concat_ref = 0;  ///< its low octet goes on the air, the same in all segments
    std::optional<std::chrono::seconds> valid_for =
        {};  ///< what is left of its time: becomes TP-VP, rounded down
};

/// The PDUs in order of the segments. TP-MR is 0 in all: the modem counts for itself.
[[nodiscard]] Result<std::vector<std::string>> encode_message(const MessageBody& body,
                                                              const MessageOptions& options);

}  // namespace smsrack::pdu
