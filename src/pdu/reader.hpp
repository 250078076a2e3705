/// Reads a PDU from left to right. The first problem is the one reported. After it every read gives
/// zero, so that a record is read field by field without a branch for each.
///
/// Errors:  error() once failed(); the views it gives live as long as the octets.
#pragma once

#include "src/pdu/octets.hpp"
#include "src/pdu/pdu_error.hpp"

namespace smsrack::pdu {

class Reader {
public:
    explicit Reader(Octets octets) : octets_(octets) {}

    /// The next octet; `field` is named when there is none.
    std::uint8_t octet(std::string_view field) {
        if (failed_ || at_ >= octets_.size()) {
            fail_truncated(field);
            return 0;
        }
        return octets_[at_++];
    }

    /// The next `count` octets; none of them when there are fewer.
    Octets octets(std::size_t count, std::string_view field) {
        if (failed_ || octets_.size() - at_ < count) {
            fail_truncated(field);
            return {};
        }
        at_ += count;
        return octets_.subspan(at_ - count, count);
    }

    /// All that is left.
    [[nodiscard]] Octets rest() const { return octets_.subspan(at_); }

    /// Place of the next octet, from 0.
    [[nodiscard]] std::size_t offset() const { return at_; }

    void fail(PduErrc code, std::size_t offset, std::string_view field) {
        if (!failed_) {
            failed_ = true;
            error_ = {.code = code, .offset = offset, .field = field};
        }
    }
    [[nodiscard]] bool failed() const { return failed_; }
    [[nodiscard]] const PduError& error() const { return error_; }

private:
    void fail_truncated(std::string_view field) { fail(PduErrc::truncated, octets_.size(), field); }

    Octets octets_;
    std::size_t at_ = 0;
    bool failed_ = false;
    PduError error_ = {};
};

}  // namespace smsrack::pdu
