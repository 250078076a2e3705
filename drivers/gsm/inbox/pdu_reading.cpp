#include "drivers/gsm/inbox/pdu_reading.hpp"

#include "drivers/at/pdu_line.hpp"
#include "drivers/gsm/fields.hpp"
#include "drivers/gsm/inbox/inbox_shelf.hpp"

namespace smsrack::gsm {
namespace {

constexpr int length_field = 2;  // +CMGR: <stat>,[<alpha>],<length>

}  // namespace

void PduReading::begin() {
    header_.clear();
    pdu_.clear();
    pieces_.clear();
}

void PduReading::take_header(std::string_view line) {
    if (!header_.empty()) {
        take_piece(header_);  // one place has one
    }
    header_ = line;
}

void PduReading::take_piece(std::string_view line) {
    pieces_ += line.substr(0, pieces_max - pieces_.size());
}

void PduReading::take_pdu(std::string_view line) {
    pdu_ = line;
}

bool PduReading::is_whole() const {
    return !pdu_.empty() && at::pdu_fits(header_, pdu_);
}

bool PduReading::is_empty() const {
    return pdu_.empty() && pieces_.empty() &&
           (header_.empty() || number_field(header_, length_field) == 0);
}

bool PduReading::is_to_send() const {
    return number_field(header_, 0).value_or(0) > stat_received_last;
}

std::string PduReading::octets() const {
    return at::octets_of(pdu_).value_or(pdu_ + pieces_);
}

}  // namespace smsrack::gsm
