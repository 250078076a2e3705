#include "tools/pdu_json/smpp_lines.hpp"

#include "src/pdu/octets.hpp"
#include "src/pdu/pdu_error.hpp"
#include "src/smpp/frame.hpp"
#include "src/wire/json_writer.hpp"
#include "tools/pdu_json/blanks.hpp"
#include "tools/pdu_json/hex.hpp"
#include "tools/pdu_json/smpp_json.hpp"

#include <fmt/format.h>

namespace smsrack::tools {
namespace {

bool refuse_line(std::string& out, std::string_view code, std::string_view message,
                 std::size_t offset) {
    wire::JsonWriter json(out);
    json.begin_object();
    json.key("error");
    json.begin_object();
    json.member("code", code);
    json.member("message", message);
    json.member("offset", offset);
    json.end_object();
    json.end_object();
    out += '\n';
    return false;
}

bool refuse_hex(std::string& out, pdu::PduErrc code, std::size_t offset) {
    const pdu::PduError error{.code = code, .offset = offset};
    return refuse_line(out, pdu_errc_name(code), pdu_message(error), offset);
}

bool refuse_pdu(std::string& out, const smpp::Problem& problem) {
    constexpr std::size_t digits = 2;
    return refuse_line(out, smpp::status_name(problem.status),
                       fmt::format("{}: {}", problem.field, smpp::status_words(problem.status)),
                       problem.offset * digits);
}

}  // namespace

bool SmppLines::work(std::string_view line, std::string& out) {
    const std::string_view hex = without_blanks(line);
    if (hex.empty()) {
        return refuse_hex(out, pdu::PduErrc::empty, 0);
    }
    if (const std::size_t bad = read_hex(hex, octets_); bad != std::string_view::npos) {
        return refuse_hex(out, pdu::PduErrc::bad_hex, bad);
    }
    smpp::Frames frames;
    frames.add(pdu::characters_of(octets_));
    const auto frame = frames.next();
    if (!frame || !*frame || frames.waiting() > 0) {
        return refuse_pdu(
            out, {.status = smpp::Status::invalid_command_length, .field = "command_length"});
    }
    const auto pdu = smpp::decode(**frame);
    if (!pdu) {
        return refuse_pdu(out, pdu.error());
    }
    append_smpp(out, *pdu, by_default_);
    out += '\n';
    return true;
}

void SmppLines::refuse(std::string& out) {
    refuse_hex(out, pdu::PduErrc::too_long, 0);
}

}  // namespace smsrack::tools
