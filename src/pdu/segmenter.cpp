#include "src/pdu/segmenter.hpp"

#include "src/base/check.hpp"
#include "src/pdu/alphabet/ucs2.hpp"
#include "src/pdu/alphabet/utf8.hpp"
#include "src/pdu/segment_count.hpp"

#include <algorithm>
#include <array>

namespace smsrack::pdu {
namespace {

/// Better is what needs fewer segments; the first of equals stays.
class Cheapest {
public:
    void consider(PduResult<SegmentPlan> candidate) {
        if (candidate) {
            if (!best_ || candidate->segments < best_->segments) {
                best_ = std::move(candidate);
            }
            return;
        }
        // Of those that fail, the one that came furthest says why.
        if (!best_ && (!tried_ || candidate.error().offset > best_.error().offset)) {
            best_ = std::move(candidate);
        }
        tried_ = true;
    }
    [[nodiscard]] const PduResult<SegmentPlan>& best() const { return best_; }

private:
    PduResult<SegmentPlan> best_ = std::unexpected(PduError{});
    bool tried_ = false;
};

/// The default tables could not say it: UCS-2, then all national tables.
PduResult<SegmentPlan> plan_cheapest_language(const SegmentRequest& request) {
    Cheapest cheapest;
    if (request.alphabet == AlphabetWish::cheapest) {
        cheapest.consider(plan_ucs2(request));
    }
    for (std::uint8_t language = 1; language < language_count; ++language) {
        cheapest.consider(plan_gsm7(request, {.single = language}));
    }
    for (std::uint8_t language = 1; language < language_count; ++language) {
        if (language != spanish) {
            cheapest.consider(plan_gsm7(request, {.locking = language}));
        }
    }
    for (std::uint8_t language = 1; language < language_count; ++language) {
        if (language != spanish) {
            cheapest.consider(plan_gsm7(request, {.locking = language, .single = language}));
        }
    }
    return cheapest.best();
}

std::uint8_t* put_element(std::uint8_t* out, std::uint8_t iei,
                          std::initializer_list<unsigned> data) {
    *out++ = iei;
    *out++ = static_cast<std::uint8_t>(data.size());
    for (const unsigned octet : data) {
        *out++ = static_cast<std::uint8_t>(octet);
    }
    return out;
}

std::uint8_t* put_concat(std::uint8_t* out, const ConcatInfo& concat) {
    if (concat.ref_bits == 8) {
        return put_element(out, iei::concat8, {concat.ref & 0xFFU, concat.total, concat.seq});
    }
    return put_element(out, iei::concat16,
                       {unsigned{concat.ref} >> 8U, concat.ref & 0xFFU, concat.total, concat.seq});
}

std::uint8_t* put_ports(std::uint8_t* out, const Ports& ports) {
    if (ports.bits == 8) {
        return put_element(out, iei::ports8, {ports.dst, ports.src});
    }
    return put_element(out, iei::ports16,
                       {unsigned{ports.dst} >> 8U, ports.dst & 0xFFU, unsigned{ports.src} >> 8U,
                        ports.src & 0xFFU});
}

}  // namespace

PduResult<SegmentPlan> plan_segments(const SegmentRequest& request) {
    if (request.is_data) {
        return plan_data(request);
    }
    if (request.alphabet == AlphabetWish::ucs2) {
        return plan_ucs2(request);
    }
    const bool fixed = request.language == LanguageWish::fixed;
    auto plan = plan_gsm7(request, fixed ? request.tables : Languages{});
    if (plan || plan.error().code != PduErrc::unencodable) {
        return plan;
    }
    if (!fixed) {
        return plan_cheapest_language(request);
    }
    return request.alphabet == AlphabetWish::gsm7 ? plan : plan_ucs2(request);
}

SegmentWriter::SegmentWriter(const SegmentRequest& request, const SegmentPlan& plan,
                             std::uint16_t concat_ref)
    : request_(request), plan_(plan), concat_ref_(concat_ref) {}

void SegmentWriter::next(SegmentData& out) {
    SMSRACK_CHECK(seq_ < plan_.segments);
    ++seq_;
    out = SegmentData{};
    put_header(out);
    switch (plan_.alphabet) {
        case Alphabet::gsm7:
            put_gsm7(out);
            break;
        case Alphabet::ucs2:
            put_ucs2(out);
            break;
        case Alphabet::data8:
            put_data(out);
            break;
    }
    SMSRACK_CHECK(seq_ < plan_.segments || at_ == request_.content.size());
}

void SegmentWriter::put_header(SegmentData& out) const {
    const auto& part = request_.part;
    const bool many = plan_.segments > 1 || part;
    const std::size_t size = header_octets(request_, plan_.languages, many);
    if (size == 0) {
        return;
    }
    std::uint8_t* end = out.octets.data();
    *end++ = static_cast<std::uint8_t>(size - 1);
    if (many) {
        end = put_concat(end, {.ref = concat_ref_,
                               .total = part ? part->total : plan_.segments,
                               .seq = part ? part->number : seq_,
                               .ref_bits = request_.ref_bits});
    }
    if (request_.ports) {
        end = put_ports(end, *request_.ports);
    }
    if (plan_.languages.single != 0) {
        end = put_element(end, iei::single_shift, {plan_.languages.single});
    }
    if (plan_.languages.locking != 0) {
        end = put_element(end, iei::locking_shift, {plan_.languages.locking});
    }
    end = std::ranges::copy(request_.elements, end).out;
    SMSRACK_CHECK(end == out.octets.data() + size);
    out.has_header = true;
    out.size = static_cast<std::uint8_t>(size);
}

void SegmentWriter::put_gsm7(SegmentData& out) {
    const Gsm7Tables tables = gsm7_tables(plan_.languages);
    const std::string_view text = request_.content;
    Septets septets;
    std::size_t count = 0;
    while (at_ < text.size()) {
        const CodePoint character = code_point_at(text, at_);
        const Gsm7Code code = gsm7_code(character.value, tables);
        if (count + code.septets > plan_.units_per_segment) {
            break;
        }
        if (code.septets == 2) {
            septets[count++] = escape_code;
        }
        septets[count++] = code.code;
        at_ += character.octets;
    }
    const std::size_t first = septets_of_header(out.size);
    pack_septets({septets.data(), count}, first, out.octets);
    out.tp_udl = static_cast<std::uint8_t>(first + count);
    out.size = static_cast<std::uint8_t>(octets_of_septets(first + count));
}

void SegmentWriter::put_ucs2(SegmentData& out) {
    const std::string_view text = request_.content;
    std::uint8_t* end = out.octets.data() + out.size;
    std::size_t units = 0;
    while (at_ < text.size()) {
        const CodePoint character = code_point_at(text, at_);
        units += ucs2_units(character.value);
        if (units > plan_.units_per_segment) {
            break;
        }
        end = pdu::put_ucs2(end, character.value);
        at_ += character.octets;
    }
    out.size = static_cast<std::uint8_t>(end - out.octets.data());
    out.tp_udl = out.size;
}

void SegmentWriter::put_data(SegmentData& out) {
    const Octets octets = octets_of(request_.content.substr(at_, plan_.units_per_segment));
    std::ranges::copy(octets, out.octets.data() + out.size);
    at_ += octets.size();
    out.size = static_cast<std::uint8_t>(out.size + octets.size());
    out.tp_udl = out.size;
}

}  // namespace smsrack::pdu
