/// Reads one line of `smsrack pdu encode` strictly from its JSON object.
///
/// Errors:  bad_json (not one JSON object in valid UTF-8), bad_request (unknown member, wrong type
///          or range, members that contradict each other), bad_udh (an element that the encoder
///          makes itself).
#pragma once

#include "src/pdu/address_field.hpp"
#include "src/pdu/alphabet/dcs.hpp"
#include "src/pdu/segmenter.hpp"
#include "src/pdu/validity_period.hpp"
#include "tools/pdu_json/line_error.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::tools {

struct WishedAddress {
    std::string number = {};
    std::uint8_t ton = pdu::ton_international;
    std::uint8_t npi = pdu::npi_telephone;

    [[nodiscard]] pdu::AddressWish view() const {
        return {.number = number, .ton = ton, .npi = npi};
    }
};

enum class WishedAlphabet : std::uint8_t { automatic, gsm7, ucs2, data8 };

struct SubmitWish {
    WishedAddress to = {};
    std::optional<WishedAddress> smsc = {};
    std::string content = {};  ///< UTF-8, or octets
    bool is_data = false;
    WishedAlphabet alphabet = WishedAlphabet::automatic;
    std::optional<std::uint8_t> message_class = {};
    std::optional<std::uint8_t> dcs = {};
    bool srr = false;
    bool rd = false;
    bool rp = false;
    std::uint8_t pid = 0;
    std::optional<std::uint8_t> mr = {};
    pdu::ValidityPeriod vp = {};
    std::uint8_t concat_ref_bits = 8;
    std::optional<std::uint16_t> concat_ref = {};
    std::optional<pdu::Ports> ports = {};
    std::vector<std::uint8_t> elements = {};  ///< of `udh`, as they are sent
    bool elements_have_ports = false;
    pdu::LanguageWish language = pdu::LanguageWish::fixed;
    pdu::Languages tables = {};
};

/// One line; its members agree with each other.
[[nodiscard]] LineResult<SubmitWish> read_submit_wish(std::string_view line);

}  // namespace smsrack::tools
