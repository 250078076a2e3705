/// The functions that answer the API calls, by area; routes.cpp gives each its path and role.
///
/// Each answers once: at once, or later on the loop thread.
/// Threads: loop thread.
/// Errors:  problem+json; docs/api.md describes each call.
#pragma once

#include "src/api/call.hpp"

#include <memory>
#include <string_view>

namespace smsrack::api {

// Messages: messages_api.cpp, replace_api.cpp, again_api.cpp, explain_api.cpp, preview_api.cpp, inbox_api.cpp,
// conversations_api.cpp.
void post_message(Call call);
void get_message(Call call);
void list_messages(Call call);
void cancel_message(Call call);
void replace_message(Call call);  ///< another content, before anything of it was sent
void post_again(Call call);       ///< a new message that says the same
void explain_message(Call call);  ///< the history of one message in words
/// Says what would happen to a message, and why it would not leave now. Sends nothing.
void preview_message(Call call);
void list_inbox(Call call);
void get_inbox_row(Call call);
void list_conversations(Call call);
void get_conversation(Call call);  ///< what was sent to a number and received from it
/// POST of application/x-ndjson: a line each, answered in their order.
[[nodiscard]] bool is_ndjson(const wire::HttpRequest& request);
[[nodiscard]] std::unique_ptr<wire::BodyReader> post_message_lines(Call call);

// Batches, which are labels of messages, and pauses: batches_api.cpp, pauses_api.cpp.
void list_batches(Call call);
void get_batch(Call call);
void cancel_batch(Call call);
void post_pause(Call call);
void post_resume(Call call);

// Events: events_api.cpp. Server-Sent Events from where the client was (Last-Event-ID), without gap
// or repeat.
void stream_events(Call call);

// Front ends: clients_api.cpp.
void list_clients(Call call);
void get_client(Call call);
void post_client_ack(Call call);  ///< {"id":"4711"}: it has taken its events up to this one
void post_client_heartbeat(Call call);
void post_client_block(Call call);
void post_client_open(Call call);
void forget_client(Call call);

// Numbers that want no more messages: opt_outs_api.cpp.
void list_opt_outs(Call call);
void post_opt_out(Call call);
void delete_opt_out(Call call);

// Modems, and what an administrator orders one to do: modems_api.cpp, line_states_api.cpp,
// orders_api.cpp.
void list_modems(Call call);
void get_modem(Call call);
void list_line_states(Call call);  ///< what became of one modem, newest first
void post_at(Call call);
void post_ussd(Call call);
void post_drain(Call call);
void post_line_resume(Call call);
void post_reset(Call call);  ///< 202 at once: the modem restarts when it holds nothing
/// A message from one SIM of the rack to another one, now. conflict: it can't be, with the reason.
void post_self_sms(Call call);

// What administrators did: audit_api.cpp.
void list_audit(Call call);

// Tokens of the network: tokens_api.cpp.
void list_tokens(Call call);   ///< without their secrets; when each was used last
void revoke_token(Call call);  ///< it counts no more

void list_smpp(Call call);         ///< accounts and sessions of the gate's SMPP server
void unbind_smpp(Call call);       ///< ends the sessions of an account
void post_smpp_report(Call call);  ///< from the gate

// Several boxes as one gateway: cluster_api.cpp. not_found: this box is in no fleet.
void get_cluster(Call call);
void list_boxes(Call call);
void post_cluster_rebuild(Call call);
void check_cluster(Call call);  ///< what the promises of a fleet presume
void post_box_drain(Call call);
void post_box_resume(Call call);
void post_box_dead(Call call);
void post_box_leave(Call call);
void post_box_upgrade(Call call);

// The machine, and this program: box_api.cpp, doctor_api.cpp.
void get_box(Call call);
void get_config(Call call);  ///< as it counts, without secrets
void list_log(Call call);    ///< the last lines, newest first
void get_doctor(Call call);  ///< what the service can see of `smsrack doctor`

// The rack as a whole: status_api.cpp, attention_api.cpp, history_api.cpp, scaling_api.cpp,
// metrics_api.cpp.
void get_status(Call call);
void get_attention(Call call);  ///< what needs a person now, the worst first
void get_healthz(Call call);
void get_readyz(Call call);
void get_session(Call call);  ///< who calls: session_api.cpp
void get_openapi(Call call);
/// `?from=&to=&step=&modem=`: what the rack and each modem did, in equal steps of time.
void get_history(Call call);
void get_scaling(Call call);  ///< `?limit=` decisions, newest first
void get_metrics(Call call);

// Triggers: triggers_api.cpp.
void list_triggers(Call call);
void get_trigger(Call call);
void trace_trigger(Call call);
void post_rebuild(Call call);
void post_events(Call call);  ///< a feed without a body: it has no event
/// Null, and answered, where the trigger is not there.
[[nodiscard]] std::unique_ptr<wire::BodyReader> post_event_lines(Call call);

// Webhooks: webhooks_api.cpp, and for the gate gate_calls.cpp, in webhooks.
void list_webhooks(Call call);
void list_deliveries(Call call);
void post_webhook_replay(Call call);
void post_webhook_test(Call call);  ///< answers when the gate has called the receiver
void post_webhook_open(Call call);
void post_webhook_off(Call call);
void post_webhook_take(Call call);  ///< waits until there is something to send
void post_webhook_results(Call call);
inline constexpr std::string_view webhook_take_mark = "webhook-take";
inline constexpr std::string_view webhook_test_mark = "webhook-test";
void resume_webhook_take(wire::Responder& responder);
void resume_webhook_test(wire::Responder& responder);

// Upgrade and reload: upkeep_api.cpp. The process that runs afterwards gives the answer.
void post_upgrade(Call call);
void post_reload(Call call);
/// What the body says.
[[nodiscard]] Result<ports::UpgradeOrder> upgrade_order_of(const wire::HttpRequest& request);
inline constexpr std::string_view upgrade_mark = "upgrade";
inline constexpr std::string_view reload_mark = "reload";
void resume_upgrade(const ApiParts& parts, wire::Responder& responder);
void resume_reload(const ApiParts& parts, wire::Responder& responder);

}  // namespace smsrack::api
