#include "src/smpp/command.hpp"

#include <algorithm>
#include <array>

namespace smsrack::smpp {
namespace {

struct Row {
    Command command;
    std::string_view name;
};

constexpr std::array rows{
    Row{Command::bind_receiver, "bind_receiver"},
    Row{Command::bind_transmitter, "bind_transmitter"},
    Row{Command::query_sm, "query_sm"},
    Row{Command::submit_sm, "submit_sm"},
    Row{Command::deliver_sm, "deliver_sm"},
    Row{Command::unbind, "unbind"},
    Row{Command::replace_sm, "replace_sm"},
    Row{Command::cancel_sm, "cancel_sm"},
    Row{Command::bind_transceiver, "bind_transceiver"},
    Row{Command::outbind, "outbind"},
    Row{Command::enquire_link, "enquire_link"},
    Row{Command::submit_multi, "submit_multi"},
    Row{Command::data_sm, "data_sm"},
    Row{Command::generic_nack, "generic_nack"},
    Row{Command::bind_receiver_resp, "bind_receiver_resp"},
    Row{Command::bind_transmitter_resp, "bind_transmitter_resp"},
    Row{Command::query_sm_resp, "query_sm_resp"},
    Row{Command::submit_sm_resp, "submit_sm_resp"},
    Row{Command::deliver_sm_resp, "deliver_sm_resp"},
    Row{Command::unbind_resp, "unbind_resp"},
    Row{Command::replace_sm_resp, "replace_sm_resp"},
    Row{Command::cancel_sm_resp, "cancel_sm_resp"},
    Row{Command::bind_transceiver_resp, "bind_transceiver_resp"},
    Row{Command::enquire_link_resp, "enquire_link_resp"},
    Row{Command::submit_multi_resp, "submit_multi_resp"},
    Row{Command::data_sm_resp, "data_sm_resp"},
};

}  // namespace

std::string_view command_name(Command command) {
    const auto* row = std::ranges::find(rows, command, &Row::command);
    return row != rows.end() ? row->name : std::string_view();
}

}  // namespace smsrack::smpp
