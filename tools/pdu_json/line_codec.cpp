#include "tools/pdu_json/line_codec.hpp"

#include "src/pdu/decode.hpp"
#include "src/pdu/segmenter.hpp"
#include "tools/pdu_json/blanks.hpp"
#include "tools/pdu_json/field_writer.hpp"
#include "tools/pdu_json/hex.hpp"
#include "tools/pdu_json/line_error.hpp"
#include "tools/pdu_json/record_json.hpp"
#include "tools/pdu_json/submit_wish.hpp"

namespace smsrack::tools {
namespace {

LineError line_error(const pdu::PduError& error) {
    return {.code = error.code, .message = pdu_message(error), .offset = error.offset.value_or(0)};
}

/// Appends {"error":{"code":...,"message":...,"offset":...}}.
bool refuse_line(std::string& out, const LineError& error) {
    wire::JsonWriter json(out);
    json.begin_object();
    json.key("error");
    json.begin_object();
    json.member("code", pdu_errc_name(error.code));
    json.member("message", error.message);
    json.member("offset", error.offset);
    json.end_object();
    json.end_object();
    out += '\n';
    return false;
}

LineError too_long_line() {
    return {.code = pdu::PduErrc::too_long, .message = "the line is longer than 16 MiB"};
}

pdu::PduResult<pdu::DecodedPdu> decode_hex(std::string_view hex, std::vector<std::uint8_t>& octets,
                                           const DecodeOptions& options) {
    if (hex.empty()) {
        return std::unexpected(pdu::PduError{.code = pdu::PduErrc::empty, .offset = 0});
    }
    if (const std::size_t bad = read_hex(hex, octets); bad != std::string_view::npos) {
        return std::unexpected(pdu::PduError{.code = pdu::PduErrc::bad_hex, .offset = bad});
    }
    return options.service_centre ? decode_pdu(octets, options.direction)
                                  : decode_tpdu(octets, options.direction);
}

/// Different for different messages, the same for the same line of the same input (FNV-1a).
std::uint16_t chosen_reference(const SubmitWish& wish, std::uint64_t line_number) {
    std::uint64_t hash = 0xCBF29CE484222325U;
    for (const std::string_view part : {wish.to.number, wish.content}) {
        for (const char c : part) {
            hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
        }
    }
    hash = (hash ^ (hash >> 32U)) + line_number;
    return wish.concat_ref_bits == 8 ? static_cast<std::uint8_t>(hash)
                                     : static_cast<std::uint16_t>(hash);
}

pdu::SegmentRequest segment_request(const SubmitWish& wish) {
    pdu::SegmentRequest request{.content = wish.content, .is_data = wish.is_data};
    const auto fixed = wish.dcs ? std::optional(pdu::read_dcs(*wish.dcs).alphabet) : std::nullopt;
    if (wish.alphabet == WishedAlphabet::gsm7 || fixed == pdu::Alphabet::gsm7) {
        request.alphabet = pdu::AlphabetWish::gsm7;
    } else if (wish.alphabet == WishedAlphabet::ucs2 || fixed == pdu::Alphabet::ucs2) {
        request.alphabet = pdu::AlphabetWish::ucs2;
    }
    request.language = wish.language;
    request.tables = wish.tables;
    request.ref_bits = wish.concat_ref_bits;
    request.ports = wish.ports;
    request.elements = wish.elements;
    return request;
}

pdu::PduResult<pdu::SubmitHead> submit_head(const SubmitWish& wish) {
    const auto destination = make_address(wish.to.view(), "to");
    if (!destination) {
        return std::unexpected(destination.error());
    }
    pdu::SubmitHead head{.destination = *destination,
                         .tp_pid = wish.pid,
                         .vp = wish.vp,
                         .reject_duplicates = wish.rd,
                         .status_report = wish.srr,
                         .reply_path = wish.rp};
    if (wish.smsc) {
        const auto service_centre = make_service_centre(wish.smsc->view());
        if (!service_centre) {
            return std::unexpected(service_centre.error());
        }
        head.service_centre = *service_centre;
    }
    return head;
}

void append_segments(std::string& out, const SubmitWish& wish, const pdu::SubmitHead& head,
                     const pdu::SegmentPlan& plan, pdu::SegmentWriter writer) {
    FieldWriter field(out);
    wire::JsonWriter& json = field.json();
    json.begin_object();
    json.key("segments");
    json.begin_array();
    pdu::SegmentData segment;
    for (unsigned i = 0; i < plan.segments; ++i) {
        writer.next(segment);
        const auto tp_mr = static_cast<std::uint8_t>(wish.mr ? *wish.mr + i : 0U);
        const std::string octets = make_sms_submit(head, tp_mr, segment);
        json.begin_object();
        field.hex("pdu", pdu::octets_of(octets));
        json.member("tpdu_length", pdu::tpdu_length(octets));
        json.end_object();
    }
    json.end_array();
    json.member("alphabet", alphabet_name(plan.alphabet));
    if (plan.languages != pdu::Languages{}) {
        field.languages(plan.languages);
    }
    json.end_object();
}

}  // namespace

bool DecodeLines::work(std::string_view line, std::string& out) {
    const auto decoded = decode_hex(without_blanks(line), octets_, options_);
    if (!decoded) {
        return refuse_line(out, line_error(decoded.error()));
    }
    append_record(out, *decoded, options_.service_centre);
    out += '\n';
    return true;
}

void DecodeLines::refuse(std::string& out) {
    refuse_line(out, too_long_line());
}

bool EncodeLines::work(std::string_view line, std::string& out) {
    ++line_number_;
    const std::string_view request_text = without_blanks(line);
    if (request_text.empty()) {
        return refuse_line(out, line_error({.code = pdu::PduErrc::empty}));
    }
    const auto wish = read_submit_wish(request_text);
    if (!wish) {
        return refuse_line(out, wish.error());
    }
    auto head = submit_head(*wish);
    if (!head) {
        return refuse_line(out, line_error(head.error()));
    }
    const pdu::SegmentRequest request = segment_request(*wish);
    const auto plan = plan_segments(request);
    if (!plan) {
        return refuse_line(out, line_error(plan.error()));
    }
    head->tp_dcs = wish->dcs.value_or(make_dcs(plan->alphabet, wish->message_class));
    const std::uint16_t ref = wish->concat_ref.value_or(chosen_reference(*wish, line_number_));
    append_segments(out, *wish, *head, *plan, pdu::SegmentWriter(request, *plan, ref));
    out += '\n';
    return true;
}

void EncodeLines::refuse(std::string& out) {
    ++line_number_;
    refuse_line(out, too_long_line());
}

}  // namespace smsrack::tools
