#include "src/smpp/tlv.hpp"

#include "src/base/check.hpp"
#include "src/smpp/writer.hpp"

#include <algorithm>
#include <array>

namespace smsrack::smpp {
namespace {

struct Row {
    std::uint16_t tag;
    std::string_view name;
    TlvKind kind;
    std::uint16_t least;  // octets
    std::uint16_t most;
};

constexpr auto integer = TlvKind::integer;
constexpr auto text = TlvKind::text;
constexpr auto octets = TlvKind::octets;
constexpr std::uint16_t any = 0xFFFF;

constexpr std::array rows{
    Row{0x0005, "dest_addr_subunit", integer, 1, 1},
    Row{0x0006, "dest_network_type", integer, 1, 1},
    Row{0x0007, "dest_bearer_type", integer, 1, 1},
    Row{0x0008, "dest_telematics_id", integer, 2, 2},
    Row{0x000D, "source_addr_subunit", integer, 1, 1},
    Row{0x000E, "source_network_type", integer, 1, 1},
    Row{0x000F, "source_bearer_type", integer, 1, 1},
    Row{0x0010, "source_telematics_id", integer, 1, 1},
    Row{0x0017, "qos_time_to_live", integer, 4, 4},
    Row{0x0019, "payload_type", integer, 1, 1},
    Row{0x001D, "additional_status_info_text", text, 1, 256},
    Row{0x001E, "receipted_message_id", text, 1, 65},
    Row{0x0030, "ms_msg_wait_facilities", integer, 1, 1},
    Row{0x0201, "privacy_indicator", integer, 1, 1},
    Row{0x0202, "source_subaddress", octets, 2, 23},
    Row{0x0203, "dest_subaddress", octets, 2, 23},
    Row{0x0204, "user_message_reference", integer, 2, 2},
    Row{0x0205, "user_response_code", integer, 1, 1},
    Row{0x020A, "source_port", integer, 2, 2},
    Row{0x020B, "destination_port", integer, 2, 2},
    Row{0x020C, "sar_msg_ref_num", integer, 2, 2},
    Row{0x020D, "language_indicator", integer, 1, 1},
    Row{0x020E, "sar_total_segments", integer, 1, 1},
    Row{0x020F, "sar_segment_seqnum", integer, 1, 1},
    Row{0x0210, "sc_interface_version", integer, 1, 1},
    Row{0x0302, "callback_num_pres_ind", integer, 1, 1},
    Row{0x0303, "callback_num_atag", octets, 0, 65},
    Row{0x0304, "number_of_messages", integer, 1, 1},
    Row{0x0381, "callback_num", octets, 4, 19},
    Row{0x0420, "dpf_result", integer, 1, 1},
    Row{0x0421, "set_dpf", integer, 1, 1},
    Row{0x0422, "ms_availability_status", integer, 1, 1},
    Row{0x0423, "network_error_code", octets, 3, 3},
    Row{0x0424, "message_payload", octets, 0, any},
    Row{0x0425, "delivery_failure_reason", integer, 1, 1},
    Row{0x0426, "more_messages_to_send", integer, 1, 1},
    Row{0x0427, "message_state", integer, 1, 1},
    Row{0x0501, "ussd_service_op", octets, 1, 1},
    Row{0x1201, "display_time", integer, 1, 1},
    Row{0x1203, "sms_signal", integer, 2, 2},
    Row{0x1204, "ms_validity", integer, 1, 1},
    Row{0x130C, "alert_on_message_delivery", octets, 0, 0},
    Row{0x1380, "its_reply_type", integer, 1, 1},
    Row{0x1383, "its_session_info", octets, 2, 2},
};
static_assert(std::ranges::is_sorted(rows, {}, &Row::tag));

const Row* row_of(Tag tag) {
    const auto number = static_cast<std::uint16_t>(tag);
    const auto* row = std::ranges::lower_bound(rows, number, {}, &Row::tag);
    return row != rows.end() && row->tag == number ? row : nullptr;
}

bool fits(const Row& row, std::string_view value) {
    return value.size() >= row.least && value.size() <= row.most &&
           (row.kind != TlvKind::text || value.find('\0') == value.size() - 1);
}

}  // namespace

std::string_view tag_name(Tag tag) {
    const Row* row = row_of(tag);
    return row != nullptr ? row->name : std::string_view();
}

TlvKind tag_kind(Tag tag) {
    const Row* row = row_of(tag);
    return row != nullptr ? row->kind : TlvKind::octets;
}

std::uint32_t Tlv::number() const {
    std::uint32_t value = 0;
    for (const char octet : octets) {
        value = (value << 8U) | static_cast<unsigned char>(octet);
    }
    return value;
}

std::string_view Tlv::text() const {
    return std::string_view(octets).substr(0, octets.find('\0'));
}

Tlvs read_tlvs(Reader& reader) {
    Tlvs tlvs;
    while (!reader.failed() && !reader.rest().empty()) {
        constexpr std::size_t front = 4;  // tag and length
        if (reader.rest().size() < front) {
            reader.fail(Status::bad_optional_part, "optional parameters");
            break;
        }
        const auto tag = static_cast<Tag>(reader.two("tag"));
        const std::size_t length = reader.two("length");
        const Row* row = row_of(tag);
        const std::string_view name = row != nullptr ? row->name : "optional parameters";
        const std::string_view value = reader.octets(length, name, Status::bad_optional_part);
        if (row != nullptr && !reader.failed() && !fits(*row, value)) {
            reader.fail(Status::parameter_length, name);
        }
        tlvs.push_back({.tag = tag, .octets = std::string(value)});
    }
    return tlvs;
}

void put_tlvs(std::string& out, const Tlvs& tlvs) {
    for (const Tlv& tlv : tlvs) {
        SMSRACK_CHECK(tlv.octets.size() <= any);
        put_two(out, static_cast<std::uint16_t>(tlv.tag));
        put_two(out, static_cast<std::uint16_t>(tlv.octets.size()));
        out += tlv.octets;
    }
}

const Tlv* find(const Tlvs& tlvs, Tag tag) {
    const auto found = std::ranges::find(tlvs, tag, &Tlv::tag);
    return found != tlvs.end() ? &*found : nullptr;
}

Tlv integer_tlv(Tag tag, std::uint32_t value) {
    const Row* row = row_of(tag);
    SMSRACK_CHECK(row != nullptr && row->kind == TlvKind::integer);
    std::string octets;
    put_four(octets, value);
    octets.erase(0, octets.size() - row->most);
    return {.tag = tag, .octets = std::move(octets)};
}

Tlv text_tlv(Tag tag, std::string_view words) {
    const Row* row = row_of(tag);
    SMSRACK_CHECK(row != nullptr && row->kind == TlvKind::text);
    Tlv tlv{.tag = tag};
    put_text(tlv.octets, words, row->most);
    return tlv;
}

}  // namespace smsrack::smpp
