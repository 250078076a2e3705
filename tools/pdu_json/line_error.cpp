#include "tools/pdu_json/line_error.hpp"

#include "src/wire/json_writer.hpp"

namespace smsrack::tools {

LineError line_error(const pdu::PduError& error) {
    return {.code = error.code, .message = pdu_message(error), .offset = error.offset.value_or(0)};
}

void append_error(std::string& out, const LineError& error) {
    wire::JsonWriter json(out);
    json.begin_object();
    json.key("error");
    json.begin_object();
    json.member("code", pdu_errc_name(error.code));
    json.member("message", error.message);
    json.member("offset", error.offset);
    json.end_object();
    json.end_object();
}

}  // namespace smsrack::tools
