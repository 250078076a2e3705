#include "src/pdu/sms_submit.hpp"

#include "src/base/check.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::pdu {
namespace {

std::uint8_t first_octet_of(const SubmitHead& head, const SegmentData& segment) {
    unsigned octet = FirstOctet::submit;
    octet |= static_cast<unsigned>(std::to_underlying(head.vp.format))
             << FirstOctet::validity_shift;
    octet |= head.reject_duplicates ? FirstOctet::reject_duplicates : 0U;
    octet |= head.status_report ? FirstOctet::status_report : 0U;
    octet |= segment.has_header ? FirstOctet::user_data_header : 0U;
    octet |= head.reply_path ? FirstOctet::reply_path : 0U;
    return static_cast<std::uint8_t>(octet);
}

/// Where the TPDU starts.
std::size_t tpdu_place(const std::string& pdu) {
    SMSRACK_CHECK(!pdu.empty());
    return 1 + std::size_t{static_cast<std::uint8_t>(pdu[0])};
}

class Writer {
public:
    explicit Writer(char* out) : out_(out) {}
    void octet(std::uint8_t octet) { *out_++ = static_cast<char>(octet); }
    void octets(Octets octets) { out_ = std::ranges::copy(characters_of(octets), out_).out; }
    [[nodiscard]] std::size_t written(const char* begin) const {
        return static_cast<std::size_t>(out_ - begin);
    }

private:
    char* out_;
};

constexpr std::size_t pdu_octets_max = 12 + 2 + 12 + 2 + 7 + 1 + user_data_octets_max;

}  // namespace

SmsSubmit read_sms_submit(Reader& reader, FirstOctet first) {
    SmsSubmit record{.first = first};
    record.tp_mr = reader.octet("TP-MR");
    record.destination = read_address(reader, "TP-DA");
    record.tp_pid = reader.octet("TP-PID");
    const Dcs dcs = read_dcs(reader.octet("TP-DCS"));
    record.vp = read_validity_period(reader, first.tp_vpf());
    record.user_data = read_user_data(reader, dcs, first.tp_udhi());
    return record;
}

std::string make_sms_submit(const SubmitHead& head, std::uint8_t tp_mr,
                            const SegmentData& segment) {
    std::array<char, pdu_octets_max> pdu;
    Writer out(pdu.data());
    if (head.service_centre) {
        out.octets(head.service_centre->view());
    } else {
        out.octet(0);
    }
    out.octet(first_octet_of(head, segment));
    out.octet(tp_mr);
    out.octets(head.destination.view());
    out.octet(head.tp_pid);
    out.octet(head.tp_dcs);
    out.octets(head.vp.octets());
    out.octet(segment.tp_udl);
    out.octets(Octets{segment.octets}.first(segment.size));
    return {pdu.data(), out.written(pdu.data())};
}

std::size_t tpdu_length(const std::string& pdu) {
    return pdu.size() - tpdu_place(pdu);
}

void set_validity(std::string& pdu, const ValidityPeriod& period) {
    const std::size_t at = tpdu_place(pdu);
    const std::size_t destination = at + 2;
    SMSRACK_CHECK(destination < pdu.size());
    const FirstOctet first{.raw = static_cast<std::uint8_t>(pdu[at])};
    SMSRACK_CHECK(first.tp_mti() == FirstOctet::submit);
    const std::size_t semi_octets = static_cast<std::uint8_t>(pdu[destination]);
    // Behind TP-DA, TP-PID and TP-DCS.
    const std::size_t place = destination + 2 + (semi_octets + 1) / 2 + 2;
    SMSRACK_CHECK(place < pdu.size());

    constexpr unsigned both_bits = 0x03U << FirstOctet::validity_shift;
    const unsigned format = static_cast<unsigned>(std::to_underlying(period.format))
                            << FirstOctet::validity_shift;
    const std::size_t had = ValidityPeriod{.format = first.tp_vpf()}.octets().size();
    pdu[at] = static_cast<char>((first.raw & ~both_bits) | format);
    pdu.replace(place, had, characters_of(period.octets()));
}

}  // namespace smsrack::pdu
