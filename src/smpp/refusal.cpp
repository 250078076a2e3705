#include "src/smpp/refusal.hpp"

#include <algorithm>
#include <array>

namespace smsrack::smpp {
namespace {

struct Row {
    Errc code;
    Status status;
};

constexpr std::array rows{
    Row{Errc::overloaded, Status::throttled},
    Row{Errc::queue_full, Status::queue_full},
    Row{Errc::cluster_away, Status::throttled},
    Row{Errc::quota_exhausted, Status::throttled},
    Row{Errc::too_long, Status::invalid_message_length},
    Row{Errc::payload_too_large, Status::invalid_message_length},
    Row{Errc::bad_number, Status::invalid_destination},
    Row{Errc::bad_sender, Status::invalid_source},
    Row{Errc::bad_request, Status::submit_failed},
    Row{Errc::bad_encoding, Status::submit_failed},
    Row{Errc::forbidden, Status::submit_failed},
    Row{Errc::duplicate, Status::submit_failed},
};

}  // namespace

Status status_of_refusal(Errc code) {
    const auto* const row = std::ranges::find(rows, code, &Row::code);
    // The rest is no fault of the message, such as a full disk.
    return row == rows.end() ? Status::system_error : row->status;
}

}  // namespace smsrack::smpp
