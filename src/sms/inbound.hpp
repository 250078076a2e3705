/// What comes from the network: parts of messages, and status reports.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/ids.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace smsrack {

/// 3GPP TS 23.040 9.2.3.24.1, .8
struct ConcatInfo {
    std::uint16_t ref = 0;
    std::uint8_t total = 1;
    std::uint8_t seq = 1;       ///< from 1
    std::uint8_t ref_bits = 8;  ///< 8 or 16
};

/// The numbers are stored: never change one.
enum class InboundKind : std::uint8_t {
    gsm7 = 0,  ///< payload is UTF-8
    ucs2 = 1,  ///< payload is UTF-16BE, so that a surrogate pair may be cut between two segments
    data = 2,  ///< payload is octets
    undecodable = 3  ///< payload is the raw PDU: kept, and removed from the modem
};

struct InboundSegment {
    std::string modem;  ///< name of the line
    SimId sim;
    std::string own_number = {};  ///< of the line, where known: the inbox's `to`
    std::string from;             ///< normalised number, or a name
    std::optional<WallTime> scts = {};
    std::string scts_text = {};  ///< RFC 3339 with its own zone, as in `pdu decode`
    InboundKind kind = InboundKind::gsm7;
    std::string payload;
    std::optional<ConcatInfo> concat = {};
    std::optional<std::uint8_t> message_class = {};
    std::string raw;  ///< the PDU's octets
    std::array<std::uint8_t, 16> fingerprint =
        {};  ///< hash of SIM and raw PDU: durable exact duplicate check
    WallTime received_at;
};

struct InboundText {
    std::string text = {};  ///< UTF-8
    std::string data = {};  ///< octets, where it is not text
    bool is_data = false;
};

struct InboundKept {
    bool duplicate = false;  ///< the same segment was kept before
    InboxId inbox = {};      ///< the message is whole: its inbox row; 0: segments are missing
};

struct StatusReport {
    std::string modem;
    SimId sim;
    std::uint8_t tp_mr = 0;
    std::string recipient;
    std::optional<WallTime> scts = {};  ///< when the centre took the message, by its clock
    std::optional<WallTime> discharge = {};
    std::uint8_t tp_status = 0;
    std::string raw;
    std::array<std::uint8_t, 16> fingerprint = {};
    WallTime received_at;
};

struct ReportKept {
    bool duplicate = false;
    bool matched = false;  ///< false: kept for a while, the +CMGS answer may still come
    MessageId message = {};
};

}  // namespace smsrack
