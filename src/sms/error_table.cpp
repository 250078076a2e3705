#include "src/sms/error_table.hpp"

#include "src/base/check.hpp"

#include <algorithm>
#include <array>

namespace smsrack {
namespace {

using enum CauseClass;

struct CauseRow {
    int code;
    CauseClass before_pdu;  ///< the cause came before the PDU went out
    CauseClass after_pdu;
    std::string_view meaning;
    std::string_view advice;
};

constexpr std::string_view check_number = "check the number";
constexpr std::string_view wait_network =
    "nothing to do: it is tried again; if it stays, check antenna and operator";
constexpr std::string_view check_sim = "check the SIM's credit and contract with the operator";
constexpr std::string_view look_at_sim = "check that the SIM sits well and needs no PIN or PUK";
constexpr std::string_view report_bug = "please report this with the output of `smsrack show ID`";

// TS 27.005 3.2.5; 0..127 are causes of TS 24.011, 128..255 of TS 23.040, 300.. of the equipment,
// 512.. of the vendor.
constexpr std::array cms_rows{
    CauseRow{1, permanent, permanent, "unassigned number", check_number},
    CauseRow{8, quota, quota, "operator determined barring", check_sim},
    CauseRow{10, quota, quota, "call barred", check_sim},
    CauseRow{17, network, network, "network failure", wait_network},
    CauseRow{21, quota, quota, "short message transfer rejected", check_sim},
    CauseRow{22, network, network, "congestion", wait_network},
    CauseRow{27, transient, transient, "destination out of service",
             "the phone may be off: it is tried again later"},
    CauseRow{28, permanent, permanent, "unidentified subscriber", check_number},
    CauseRow{29, quota, quota, "facility rejected", check_sim},
    CauseRow{30, permanent, permanent, "unknown subscriber", check_number},
    CauseRow{38, network, network, "network out of order", wait_network},
    CauseRow{41, network, network, "temporary failure", wait_network},
    CauseRow{42, network, network, "congestion", wait_network},
    CauseRow{47, network, network, "resources unavailable", wait_network},
    CauseRow{50, quota, quota, "requested facility not subscribed", check_sim},
    CauseRow{69, quota, quota, "requested facility not implemented", check_sim},
    CauseRow{81, ambiguous, ambiguous, "invalid message reference",
             "compare with the recipient before sending again"},
    CauseRow{95, bug, bug, "invalid message", report_bug},
    CauseRow{96, bug, bug, "invalid mandatory information", report_bug},
    CauseRow{97, bug, bug, "message type not implemented", report_bug},
    CauseRow{98, bug, bug, "message not compatible with the protocol state", report_bug},
    CauseRow{99, bug, bug, "information element not implemented", report_bug},
    CauseRow{111, bug, bug, "protocol error", report_bug},
    CauseRow{127, network, network, "interworking, unspecified", wait_network},
    CauseRow{128, permanent, permanent, "telematic interworking not supported",
             "not to be had from this operator"},
    CauseRow{129, permanent, permanent, "short message type 0 not supported",
             "not to be had from this operator"},
    CauseRow{130, permanent, permanent, "cannot replace short message",
             "not to be had from this operator"},
    CauseRow{143, bug, bug, "TP-PID error", report_bug},
    CauseRow{144, bug, bug, "data coding scheme not supported", report_bug},
    CauseRow{145, bug, bug, "message class not supported", "send without `class`"},
    CauseRow{159, bug, bug, "TP-DCS error", report_bug},
    CauseRow{160, permanent, permanent, "command cannot be actioned",
             "not to be had from this operator"},
    CauseRow{161, permanent, permanent, "command not supported",
             "not to be had from this operator"},
    CauseRow{175, permanent, permanent, "TP-Command error", "not to be had from this operator"},
    CauseRow{176, bug, bug, "TPDU not supported", report_bug},
    CauseRow{192, network, network, "service centre busy", wait_network},
    CauseRow{193, quota, quota, "no subscription at the service centre", check_sim},
    CauseRow{194, network, network, "service centre system failure", wait_network},
    CauseRow{195, permanent, permanent, "invalid destination address", check_number},
    CauseRow{196, permanent, permanent, "destination barred", check_number},
    CauseRow{197, permanent, permanent, "duplicate refused by the service centre",
             "an earlier attempt has arrived there"},
    CauseRow{198, bug, bug, "validity period format not supported", report_bug},
    CauseRow{199, bug, bug, "validity period not supported", report_bug},
    CauseRow{208, modem, modem, "SIM message storage full",
             "read messages are removed by themselves; see `smsrack modems`"},
    CauseRow{209, modem, modem, "no message storage in the SIM", look_at_sim},
    CauseRow{210, modem, modem, "error in the modem", "if it stays, restart the modem"},
    CauseRow{211, modem, modem, "memory exceeded",
             "read messages are removed by themselves; see `smsrack modems`"},
    CauseRow{212, transient, transient, "SIM application toolkit busy",
             "nothing to do: it is tried again"},
    CauseRow{213, modem, modem, "SIM data download error", look_at_sim},
    CauseRow{255, transient, transient, "unspecified error of the service centre", wait_network},
    CauseRow{300, modem, modem, "modem failure", "if it stays, restart the modem"},
    CauseRow{301, modem, modem, "message service of the modem reserved",
             "see that no other program uses the modem"},
    CauseRow{302, transient, transient, "operation not allowed", "the modem may still be starting"},
    CauseRow{303, bug, bug, "operation not supported", report_bug},
    CauseRow{304, bug, bug, "invalid PDU", report_bug},
    CauseRow{305, bug, bug, "invalid text parameter", report_bug},
    CauseRow{310, modem, modem, "no SIM", look_at_sim},
    CauseRow{311, modem, modem, "SIM PIN needed", look_at_sim},
    CauseRow{312, modem, modem, "PIN of the SIM lock needed", look_at_sim},
    CauseRow{313, modem, modem, "SIM failure", look_at_sim},
    CauseRow{314, transient, transient, "SIM busy", "nothing to do: it is tried again"},
    CauseRow{315, modem, modem, "SIM wrong", look_at_sim},
    CauseRow{316, modem, modem, "SIM PUK needed", look_at_sim},
    CauseRow{317, modem, modem, "SIM PIN2 needed", look_at_sim},
    CauseRow{318, modem, modem, "SIM PUK2 needed", look_at_sim},
    CauseRow{320, modem, modem, "memory failure", look_at_sim},
    CauseRow{321, bug, bug, "invalid memory index", report_bug},
    CauseRow{322, modem, modem, "memory full",
             "read messages are removed by themselves; see `smsrack modems`"},
    CauseRow{330, modem, modem, "service centre address unknown",
             "set the SIM's service centre number (AT+CSCA)"},
    CauseRow{331, network, network, "no network service", wait_network},
    CauseRow{332, ambiguous, ambiguous, "network timeout",
             "compare with the recipient before sending again"},
    CauseRow{340, bug, bug, "no +CNMA acknowledgement expected", report_bug},
    CauseRow{341, modem, modem, "memory of the modem failed", "restart the modem, then replace it"},
    CauseRow{500, transient, ambiguous, "unknown error",
             "check credit, signal and the service centre number"},
    CauseRow{512, transient, ambiguous, "aborted, or no radio connection",
             "check antenna and signal"},
    CauseRow{513, network, ambiguous, "lower layer failure", "check antenna and signal"},
    CauseRow{514, network, ambiguous, "connection protocol error", "check antenna and signal"},
    CauseRow{515, transient, transient, "modem is starting or a command is in progress",
             "nothing to do: it is tried again"},
    CauseRow{517, modem, modem, "SIM toolkit menu not started", look_at_sim},
    CauseRow{518, modem, modem, "SIM toolkit command in progress", look_at_sim},
    CauseRow{527, network, network, "network selection in progress", wait_network},
    CauseRow{528, network, network, "network refused", wait_network},
    CauseRow{529, network, network, "network forbidden", wait_network},
    CauseRow{531, quota, quota, "destination not in the SIM's fixed dialling list",
             "switch the SIM's fixed dialling off"},
};

// TS 27.007 9.2
constexpr std::array cme_rows{
    CauseRow{3, transient, transient, "operation not allowed", "the modem may still be starting"},
    CauseRow{4, bug, bug, "operation not supported", report_bug},
    CauseRow{14, transient, transient, "SIM busy", "nothing to do: it is tried again"},
    CauseRow{24, bug, bug, "text string too long", report_bug},
    CauseRow{25, bug, bug, "invalid characters in text string", report_bug},
    CauseRow{26, bug, bug, "dial string too long", report_bug},
    CauseRow{27, bug, bug, "invalid characters in dial string", report_bug},
    CauseRow{30, network, network, "no network service", wait_network},
    CauseRow{31, network, ambiguous, "network timeout", wait_network},
    CauseRow{32, network, network, "emergency calls only", look_at_sim},
    CauseRow{515, transient, transient, "modem is starting or a command is in progress",
             "nothing to do: it is tried again"},
};

constexpr CauseRow cms_relay{0, network, network, "temporary failure of the network", wait_network};
constexpr CauseRow cms_centre{0, transient, transient, "error of the service centre", wait_network};
constexpr CauseRow cms_equipment{0, modem, modem, "error of the modem",
                                 "if it stays, restart the modem"};
constexpr CauseRow cms_vendor{0, transient, ambiguous, "error of the modem, known to its maker",
                              "see the modem's manual"};
constexpr CauseRow cme_other{0, modem, modem, "error of the modem or SIM", look_at_sim};
constexpr CauseRow plain{0, transient, ambiguous, "ERROR without a code",
                         "check credit, signal and the service centre number"};
constexpr CauseRow nothing_said{0, none, none, "no cause was given", ""};

const CauseRow& cms_range(int code) {
    if (code < 128) {
        return cms_relay;
    }
    if (code < 300) {
        return cms_centre;
    }
    return code < 512 ? cms_equipment : cms_vendor;
}

template <typename Rows>
const CauseRow& row_of(const Rows& rows, int code, const CauseRow& otherwise) {
    const auto found = std::ranges::lower_bound(rows, code, {}, &CauseRow::code);
    return found != rows.end() && found->code == code ? *found : otherwise;
}
static_assert(std::ranges::is_sorted(cms_rows, {}, &CauseRow::code));
static_assert(std::ranges::is_sorted(cme_rows, {}, &CauseRow::code));

struct StatusRow {
    int last;  ///< the range goes up to here
    CauseClass cause_class;
    std::string_view meaning;
};

// TS 23.040 9.2.3.15
constexpr std::array status_rows{
    StatusRow{0x00, none, "delivered to the phone"},
    StatusRow{0x01, none, "forwarded, delivery can't be confirmed"},
    StatusRow{0x02, none, "replaced by the service centre"},
    StatusRow{0x1F, none, "completed"},
    StatusRow{0x20, transient, "congestion, the service centre still tries"},
    StatusRow{0x21, transient, "phone busy, the service centre still tries"},
    StatusRow{0x22, transient, "no answer from the phone, the service centre still tries"},
    StatusRow{0x23, transient, "service rejected, the service centre still tries"},
    StatusRow{0x24, transient, "quality of service not available, the service centre still tries"},
    StatusRow{0x25, transient, "error in the phone, the service centre still tries"},
    StatusRow{0x3F, transient, "temporary error, the service centre still tries"},
    StatusRow{0x40, permanent, "remote procedure error"},
    StatusRow{0x41, permanent, "incompatible destination"},
    StatusRow{0x42, permanent, "connection rejected by the phone"},
    StatusRow{0x43, permanent, "not obtainable"},
    StatusRow{0x44, permanent, "quality of service not available"},
    StatusRow{0x45, permanent, "no interworking available"},
    StatusRow{0x46, permanent, "validity period expired"},
    StatusRow{0x47, permanent, "deleted by the sender"},
    StatusRow{0x48, permanent, "deleted by the service centre"},
    StatusRow{0x49, permanent, "message does not exist"},
    StatusRow{0x5F, permanent, "permanent error"},
    StatusRow{0x60, permanent, "congestion, the service centre has given up"},
    StatusRow{0x61, permanent, "phone busy, the service centre has given up"},
    StatusRow{0x62, permanent, "no answer from the phone, the service centre has given up"},
    StatusRow{0x63, permanent, "service rejected, the service centre has given up"},
    StatusRow{0x64, permanent, "quality of service not available, the service centre has given up"},
    StatusRow{0x65, permanent, "error in the phone, the service centre has given up"},
    StatusRow{0x7F, permanent, "temporary error, the service centre has given up"},
    StatusRow{0xFF, permanent, "reserved status, read as service rejected"},
};

CauseInfo status_info(int status) {
    for (const StatusRow& row : status_rows) {
        if (status <= row.last) {
            return {row.cause_class, row.meaning, row.cause_class == permanent ? check_number : ""};
        }
    }
    return {permanent, status_rows.back().meaning, check_number};
}

}  // namespace

std::string_view cause_class_name(CauseClass cause_class) {
    switch (cause_class) {
        case none:
            return "none";
        case permanent:
            return "permanent";
        case transient:
            return "transient";
        case modem:
            return "modem";
        case network:
            return "network";
        case ambiguous:
            return "ambiguous";
        case quota:
            return "quota";
        case bug:
            return "bug";
    }
    SMSRACK_CHECK(false);
    return {};
}

CauseInfo cause_info(Cause cause, bool pdu_sent) {
    const auto of = [pdu_sent](const CauseRow& row) {
        return CauseInfo{pdu_sent ? row.after_pdu : row.before_pdu, row.meaning, row.advice};
    };
    switch (cause.kind) {
        case CodeKind::none:
            return of(nothing_said);
        case CodeKind::cms:
            return of(row_of(cms_rows, cause.code, cms_range(cause.code)));
        case CodeKind::cme:
            return of(row_of(cme_rows, cause.code, cme_other));
        case CodeKind::tp_status:
            return status_info(cause.code);
        case CodeKind::plain_error:
            return of(plain);
    }
    SMSRACK_CHECK(false);
    return {};
}

std::optional<MessageEvent> tp_status_event(std::uint8_t tp_status) {
    constexpr std::uint8_t forwarded = 0x01;
    constexpr std::uint8_t first_temporary = 0x20;
    constexpr std::uint8_t first_permanent = 0x40;
    constexpr std::uint8_t validity_expired = 0x46;
    if (tp_status == forwarded) {
        return std::nullopt;
    }
    if (tp_status < first_temporary) {
        return MessageEvent::delivery;
    }
    if (tp_status < first_permanent) {
        return std::nullopt;
    }
    return tp_status == validity_expired ? MessageEvent::too_late : MessageEvent::refusal;
}

}  // namespace smsrack
