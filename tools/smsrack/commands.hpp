/// The declaring function of each command, which is at the end of the file of that command.
#pragma once

#include "tools/smsrack/command_group.hpp"

namespace smsrack::cli {

// Of the program, in the order of its help; command_line.cpp has the list.
void declare_send(const CommandGroup& program);
void declare_preview(const CommandGroup& program);
void declare_watch(const CommandGroup& program);
void declare_export(const CommandGroup& program);
void declare_names(const CommandGroup& program);
void declare_messages(const CommandGroup& program);
void declare_message(const CommandGroup& program);
void declare_inbox(const CommandGroup& program);
void declare_pause(const CommandGroup& program);
void declare_batches(const CommandGroup& program);
void declare_optout(const CommandGroup& program);
void declare_triggers(const CommandGroup& program);
void declare_clients(const CommandGroup& program);
void declare_modems(const CommandGroup& program);
void declare_hand(const CommandGroup& program);
void declare_status(const CommandGroup& program);
void declare_attention(const CommandGroup& program);
void declare_dashboard(const CommandGroup& program);
void declare_check(const CommandGroup& program);
void declare_history(const CommandGroup& program);
void declare_scaling(const CommandGroup& program);
void declare_audit(const CommandGroup& program);
void declare_config(const CommandGroup& program);
void declare_model(const CommandGroup& program);
void declare_upkeep(const CommandGroup& program);
void declare_token(const CommandGroup& program);
void declare_smpp(const CommandGroup& program);
void declare_cluster(const CommandGroup& program);
void declare_tls(const CommandGroup& program);
void declare_webhook(const CommandGroup& program);
void declare_firmware(const CommandGroup& program);
void declare_slots(const CommandGroup& program);
void declare_doctor(const CommandGroup& program);
void declare_pdu(const CommandGroup& program);
void declare_db(const CommandGroup& program);

// Of `smsrack modem`, `smsrack trigger`, `smsrack model`, `smsrack webhook` and `smsrack cluster`.
void declare_cluster_join(const CommandGroup& cluster);
void declare_cluster_rebuild(const CommandGroup& cluster);
void declare_cluster_upgrade(const CommandGroup& cluster);
void declare_cluster_power(const CommandGroup& cluster);
void declare_modem_reset(const CommandGroup& modem);
void declare_modem_drain(const CommandGroup& modem);
void declare_trigger_feed(const CommandGroup& trigger);
void declare_trigger_trace(const CommandGroup& trigger);
void declare_model_scaling(const CommandGroup& model);
void declare_webhook_list(const CommandGroup& webhook);
void declare_webhook_replay(const CommandGroup& webhook);
void declare_webhook_switch(const CommandGroup& webhook);
void declare_webhook_new(const CommandGroup& webhook);
void declare_webhook_verify(const CommandGroup& webhook);

}  // namespace smsrack::cli
