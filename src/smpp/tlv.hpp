/// Optional parameters: tag, length, value, at the end of a PDU.
///
/// Errors:  bad_optional_part: one ends beyond the PDU; parameter_length: of a known tag with a
///          length that it can't have.
/// Source:  SMPP 3.4 3.2.4, 5.3.
#pragma once

#include "src/smpp/reader.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::smpp {

enum class Tag : std::uint16_t {
    receipted_message_id = 0x001E,
    user_message_reference = 0x0204,
    source_port = 0x020A,
    destination_port = 0x020B,
    sar_msg_ref_num = 0x020C,
    sar_total_segments = 0x020E,
    sar_segment_seqnum = 0x020F,
    sc_interface_version = 0x0210,
    network_error_code = 0x0423,
    message_payload = 0x0424,
    message_state = 0x0427,
};

/// How the value of a tag reads.
enum class TlvKind : std::uint8_t { integer, text, octets };

/// "message_payload"; of a tag that the standard does not name: "".
[[nodiscard]] std::string_view tag_name(Tag tag);
[[nodiscard]] TlvKind tag_kind(Tag tag);

struct Tlv {
    Tag tag{};
    std::string octets = {};  ///< as they are in the PDU

    /// Of the kind integer, at most four octets.
    [[nodiscard]] std::uint32_t number() const;
    /// Of the kind text, without its NUL.
    [[nodiscard]] std::string_view text() const;

    bool operator==(const Tlv&) const = default;
};

using Tlvs = std::vector<Tlv>;

/// All that is left of a PDU. Tags that the standard does not name are kept, whatever they hold.
[[nodiscard]] Tlvs read_tlvs(Reader& reader);
void put_tlvs(std::string& out, const Tlvs& tlvs);

/// The first with that tag; nullptr: none.
[[nodiscard]] const Tlv* find(const Tlvs& tlvs, Tag tag);

[[nodiscard]] Tlv integer_tlv(Tag tag, std::uint32_t value);
[[nodiscard]] Tlv text_tlv(Tag tag, std::string_view text);

}  // namespace smsrack::smpp
