#include "tools/pdu_json/submit_wish.hpp"

#include "src/wire/json.hpp"
#include "tools/pdu_json/wish_members.hpp"

#include <algorithm>

namespace smsrack::tools {
namespace {

using wire::Json;

Fault read_member(const std::string& name, const Json& value, SubmitWish& wish) {
    const auto members = wish_members();
    const auto member = std::ranges::find(members, std::string_view(name), &WishMember::name);
    if (member == members.end()) {
        return bad_request(name, "there is no such member");
    }
    if (value.is_null() && member->may_be_null) {
        return {};
    }
    return member->read(value, wish, *member);
}

/// What `dcs` and `alphabet` say of the content must agree with what it is.
Fault check_alphabet(const SubmitWish& wish) {
    if ((wish.alphabet == WishedAlphabet::data8) != wish.is_data &&
        wish.alphabet != WishedAlphabet::automatic) {
        return bad_request("alphabet", "data8 goes with data, and data with data8");
    }
    if (!wish.dcs) {
        return {};
    }
    const pdu::Dcs dcs = pdu::read_dcs(*wish.dcs);
    if (wish.message_class) {
        return bad_request("dcs", "class or dcs, not both");
    }
    if (dcs.compressed || dcs.reserved) {
        return bad_request("dcs", "compressed or reserved");
    }
    const bool data8 = dcs.alphabet == pdu::Alphabet::data8;
    const bool against =
        (wish.alphabet == WishedAlphabet::gsm7 && dcs.alphabet != pdu::Alphabet::gsm7) ||
        (wish.alphabet == WishedAlphabet::ucs2 && dcs.alphabet != pdu::Alphabet::ucs2);
    return data8 != wish.is_data || against
               ? Fault{bad_request("dcs", "its alphabet is not that of the content")}
               : Fault{};
}

Fault check_whole(const Json& json, const SubmitWish& wish) {
    if (!json.contains("to")) {
        return bad_request("to", "is required");
    }
    if (json.contains("text") == json.contains("data")) {
        return bad_request("text", "exactly one of text and data");
    }
    if (wish.concat_ref_bits == 8 && wish.concat_ref.value_or(0) > 255) {
        return bad_request("concat_ref", "0 to 255 with 8 bits");
    }
    if (auto fault = check_alphabet(wish)) {
        return fault;
    }
    if (wish.ports && wish.elements_have_ports) {
        return LineError{.code = pdu::PduErrc::bad_udh, .message = "udh: ports are there already"};
    }
    return {};
}

LineError unreadable(const Error& error) {
    // detail: the octet from 1 where the text is no JSON; 0 where it is, but deeper or with larger
    // numbers than any request.
    if (error.detail == 0) {
        return {.code = pdu::PduErrc::bad_request, .message = error.context};
    }
    return {.code = pdu::PduErrc::bad_json,
            .message = error.context,
            .offset = static_cast<std::size_t>(error.detail) - 1};
}

}  // namespace

LineResult<SubmitWish> read_submit_wish(std::string_view line) {
    const auto json = wire::parse_json(line);
    if (!json) {
        return std::unexpected(unreadable(json.error()));
    }
    if (!json->is_object()) {
        return std::unexpected(
            LineError{.code = pdu::PduErrc::bad_json, .message = "not a JSON object"});
    }
    SubmitWish wish;
    for (const auto& [name, value] : json->items()) {
        if (auto fault = read_member(name, value, wish)) {
            return std::unexpected(std::move(*fault));
        }
    }
    if (auto fault = check_whole(*json, wish)) {
        return std::unexpected(std::move(*fault));
    }
    return wish;
}

}  // namespace smsrack::tools
