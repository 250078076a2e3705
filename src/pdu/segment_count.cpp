#include "src/pdu/segment_count.hpp"

#include "src/pdu/alphabet/gsm7.hpp"
#include "src/pdu/alphabet/ucs2.hpp"
#include "src/pdu/alphabet/utf8.hpp"
#include "src/pdu/user_data.hpp"

namespace smsrack::pdu {
namespace {

/// Counts how greedy filling divides the characters, none of which is cut.
class Filling {
public:
    explicit Filling(std::size_t capacity) : capacity_(capacity) {}

    void add(std::size_t units) {
        total_ += units;
        used_ += units;
        if (used_ > capacity_) {
            ++segments_;
            used_ = units;
            fits_ = fits_ && units <= capacity_;
        }
    }
    /// The same for `count` characters of one unit each.
    void add_all(std::size_t count) {
        total_ = used_ = count;
        fits_ = capacity_ > 0;
        segments_ = fits_ ? std::max<std::size_t>(1, (count + capacity_ - 1) / capacity_) : 1;
    }
    [[nodiscard]] std::size_t total() const { return total_; }
    [[nodiscard]] std::size_t segments() const { return segments_; }
    /// False: one character is wider than a whole segment.
    [[nodiscard]] bool fits() const { return fits_; }

private:
    const std::size_t capacity_;
    std::size_t total_ = 0;
    std::size_t segments_ = 1;
    std::size_t used_ = 0;
    bool fits_ = true;
};

/// Units that fit after n octets of header.
std::size_t capacity(Alphabet alphabet, std::size_t header) {
    if (header > user_data_octets_max) {
        return 0;
    }
    switch (alphabet) {
        case Alphabet::gsm7:
            return septets_max - septets_of_header(header);
        case Alphabet::ucs2:
            return (user_data_octets_max - header) / 2;
        case Alphabet::data8:
            return user_data_octets_max - header;
    }
    return 0;
}

std::unexpected<PduError> no_room() {
    return std::unexpected(PduError{.code = PduErrc::bad_udh, .field = "TP-UD.UDH"});
}

PduResult<SegmentPlan> plan_of(const SegmentRequest& request, Alphabet alphabet,
                               Languages languages, const Filling& filling) {
    const std::size_t header = header_octets(request, languages, request.part.has_value());
    if (header > user_data_octets_max) {
        return no_room();
    }
    SegmentPlan plan{.alphabet = alphabet, .languages = languages, .units = filling.total()};
    const std::size_t alone = capacity(alphabet, header);
    if (filling.total() <= alone) {
        plan.units_per_segment = alone;
        return plan;
    }
    plan.units_per_segment = capacity(alphabet, header_octets(request, languages, true));
    if (!filling.fits() || plan.units_per_segment == 0) {
        return no_room();
    }
    if (filling.segments() > segments_max) {
        return std::unexpected(
            PduError{.code = PduErrc::too_long, .field = request.is_data ? "data" : "text"});
    }
    plan.segments = static_cast<std::uint8_t>(filling.segments());
    return plan;
}

Filling filling_for(const SegmentRequest& request, Alphabet alphabet, Languages languages) {
    return Filling(capacity(alphabet, header_octets(request, languages, true)));
}

/// The place of an octet of the text, in characters.
std::size_t characters_before(std::string_view text, std::size_t at) {
    std::size_t count = 0;
    for (const char c : text.substr(0, at)) {
        count += (static_cast<unsigned char>(c) & 0xC0U) != 0x80 ? 1 : 0;
    }
    return count;
}

std::unexpected<PduError> bad_character(PduErrc code, std::string_view text, std::size_t at) {
    return std::unexpected(
        PduError{.code = code, .offset = characters_before(text, at), .field = "text"});
}

/// `units_of`: those of one character; 0: the alphabet lacks it.
template <typename UnitsOf>
PduResult<SegmentPlan> plan_text(const SegmentRequest& request, Alphabet alphabet,
                                 Languages languages, UnitsOf units_of) {
    const std::string_view text = request.content;
    Filling filling = filling_for(request, alphabet, languages);
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint character = code_point_at(text, at);
        if (character.octets == 0) {
            return bad_character(PduErrc::bad_utf8, text, at);
        }
        const std::size_t units = units_of(character.value);
        if (units == 0) {
            return bad_character(PduErrc::unencodable, text, at);
        }
        filling.add(units);
        at += character.octets;
    }
    return plan_of(request, alphabet, languages, filling);
}

}  // namespace

std::size_t header_octets(const SegmentRequest& request, Languages languages, bool many) {
    std::size_t elements = request.elements.size();
    elements += many ? (request.ref_bits == 8 ? 5U : 6U) : 0U;
    elements += request.ports ? (request.ports->bits == 8 ? 4U : 6U) : 0U;
    elements += languages.single != 0 ? 3U : 0U;
    elements += languages.locking != 0 ? 3U : 0U;
    return elements == 0 ? 0 : 1 + elements;
}

PduResult<SegmentPlan> plan_gsm7(const SegmentRequest& request, Languages languages) {
    return plan_text(request, Alphabet::gsm7, languages,
                     [tables = gsm7_tables(languages)](char32_t character) -> std::size_t {
                         return gsm7_code(character, tables).septets;
                     });
}

PduResult<SegmentPlan> plan_ucs2(const SegmentRequest& request) {
    return plan_text(request, Alphabet::ucs2, {}, ucs2_units);
}

PduResult<SegmentPlan> plan_data(const SegmentRequest& request) {
    Filling filling = filling_for(request, Alphabet::data8, {});
    filling.add_all(request.content.size());
    return plan_of(request, Alphabet::data8, {}, filling);
}

}  // namespace smsrack::pdu
