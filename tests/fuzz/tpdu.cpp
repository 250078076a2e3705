// All six TPDUs, with and without the service centre field, in each direction.
#include "tools/modem_model/sms/tpdu.hpp"

#include "src/base/check.hpp"
#include "src/codec/inbound.hpp"
#include "src/pdu/decode.hpp"
#include "src/pdu/reassembler.hpp"
#include "src/wire/json.hpp"
#include "tests/fuzz/input.hpp"
#include "tools/pdu_json/record_json.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace smsrack::fuzz {
namespace {

using pdu::DecodedPdu;

constexpr std::array directions{pdu::Direction::to_mobile, pdu::Direction::from_mobile,
                                pdu::Direction::stored};

/// All that a record says, but for what was not of it. That it is JSON shows that each text is UTF-8.
wire::Json said(const DecodedPdu& decoded, bool service_centre) {
    std::string text;
    tools::append_record(text, decoded, service_centre);
    auto json = wire::parse_json(text);
    SMSRACK_CHECK(json && json->is_object());
    json->erase("trailing");
    json->erase("tpdu_length");
    return *std::move(json);
}

void check_user_data(const pdu::UserData& data) {
    SMSRACK_CHECK(data.octets.size() <= pdu::user_data_octets_max);
    SMSRACK_CHECK(data.payload.size() <= data.octets.size());
    if (data.udh && !data.udh->malformed) {
        pdu::Octets elements = data.udh->elements;
        while (!elements.empty()) {
            (void)pdu::next_element(elements);
        }
    }
    if (data.udh && data.udh->concat) {
        SMSRACK_CHECK(data.udh->concat->seq >= 1 &&
                      data.udh->concat->seq <= data.udh->concat->total);
    }
    pdu::SegmentText text;
    data.read_text(text);
    SMSRACK_CHECK(text.view() == data.text() && is_utf8(text.view()));
}

void check_time(const pdu::Timestamp& stamp) {
    if (!stamp.time) {
        return;
    }
    const auto text = stamp.time->rfc3339();
    const auto again = pdu::timestamp_of(pdu::make_timestamp(*stamp.time));
    SMSRACK_CHECK(again.time && again.time->rfc3339().view() == text.view());
    const auto parsed = pdu::parse_civil_time(text.view());
    SMSRACK_CHECK(parsed && parsed->wall() == stamp.time->wall());
}

/// The address on the air again; nullopt if it has what only a faulty sender codes.
std::optional<pdu::AddressOctets> on_air(const pdu::AddressField& address) {
    const auto octets = pdu::make_address(
        {.number = address.number.view(), .ton = address.ton, .npi = address.npi}, "again");
    if (!octets) {
        const std::string_view number = address.number.view();
        SMSRACK_CHECK(number.empty() || (address.ton != pdu::ton_name && number.contains('f')));
        return std::nullopt;
    }
    pdu::Reader reader(octets->view());
    const pdu::AddressField again = pdu::read_address(reader, "again");
    SMSRACK_CHECK(!reader.failed() && reader.rest().empty());
    SMSRACK_CHECK(again.display() == address.display() && again.npi == address.npi);
    return *octets;
}

void check_with_the_model(const std::string& made, const pdu::AddressField& destination) {
    const auto read = modem_sim::read_submit(made, pdu::tpdu_length(made));
    SMSRACK_CHECK(read.has_value());
    const std::string_view number = destination.number.view();
    if (destination.ton <= pdu::ton_international &&
        number.find_first_not_of("0123456789") == std::string_view::npos) {
        SMSRACK_CHECK(read->destination == destination.display());
    }
}

/// Decoded, made again, decoded: the same.
void check_submit(const DecodedPdu& decoded, bool service_centre, pdu::Direction direction) {
    const auto& submit = std::get<pdu::SmsSubmit>(decoded.tpdu);
    const auto destination = on_air(submit.destination);
    std::optional<pdu::AddressOctets> centre;
    if (decoded.service_centre) {
        const auto made = pdu::make_service_centre({.number = decoded.service_centre->number.view(),
                                                    .ton = decoded.service_centre->ton,
                                                    .npi = decoded.service_centre->npi});
        centre = made ? std::optional(*made) : std::nullopt;
    }
    if (!destination || centre.has_value() != decoded.service_centre.has_value()) {
        return;
    }
    const pdu::UserData& data = submit.user_data;
    pdu::SegmentData segment{.has_header = submit.first.tp_udhi(),
                             .tp_udl = data.tp_udl,
                             .size = static_cast<std::uint8_t>(data.octets.size())};
    std::ranges::copy(data.octets, segment.octets.begin());
    const pdu::SubmitHead head{
        .destination = *destination,
        .service_centre = centre,
        .tp_pid = submit.tp_pid,
        .tp_dcs = data.dcs.raw,
        .vp = submit.vp,
        .reject_duplicates = submit.first.has(pdu::FirstOctet::reject_duplicates),
        .status_report = submit.first.has(pdu::FirstOctet::status_report),
        .reply_path = submit.first.has(pdu::FirstOctet::reply_path)};
    std::string made = pdu::make_sms_submit(head, submit.tp_mr, segment);
    const auto again = pdu::decode_pdu(pdu::octets_of(made), direction);
    SMSRACK_CHECK(again && again->trailing.empty());
    SMSRACK_CHECK(pdu::tpdu_length(made) == again->tpdu_length);
    SMSRACK_CHECK(said(*again, service_centre) == said(decoded, service_centre));
    if (!data.dcs.reserved) {
        check_with_the_model(made, submit.destination);
    }

    pdu::set_validity(made, pdu::relative_period(167));
    const auto later = pdu::decode_pdu(pdu::octets_of(made), direction);
    SMSRACK_CHECK(later && later->trailing.empty());
    const auto& changed = std::get<pdu::SmsSubmit>(later->tpdu);
    SMSRACK_CHECK(changed.vp.duration() == pdu::relative_duration(167));
    SMSRACK_CHECK(changed.user_data.text() == data.text());
}

void check_record(const DecodedPdu& decoded, bool service_centre, pdu::Direction direction) {
    if (const auto* deliver = std::get_if<pdu::SmsDeliver>(&decoded.tpdu)) {
        (void)on_air(deliver->originator);
        check_time(deliver->scts);
        check_user_data(deliver->user_data);
    } else if (const auto* submit = std::get_if<pdu::SmsSubmit>(&decoded.tpdu)) {
        check_user_data(submit->user_data);
        check_submit(decoded, service_centre, direction);
    } else if (const auto* report = std::get_if<pdu::SmsStatusReport>(&decoded.tpdu)) {
        (void)on_air(report->recipient);
        check_time(report->scts);
        check_time(report->discharge);
        if (report->parameters && report->parameters->user_data) {
            check_user_data(*report->parameters->user_data);
        }
    } else if (const auto* command = std::get_if<pdu::SmsCommand>(&decoded.tpdu)) {
        (void)on_air(command->destination);
        SMSRACK_CHECK(command->data.size() <= 156);
    }
}

void check(pdu::Octets octets, bool service_centre, pdu::Direction direction) {
    const auto decode = [&](pdu::Octets what) {
        return service_centre ? pdu::decode_pdu(what, direction)
                              : pdu::decode_tpdu(what, direction);
    };
    const auto decoded = decode(octets);
    if (!decoded) {
        SMSRACK_CHECK(decoded.error().offset && *decoded.error().offset <= octets.size());
        SMSRACK_CHECK(!decoded.error().field.empty() && !pdu_message(decoded.error()).empty());
        return;
    }
    SMSRACK_CHECK(decoded->tpdu_length <= octets.size());
    SMSRACK_CHECK(decoded->trailing.size() <= decoded->tpdu_length);
    // What is behind a record changes nothing in it.
    const auto alone = decode(octets.first(octets.size() - decoded->trailing.size()));
    SMSRACK_CHECK(alone && alone->trailing.empty());
    SMSRACK_CHECK(said(*alone, service_centre) == said(*decoded, service_centre));
    check_record(*decoded, service_centre, direction);
}

/// Whatever comes in becomes something that the store can keep.
void check_inbound(std::string_view octets) {
    const auto kept = codec::read_inbound(octets, {.modem = "m0", .sim = SimId{1}, .at = {}});
    const auto* const segment = std::get_if<InboundSegment>(&kept);
    if (segment == nullptr) {
        return;
    }
    SMSRACK_CHECK(is_utf8(segment->from));
    SMSRACK_CHECK(segment->kind != InboundKind::gsm7 || is_utf8(segment->payload));
    SMSRACK_CHECK(segment->kind != InboundKind::undecodable || segment->payload == octets);
    const InboundText text = pdu::join_segments({segment, 1});
    SMSRACK_CHECK(is_utf8(text.text) && (text.is_data || text.data.empty()));
}

}  // namespace

int fuzz_tpdu(Octets input) {
    const pdu::Octets octets = pdu::octets_of(text_of(input));
    for (const pdu::Direction direction : directions) {
        check(octets, true, direction);
        check(octets, false, direction);
    }
    check_inbound(text_of(input));
    return 0;
}

}  // namespace smsrack::fuzz
