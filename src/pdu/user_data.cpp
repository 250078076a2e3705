#include "src/pdu/user_data.hpp"

#include "src/pdu/alphabet/ucs2.hpp"

namespace smsrack::pdu {
namespace {

static_assert(ucs2_utf8_max(user_data_octets_max) <= gsm7_utf8_max);

constexpr std::string_view length_field = "TP-UDL";
constexpr std::string_view data_field = "TP-UD";
constexpr std::string_view header_field = "TP-UD.UDH";

/// The header's octets with TP-UDHL itself.
std::size_t header_octets(const UserData& data) {
    return data.octets.size() - data.payload.size();
}

char* put_gsm7(char* out, const UserData& data) {
    const std::size_t first = septets_of_header(header_octets(data));
    if (first >= data.tp_udl) {
        return out;
    }
    Septets septets;
    const std::size_t count = data.tp_udl - first;
    unpack_septets(data.octets, first, count, septets);
    const Languages languages = data.udh ? data.udh->languages.value_or(Languages{}) : Languages{};
    return put_gsm7_text(out, {septets.data(), count}, gsm7_tables(languages));
}

}  // namespace

void UserData::read_text(SegmentText& out) const {
    char* const begin = out.characters_.data();
    char* end = begin;
    if (dcs.is_text()) {
        end =
            dcs.alphabet == Alphabet::gsm7 ? put_gsm7(begin, *this) : put_ucs2_text(begin, payload);
    }
    out.size_ = static_cast<std::size_t>(end - begin);
}

std::string UserData::text() const {
    SegmentText text;
    read_text(text);
    return std::string(text.view());
}

UserData read_user_data(Reader& reader, const Dcs& dcs, bool tp_udhi) {
    const std::size_t at = reader.offset();
    UserData data{.dcs = dcs};
    data.tp_udl = reader.octet(length_field);
    if (data.tp_udl > (dcs.counts_septets() ? septets_max : user_data_octets_max)) {
        reader.fail(PduErrc::bad_udl, at, length_field);
    }
    const std::size_t size = dcs.counts_septets() ? octets_of_septets(data.tp_udl) : data.tp_udl;
    std::size_t header = 0;
    if (tp_udhi && size > 0 && !reader.rest().empty()) {
        header = 1 + std::size_t{reader.rest()[0]};
        if (header > size) {
            reader.fail(PduErrc::bad_udh, reader.offset(), header_field);
        }
    }
    data.octets = reader.octets(size, data_field);
    if (reader.failed()) {
        return {};
    }
    data.payload = data.octets.subspan(header);
    if (header > 0) {
        data.udh = read_udh(data.octets.subspan(1, header - 1));
    }
    return data;
}

}  // namespace smsrack::pdu
