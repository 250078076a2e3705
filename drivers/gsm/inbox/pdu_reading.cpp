#include "drivers/gsm/inbox/pdu_reading.hpp"

#include "drivers/at/pdu_line.hpp"
#include "drivers/gsm/fields.hpp"

namespace smsrack::gsm {
namespace {

constexpr int length_field = 2;  // +CMGR: <stat>,[<alpha>],<length>

ReadEnd judge_refused(Place place, PlaceTrouble& trouble) {
    if (trouble.add(place, {}).tries < refused_reads_max) {
        return {ReadVerdict::again, PlaceTrouble::pause_after(PlaceTrouble::quick_max)};
    }
    trouble.over(place);
    return {ReadVerdict::given_up};
}

ReadEnd judge_torn(const PduReading& reading, Place place, PlaceTrouble& trouble) {
    const auto count = trouble.add(place, reading.text());
    if (count.equal < PlaceTrouble::equal_max) {
        return {ReadVerdict::again, PlaceTrouble::pause_after(count.tries)};
    }
    trouble.over(place);
    return {ReadVerdict::unreadable};
}

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

bool is_gone(at::FinalResult result) {
    constexpr at::FinalResult invalid_index{at::FinalKind::cms_error, 321};
    return result == invalid_index;
}

ReadEnd judge_reading(const PduReading& reading, at::FinalResult result, Place place,
                      PlaceTrouble& trouble) {
    const bool is_ok = result.kind == at::FinalKind::ok;
    if (is_ok && reading.is_empty() && !reading.has_header() && trouble.add(place, {}).tries == 1) {
        return {ReadVerdict::doubtful};
    }
    if (is_gone(result) || (is_ok && reading.is_empty())) {
        trouble.over(place);
        return {ReadVerdict::gone};
    }
    if (!is_ok) {
        return judge_refused(place, trouble);
    }
    if (!reading.is_to_send() && !reading.is_whole()) {
        return judge_torn(reading, place, trouble);
    }
    trouble.over(place);
    return {reading.is_to_send() ? ReadVerdict::not_ours : ReadVerdict::whole};
}

}  // namespace smsrack::gsm
