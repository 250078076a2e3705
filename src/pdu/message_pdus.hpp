/// A message of the rack as PDUs: the door that intake and the send codec use.
///
/// Unit:    PDUs are octets in a std::string, the service centre field (00: that of the SIM) in
/// front. Time:    count_message allocates nothing; about a tenth of a microsecond for 40 letters.
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

/// Alphabet, segments and units of a message. `to` is not looked at.
[[nodiscard]] Result<SegmentPlan> count_message(const MessageBody& body);

struct MessageOptions {
    std::uint16_t concat_ref = 0;  ///< its low octet goes on the air, the same in all segments
    std::optional<std::chrono::seconds> valid_for =
        {};  ///< what is left of its time: becomes TP-VP, rounded down
};

/// The PDUs in order of the segments. TP-MR is 0 in all: the modem counts for itself.
[[nodiscard]] Result<std::vector<std::string>> encode_message(const MessageBody& body,
                                                              const MessageOptions& options);

}  // namespace smsrack::pdu
