/// Records of what comes from the network: segments of messages, and status reports.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/ids.hpp"
#include "src/sms/port_address.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

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

/// Messages wait elsewhere, such as in a mailbox. The numbers are stored: never change one.
enum class WaitingWhere : std::uint8_t { voicemail = 0, fax = 1, email = 2, other = 3 };
inline constexpr std::array<std::string_view, 4> waiting_where_names{"voicemail", "fax", "email",
                                                                     "other"};

/// 3GPP TS 23.038 4, TS 23.040 9.2.3.24.2
struct Waiting {
    WaitingWhere where = WaitingWhere::voicemail;
    bool active = false;  ///< false: none waits any more

    friend bool operator==(const Waiting&, const Waiting&) = default;
};

/// Where a modem holds received PDUs: a message memory of 3GPP TS 27.005 3.2.3 (SM, SR, ME), or none
/// of them (+CMT, +CDS). The numbers are stored: never change one.
enum class HeldIn : std::uint8_t { sim = 0, reports = 1, modem = 2, direct = 3 };

/// The place where the modem holds a received PDU until that is erased (+CMGD) or confirmed (+CNMA).
struct HeldPlace {
    HeldIn memory = HeldIn::sim;
    std::uint16_t index = 0;  ///< 0 with `direct`

    friend bool operator==(const HeldPlace&, const HeldPlace&) = default;
};

/// TP-PID, 3GPP TS 23.040 9.2.3.9: a message to be acknowledged and discarded.
inline constexpr std::uint8_t pid_silent = 0x40;
/// Replaces the message with the same one of these and the same sender.
inline constexpr std::uint8_t pid_replace_first = 0x41;
inline constexpr std::uint8_t pid_replace_last = 0x47;

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
    std::uint8_t pid = 0;  ///< TP-PID
    std::optional<PortAddress> ports = {};
    std::optional<Waiting> waiting = {};
    std::string raw;  ///< the PDU's octets
    /// Of SIM and content: durable exact duplicate check.
    std::array<std::uint8_t, 16> fingerprint = {};
    WallTime received_at;  ///< handed to the store
    /// Read from the modem: the store may have taken nothing for long. nullopt: just now.
    std::optional<WallTime> heard_at = {};
    /// It lay at its place then already, unread. nullopt: not known.
    std::optional<WallTime> noted_at = {};
    /// nullopt: nowhere, since the modem confirmed it by itself (AT+CSMS=0).
    std::optional<HeldPlace> held_at = {};
    bool maybe_repeat = false;  ///< an equal one was kept before, and they can't be distinguished
};

[[nodiscard]] inline bool is_silent(const InboundSegment& segment) {
    return segment.kind != InboundKind::undecodable && segment.pid == pid_silent;
}

struct InboundText {
    std::string text = {};  ///< UTF-8
    std::string data = {};  ///< octets, where it is not text
    bool is_data = false;

    friend bool operator==(const InboundText&, const InboundText&) = default;
};

/// What a message that says STOP has done.
enum class StopHeard : std::uint8_t {
    none,     ///< it does not say so
    counted,  ///< its sender is on the opt-out list
    ignored,  ///< the rack has not written to it recently: its number may be forged
};

struct InboundKept {
    bool duplicate = false;     ///< the same segment was kept before
    bool discarded = false;     ///< a silent one: known, and in no inbox
    bool maybe_repeat = false;  ///< kept, though it may be one that was kept before
    StopHeard stop = StopHeard::none;
    InboxId inbox = {};  ///< the message is whole: its inbox row; 0: segments are missing
    /// One of the rack's own came back this long after its acceptance: in no inbox.
    std::optional<std::chrono::milliseconds> self_sms = {};
};

struct StatusReport {
    std::string modem;
    SimId sim;
    std::uint8_t tp_mr = 0;
    std::string recipient;
    std::optional<WallTime> scts = {};       ///< when the centre took the message, by its clock
    std::optional<WallTime> discharge = {};  ///< when it reached the phone, by the same clock
    std::uint8_t tp_status = 0;
    bool of_command = false;  ///< TP-SRQ: about an SMS-COMMAND, so about no message
    std::string raw;
    std::array<std::uint8_t, 16> fingerprint = {};
    WallTime received_at;
    std::optional<HeldPlace> held_at = {};  ///< as in InboundSegment
};

struct ReportKept {
    bool duplicate = false;
    bool matched = false;  ///< false: kept for a while, the +CMGS answer may still come
    MessageId message = {};
};

}  // namespace smsrack
