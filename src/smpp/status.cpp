#include "src/smpp/status.hpp"

#include <algorithm>
#include <array>

namespace smsrack::smpp {
namespace {

struct Row {
    std::uint32_t number;
    std::string_view name;
    std::string_view words;
};

constexpr std::array rows{
    Row{0x00, "ESME_ROK", "done"},
    Row{0x01, "ESME_RINVMSGLEN", "the length of the message is wrong"},
    Row{0x02, "ESME_RINVCMDLEN", "the length of the command is wrong"},
    Row{0x03, "ESME_RINVCMDID", "no such command"},
    Row{0x04, "ESME_RINVBNDSTS", "not allowed in this state of the session"},
    Row{0x05, "ESME_RALYBND", "bound already"},
    Row{0x06, "ESME_RINVPRTFLG", "no such priority"},
    Row{0x07, "ESME_RINVREGDLVFLG", "no such kind of receipt"},
    Row{0x08, "ESME_RSYSERR", "an error of the system"},
    Row{0x0A, "ESME_RINVSRCADR", "the source address is wrong"},
    Row{0x0B, "ESME_RINVDSTADR", "the destination address is wrong"},
    Row{0x0C, "ESME_RINVMSGID", "no such message id"},
    Row{0x0D, "ESME_RBINDFAIL", "the bind failed"},
    Row{0x0E, "ESME_RINVPASWD", "the password is wrong"},
    Row{0x0F, "ESME_RINVSYSID", "the system id is wrong"},
    Row{0x11, "ESME_RCANCELFAIL", "the message can't be cancelled"},
    Row{0x13, "ESME_RREPLACEFAIL", "the message can't be replaced"},
    Row{0x14, "ESME_RMSGQFUL", "the queue is full"},
    Row{0x15, "ESME_RINVSERTYP", "no such service type"},
    Row{0x33, "ESME_RINVNUMDESTS", "the number of destinations is wrong"},
    Row{0x34, "ESME_RINVDLNAME", "no such distribution list"},
    Row{0x40, "ESME_RINVDESTFLAG", "no such kind of destination"},
    Row{0x42, "ESME_RINVSUBREP", "a message can't be replaced in this way"},
    Row{0x43, "ESME_RINVESMCLASS", "no such esm_class"},
    Row{0x44, "ESME_RCNTSUBDL", "distribution lists are not served"},
    Row{0x45, "ESME_RSUBMITFAIL", "the message was refused"},
    Row{0x48, "ESME_RINVSRCTON", "the type of the source number is wrong"},
    Row{0x49, "ESME_RINVSRCNPI", "the plan of the source number is wrong"},
    Row{0x50, "ESME_RINVDSTTON", "the type of the destination number is wrong"},
    Row{0x51, "ESME_RINVDSTNPI", "the plan of the destination number is wrong"},
    Row{0x53, "ESME_RINVSYSTYP", "no such system type"},
    Row{0x54, "ESME_RINVREPFLAG", "the replace_if_present flag is wrong"},
    Row{0x55, "ESME_RINVNUMMSGS", "the number of messages is wrong"},
    Row{0x58, "ESME_RTHROTTLED", "too many messages, or too fast"},
    Row{0x61, "ESME_RINVSCHED", "the time to send at is wrong"},
    Row{0x62, "ESME_RINVEXPIRY", "the validity is wrong"},
    Row{0x63, "ESME_RINVDFTMSGID", "no such default message"},
    Row{0x64, "ESME_RX_T_APPN", "the receiver can't take it now"},
    Row{0x65, "ESME_RX_P_APPN", "the receiver can't take it"},
    Row{0x66, "ESME_RX_R_APPN", "the receiver rejects it"},
    Row{0x67, "ESME_RQUERYFAIL", "the query failed"},
    Row{0xC0, "ESME_RINVOPTPARSTREAM", "the optional part is wrong"},
    Row{0xC1, "ESME_ROPTPARNOTALLWD", "an optional parameter is not allowed"},
    Row{0xC2, "ESME_RINVPARLEN", "a parameter has a wrong length"},
    Row{0xC3, "ESME_RMISSINGOPTPARAM", "an optional parameter is missing"},
    Row{0xC4, "ESME_RINVOPTPARAMVAL", "an optional parameter has a wrong value"},
    Row{0xFE, "ESME_RDELIVERYFAILURE", "the delivery failed"},
    Row{0xFF, "ESME_RUNKNOWNERR", "an unknown error"},
};
static_assert(std::ranges::is_sorted(rows, {}, &Row::number));

const Row* row_of(Status status) {
    const auto number = static_cast<std::uint32_t>(status);
    const auto* row = std::ranges::lower_bound(rows, number, {}, &Row::number);
    return row != rows.end() && row->number == number ? row : nullptr;
}

}  // namespace

std::string_view status_name(Status status) {
    const Row* row = row_of(status);
    return row != nullptr ? row->name : std::string_view();
}

std::string_view status_words(Status status) {
    const Row* row = row_of(status);
    return row != nullptr ? row->words : std::string_view();
}

}  // namespace smsrack::smpp
