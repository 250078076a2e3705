#include "tools/pdu_json/smpp_json.hpp"

#include "src/base/hex.hpp"
#include "src/wire/json_writer.hpp"

#include <fmt/format.h>
#include <tuple>
#include <type_traits>
#include <variant>

namespace smsrack::tools {
namespace {

using wire::JsonWriter;

constexpr std::uint8_t header_flag = 0x40;  // of esm_class: a user data header comes first

/// A C-octet string may hold any octets; as Latin-1 each is a character.
std::string shown(std::string_view text) {
    return smpp::text_of(text, smpp::Coding::latin1).value_or("");
}

std::string status_word(smpp::Status status) {
    const std::string_view name = smpp::status_name(status);
    return name.empty() ? fmt::format("0x{:08X}", static_cast<std::uint32_t>(status))
                        : std::string(name);
}

void append_members(JsonWriter& json, const smpp::Address& address) {
    json.member("ton", address.ton);
    json.member("npi", address.npi);
    json.member("text", shown(address.text));
}

void append_address(JsonWriter& json, std::string_view name, const smpp::Address& address) {
    json.key(name);
    json.begin_object();
    append_members(json, address);
    json.end_object();
}

/// The octets, and their text behind a header, where they are text.
template <typename Pdu>
void append_content(JsonWriter& json, const Pdu& pdu, std::string_view name,
                    std::string_view octets, smpp::Coding by_default) {
    json.member(name, hex_of(octets));
    if constexpr (requires { pdu.data_coding; }) {
        if ((pdu.esm_class & header_flag) != 0 && !octets.empty()) {
            const std::size_t header = 1U + static_cast<unsigned char>(octets.front());
            octets.remove_prefix(std::min(header, octets.size()));
        }
        if (const auto text = smpp::text_of(octets, smpp::coding_of(pdu.data_coding, by_default))) {
            json.member("text", *text);
        }
    }
}

template <typename Pdu>
void append_tlvs(JsonWriter& json, const Pdu& pdu, const smpp::Tlvs& tlvs,
                 smpp::Coding by_default) {
    if (tlvs.empty()) {
        return;
    }
    json.key("tlvs");
    json.begin_array();
    for (const smpp::Tlv& tlv : tlvs) {
        json.begin_object();
        const std::string_view name = smpp::tag_name(tlv.tag);
        const auto number = static_cast<std::uint16_t>(tlv.tag);
        json.member("tag", name.empty() ? fmt::format("0x{:04X}", number) : std::string(name));
        switch (smpp::tag_kind(tlv.tag)) {
            case smpp::TlvKind::integer:
                json.member("value", tlv.number());
                break;
            case smpp::TlvKind::text:
                json.member("value", shown(tlv.text()));
                break;
            case smpp::TlvKind::octets:
                if (tlv.tag == smpp::Tag::message_payload) {
                    append_content(json, pdu, "value", tlv.octets, by_default);
                } else {
                    json.member("value", hex_of(tlv.octets));
                }
                break;
        }
        json.end_object();
    }
    json.end_array();
}

void append_destinations(JsonWriter& json,
                         const std::vector<smpp::MultiDestination>& destinations) {
    json.key("destinations");
    json.begin_array();
    for (const smpp::MultiDestination& destination : destinations) {
        json.begin_object();
        if (destination.is_list) {
            json.member("list", shown(destination.address.text));
        } else {
            append_members(json, destination.address);
        }
        json.end_object();
    }
    json.end_array();
}

void append_refused(JsonWriter& json, const std::vector<smpp::RefusedDestination>& refused) {
    json.key("refused");
    json.begin_array();
    for (const smpp::RefusedDestination& one : refused) {
        json.begin_object();
        append_members(json, one.address);
        json.member("status", status_word(one.status));
        json.end_object();
    }
    json.end_array();
}

/// Writes one field of a body after the other.
template <typename Pdu>
class BodyWriter {
public:
    BodyWriter(JsonWriter& json, const Pdu& pdu, smpp::Coding by_default)
        : json_(json), pdu_(pdu), by_default_(by_default) {}

    void write(const smpp::OctetField<Pdu>& field) { json_.member(field.name, pdu_.*field.member); }
    void write(const smpp::TextField<Pdu>& field) {
        if (field.name == "password") {
            json_.member("has_password", !(pdu_.*field.member).empty());
        } else {
            json_.member(field.name, shown(pdu_.*field.member));
        }
    }
    void write(const smpp::TimeField<Pdu>& field) {
        json_.member(field.name, shown(pdu_.*field.member));
    }
    void write(const smpp::AddressField<Pdu>& field) {
        append_address(json_, field.name, pdu_.*field.member);
    }
    void write(const smpp::ShortMessageField<Pdu>& field) {
        append_content(json_, pdu_, "short_message", pdu_.*field.member, by_default_);
    }
    void write(const smpp::TlvField<Pdu>& field) {
        append_tlvs(json_, pdu_, pdu_.*field.member, by_default_);
    }
    void write(const smpp::DestinationsField<Pdu>& field) {
        append_destinations(json_, pdu_.*field.member);
    }
    void write(const smpp::RefusedField<Pdu>& field) { append_refused(json_, pdu_.*field.member); }

private:
    JsonWriter& json_;
    const Pdu& pdu_;
    smpp::Coding by_default_;
};

}  // namespace

void append_smpp(std::string& out, const smpp::Pdu& pdu, smpp::Coding by_default) {
    JsonWriter json(out);
    json.begin_object();
    json.member("command", smpp::command_name(pdu.header.command));
    json.member("sequence", pdu.header.sequence);
    if (smpp::is_answer(pdu.header.command)) {
        json.member("status", status_word(pdu.header.status));
    }
    std::visit(
        [&]<typename Body>(const Body& body) {
            if constexpr (!std::is_same_v<Body, std::monostate>) {
                BodyWriter<Body> writer(json, body, by_default);
                std::apply([&](const auto&... field) { (writer.write(field), ...); }, Body::fields);
            }
        },
        pdu.body);
    json.end_object();
}

}  // namespace smsrack::tools
