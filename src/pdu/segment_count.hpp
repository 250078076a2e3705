/// Counts the segments that a text or data needs in a given alphabet, for the segmenter.
///
/// Unit,
/// Errors:  as segmenter.hpp.
#pragma once

#include "src/pdu/segmenter.hpp"

namespace smsrack::pdu {

/// The octets of TP-UDHL and all elements; 0 where there are none. `many`: with the concatenation
/// element.
[[nodiscard]] std::size_t header_octets(const SegmentRequest& request, Languages languages,
                                        bool many);

/// In these tables and no others.
[[nodiscard]] PduResult<SegmentPlan> plan_gsm7(const SegmentRequest& request, Languages languages);

[[nodiscard]] PduResult<SegmentPlan> plan_ucs2(const SegmentRequest& request);

[[nodiscard]] PduResult<SegmentPlan> plan_data(const SegmentRequest& request);

}  // namespace smsrack::pdu
