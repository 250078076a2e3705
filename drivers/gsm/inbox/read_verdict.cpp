#include "drivers/gsm/inbox/read_verdict.hpp"

namespace smsrack::gsm {
namespace {

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
