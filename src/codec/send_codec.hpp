/// The outbound codec stage: cuts a message into segments and encodes them as SMS-SUBMIT.
///
/// Threads: any number of codec workers, each on its own slot.
/// Errors:  bad_encoding, too_long: what intake would have refused; so a row that another program
/// wrote.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/random.hpp"
#include "src/base/result.hpp"
#include "src/pdu/validity_period.hpp"
#include "src/queue/out_slot.hpp"

#include <atomic>
#include <cstdint>

namespace smsrack::codec {

struct SendCodecSettings {
    /// What is left of a message's time goes out to the second where it is less than the 5 minutes
    /// that the usual form of TP-VP begins with.
    bool short_validity = false;
};

class SendCodec {
public:
    /// `clock` outlives the codec. The first concatenation reference is drawn from `random`.
    SendCodec(SendCodecSettings settings, const Clock& clock, Random& random);

    /// Fills `slot.pdus`. A long message keeps the concatenation reference that it has, or gets the
    /// next one.
    [[nodiscard]] Result<> encode(queue::OutSlot& slot);

    /// Computes TP-VP again, from what is left of the message's time now: a slot may have waited
    /// since it was encoded.
    void refresh_validity(queue::OutSlot& slot) const;

private:
    [[nodiscard]] pdu::ValidityPeriod validity(const OutMessage& message) const;

    const SendCodecSettings settings_;
    const Clock& clock_;
    // In sequence, so that two long messages to one number differ for long.
    std::atomic<std::uint16_t> next_ref_;
};

}  // namespace smsrack::codec
