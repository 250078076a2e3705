#include "src/codec/inbound.hpp"

#include "src/base/hash.hpp"
#include "src/pdu/decode.hpp"

#include <optional>
#include <utility>

namespace smsrack::codec {
namespace {

std::optional<WallTime> wall_of(const pdu::Timestamp& timestamp) {
    return timestamp.time ? std::optional(timestamp.time->wall()) : std::nullopt;
}

InboundSegment empty_segment(const Arrival& arrival) {
    return {.modem = arrival.modem,
            .sim = arrival.sim,
            .own_number = arrival.own_number,
            .from = {},
            .kind = InboundKind::undecodable,
            .payload = {},
            .raw = {},
            .received_at = arrival.at,
            .heard_at = arrival.heard_at,
            .noted_at = arrival.noted_at,
            .held_at = arrival.held_at};
}

/// A national number becomes an international one where the line knows its country. One of unknown
/// type may be a service's own: only what begins like a number that is dialled is taken for one.
std::string sender_of(const pdu::AddressField& originator, const NumberPlan& plan) {
    std::string shown = originator.display();
    const bool dialled =
        originator.ton == pdu::ton_unknown &&
        ((!plan.trunk.empty() && shown.starts_with(plan.trunk)) || shown.starts_with("00"));
    if (plan.country.empty() || (originator.ton != pdu::ton_national && !dialled)) {
        return shown;
    }
    auto number = normalised_number(shown, plan);
    return number ? *std::move(number) : shown;
}

/// Of the coding scheme, or of an element of the header, which says more.
std::optional<Waiting> waiting_of(const pdu::UserData& data) {
    const auto said = data.udh && data.udh->waiting ? data.udh->waiting : data.dcs.waiting;
    if (!said) {
        return std::nullopt;
    }
    return Waiting{.where = static_cast<WaitingWhere>(said->kind), .active = said->active};
}
static_assert(static_cast<int>(pdu::WaitingKind::other) == static_cast<int>(WaitingWhere::other));

InboundSegment segment_of(const pdu::SmsDeliver& deliver, const Arrival& arrival) {
    InboundSegment segment = empty_segment(arrival);
    segment.from = sender_of(deliver.originator, arrival.plan);
    segment.pid = deliver.tp_pid;
    segment.scts = wall_of(deliver.scts);
    if (deliver.scts.time) {
        segment.scts_text = deliver.scts.time->rfc3339().view();
    }
    const pdu::UserData& data = deliver.user_data;
    segment.message_class = data.dcs.message_class;
    segment.waiting = waiting_of(data);
    if (data.udh) {
        segment.concat = data.udh->concat;
        if (const auto& ports = data.udh->ports) {
            segment.ports = PortAddress{.dst = ports->dst, .src = ports->src};
        }
    }
    if (!data.dcs.is_text()) {
        segment.kind = InboundKind::data;
        segment.payload = pdu::characters_of(data.payload);
    } else if (data.dcs.alphabet == pdu::Alphabet::ucs2) {
        segment.kind = InboundKind::ucs2;
        segment.payload = pdu::characters_of(data.payload);
    } else {
        segment.kind = InboundKind::gsm7;
        segment.payload = data.text();
    }
    return segment;
}

StatusReport report_of(const pdu::SmsStatusReport& report, const Arrival& arrival) {
    return {.modem = arrival.modem,
            .sim = arrival.sim,
            .tp_mr = report.tp_mr,
            .recipient = report.recipient.display(),
            .scts = wall_of(report.scts),
            .discharge = wall_of(report.discharge),
            .tp_status = report.tp_st,
            .of_command = report.first.has(pdu::FirstOctet::status_report),
            .raw = {},
            .received_at = arrival.at,
            .held_at = arrival.held_at};
}

/// What is hashed for the duplicate check: fields with their lengths, so that none runs into the
/// next.
class Content {
public:
    explicit Content(SimId sim) { add(std::to_string(sim.value)); }

    Content& add(std::string_view field) {
        octets_ += std::to_string(field.size()) + ':';
        octets_ += field;
        return *this;
    }
    Content& add(pdu::Octets field) { return add(pdu::characters_of(field)); }
    Content& add(std::uint8_t octet) { return add(pdu::Octets{&octet, 1}); }
    [[nodiscard]] std::array<std::uint8_t, 16> hash() const { return hash128(octets_); }

private:
    std::string octets_;
};

/// Two readings of one message are one, however they came: the service centre's address, the flag
/// that more messages wait, and what a SIM pads its records with are left out.
std::array<std::uint8_t, 16> fingerprint_of(const pdu::SmsDeliver& deliver, SimId sim) {
    return Content(sim)
        .add("deliver")
        .add(deliver.originator.ton)
        .add(deliver.originator.number.view())
        .add(deliver.tp_pid)
        .add(deliver.user_data.dcs.raw)
        .add(pdu::Octets{deliver.scts.raw})
        .add(deliver.user_data.tp_udl)
        .add(deliver.user_data.octets)
        .hash();
}

std::array<std::uint8_t, 16> fingerprint_of(const pdu::SmsStatusReport& report, SimId sim) {
    return Content(sim)
        .add("report")
        .add(report.tp_mr)
        .add(report.recipient.number.view())
        .add(pdu::Octets{report.scts.raw})
        .add(pdu::Octets{report.discharge.raw})
        .add(report.tp_st)
        .hash();
}

}  // namespace

std::variant<InboundSegment, StatusReport> read_inbound(std::string_view octets,
                                                        const Arrival& arrival) {
    const auto decoded = pdu::decode_pdu(pdu::octets_of(octets), pdu::Direction::to_mobile);
    if (decoded) {
        if (const auto* report = std::get_if<pdu::SmsStatusReport>(&decoded->tpdu)) {
            StatusReport kept = report_of(*report, arrival);
            kept.raw = octets;
            kept.fingerprint = fingerprint_of(*report, arrival.sim);
            return kept;
        }
        if (const auto* deliver = std::get_if<pdu::SmsDeliver>(&decoded->tpdu)) {
            InboundSegment segment = segment_of(*deliver, arrival);
            segment.raw = octets;
            segment.fingerprint = fingerprint_of(*deliver, arrival.sim);
            return segment;
        }
    }
    InboundSegment segment = empty_segment(arrival);
    segment.raw = octets;
    segment.payload = octets;
    segment.fingerprint = Content(arrival.sim).add("undecodable").add(octets).hash();
    return segment;
}

}  // namespace smsrack::codec
