#include "src/api/routes.hpp"

#include "src/api/calls.hpp"
#include "src/api/page.hpp"

#include <array>
#include <optional>

namespace smsrack::api {
namespace {

constexpr std::size_t kib = 1024;
constexpr std::size_t pages = page_octets_max + page_octets_max / 2;

// The busiest first: they are looked through in this order.
constexpr std::array table{
    Route{"POST", "/v1/messages", Role::send, post_message},
    Route{"GET", "/v1/messages/{id}", Role::send, get_message, 48 * kib, Reach::all, OfBox::row},
    Route{"GET", "/v1/messages", Role::send, list_messages, pages, Reach::all, OfBox::list},
    Route{"DELETE", "/v1/messages/{id}", Role::send, cancel_message},
    Route{"PUT", "/v1/messages/{id}", Role::send, replace_message},
    Route{"POST", "/v1/messages/{id}/again", Role::send, post_again},
    Route{"GET", "/v1/messages/{id}/explain", Role::send, explain_message, 128 * kib, Reach::all,
          OfBox::row},
    Route{"POST", "/v1/preview", Role::send, preview_message},
    Route{"GET", "/v1/inbox", Role::read, list_inbox, pages, Reach::all, OfBox::list},
    Route{"GET", "/v1/inbox/{id}", Role::read, get_inbox_row, 48 * kib, Reach::all, OfBox::row},
    Route{"GET", "/v1/conversations", Role::read, list_conversations, pages, Reach::all,
          OfBox::list},
    Route{"GET", "/v1/conversations/{number}", Role::read, get_conversation, pages, Reach::all,
          OfBox::list},
    Route{"GET", "/v1/modems", Role::read, list_modems, 128 * kib},
    Route{"GET", "/v1/modems/{name}", Role::read, get_modem},
    Route{"GET", "/v1/modems/{name}/history", Role::read, list_line_states, 128 * kib},
    Route{"POST", "/v1/modems/{name}/at", Role::admin, post_at, Route::few_words,
          Reach::by_setting},
    Route{"POST", "/v1/modems/{name}/ussd", Role::admin, post_ussd, Route::few_words,
          Reach::by_setting},
    Route{"POST", "/v1/modems/{name}/reset", Role::admin, post_reset},
    Route{"POST", "/v1/modems/{name}/drain", Role::admin, post_drain},
    Route{"POST", "/v1/modems/{name}/resume", Role::admin, post_line_resume},
    Route{"POST", "/v1/self-sms", Role::admin, post_self_sms},
    Route{"POST", "/v1/reload", Role::admin, post_reload},
    Route{"POST", "/v1/upgrade", Role::admin, post_upgrade, Route::few_words, Reach::by_setting},
    Route{"GET", "/v1/scaling", Role::read, get_scaling, 48 * kib},
    Route{"POST", "/v1/pause", Role::admin, post_pause},
    Route{"POST", "/v1/resume", Role::admin, post_resume},
    Route{"GET", "/v1/batches", Role::read, list_batches, 256 * kib},
    Route{"GET", "/v1/batches/{name}", Role::read, get_batch},
    Route{"DELETE", "/v1/batches/{name}", Role::admin, cancel_batch},
    Route{"POST", "/v1/clients/{name}/ack", Role::send, post_client_ack},
    Route{"POST", "/v1/clients/{name}/heartbeat", Role::send, post_client_heartbeat},
    Route{"POST", "/v1/clients/{name}/block", Role::admin, post_client_block},
    Route{"POST", "/v1/clients/{name}/open", Role::admin, post_client_open},
    Route{"GET", "/v1/clients", Role::read, list_clients, 256 * kib},
    Route{"GET", "/v1/clients/{name}", Role::send, get_client},
    Route{"DELETE", "/v1/clients/{name}", Role::admin, forget_client},
    Route{"GET", "/v1/optouts", Role::read, list_opt_outs, 256 * kib},
    Route{"POST", "/v1/optouts", Role::admin, post_opt_out},
    Route{"DELETE", "/v1/optouts/{number}", Role::admin, delete_opt_out},
    Route{"POST", "/v1/triggers/{name}/events", Role::send, post_events},
    Route{"GET", "/v1/triggers/{name}/trace", Role::read, trace_trigger, 48 * kib},
    Route{"POST", "/v1/triggers/{name}/rebuild", Role::admin, post_rebuild},
    Route{"GET", "/v1/triggers", Role::read, list_triggers, 128 * kib},
    Route{"GET", "/v1/triggers/{name}", Role::read, get_trigger, 128 * kib},
    Route{"GET", "/v1/smpp", Role::read, list_smpp, 256 * kib},
    Route{"POST", "/v1/smpp/report", Role::admin, post_smpp_report, Route::few_words, Reach::gate},
    Route{"POST", "/v1/smpp/{account}/unbind", Role::admin, unbind_smpp},
    Route{"POST", "/v1/webhooks/{name}/take", Role::admin, post_webhook_take, 96 * kib,
          Reach::gate},
    Route{"POST", "/v1/webhooks/{name}/results", Role::admin, post_webhook_results,
          Route::few_words, Reach::gate},
    Route{"GET", "/v1/webhooks", Role::read, list_webhooks, 256 * kib},
    Route{"GET", "/v1/webhooks/{name}/deliveries", Role::read, list_deliveries, pages},
    Route{"POST", "/v1/webhooks/{name}/replay", Role::admin, post_webhook_replay},
    Route{"POST", "/v1/webhooks/{name}/test", Role::admin, post_webhook_test, 4 * kib},
    Route{"POST", "/v1/webhooks/{name}/open", Role::admin, post_webhook_open},
    Route{"POST", "/v1/webhooks/{name}/off", Role::admin, post_webhook_off},
    Route{"GET", "/v1/audit", Role::admin, list_audit, 256 * kib},
    Route{"GET", "/v1/tokens", Role::admin, list_tokens, 256 * kib},
    Route{"DELETE", "/v1/tokens/{name}", Role::admin, revoke_token},
    Route{"GET", "/v1/cluster", Role::read, get_cluster},
    Route{"GET", "/v1/cluster/boxes", Role::read, list_boxes, 512 * kib},
    Route{"GET", "/v1/cluster/check", Role::read, check_cluster, 16 * kib},
    Route{"POST", "/v1/cluster/rebuild", Role::admin, post_cluster_rebuild},
    Route{"POST", "/v1/cluster/boxes/{name}/drain", Role::admin, post_box_drain},
    Route{"POST", "/v1/cluster/boxes/{name}/resume", Role::admin, post_box_resume},
    Route{"POST", "/v1/cluster/boxes/{name}/dead", Role::admin, post_box_dead},
    Route{"POST", "/v1/cluster/boxes/{name}/leave", Role::admin, post_box_leave},
    Route{"POST", "/v1/cluster/boxes/{name}/upgrade", Role::admin, post_box_upgrade,
          Route::few_words, Reach::by_setting},
    Route{"GET", "/v1/box", Role::read, get_box},
    Route{"GET", "/v1/doctor", Role::read, get_doctor, 128 * kib},
    Route{"GET", "/v1/config", Role::admin, get_config, 256 * kib},
    Route{"GET", "/v1/log", Role::admin, list_log, 512 * kib},
    Route{"GET", "/v1/status", Role::read, get_status, 80 * kib},
    Route{"GET", "/v1/attention", Role::read, get_attention, 48 * kib},
    Route{"GET", "/v1/history", Role::read, get_history, pages},
    Route{"GET", "/v1/events", Role::send, stream_events, 16 * kib},
    Route{"GET", "/v1/session", Role::send, get_session},
    Route{"GET", "/v1/openapi.json", Role::send, get_openapi, 256 * kib},
    Route{"GET", "/metrics", Role::read, get_metrics, 256 * kib},
    Route{"GET", "/healthz", Role::send, get_healthz, 48 * kib, Reach::open},
    Route{"GET", "/readyz", Role::send, get_readyz, 80 * kib, Reach::open},
};

/// The value of {…}: never empty, never with a slash. Nullopt if the path is another one.
std::optional<std::string_view> match(std::string_view pattern, std::string_view path) {
    const std::size_t brace = pattern.find('{');
    if (brace == std::string_view::npos) {
        return pattern == path ? std::optional(std::string_view()) : std::nullopt;
    }
    const std::string_view front = pattern.substr(0, brace);
    const std::string_view back = pattern.substr(pattern.find('}') + 1);
    if (!path.starts_with(front) || !path.ends_with(back) ||
        path.size() <= front.size() + back.size()) {
        return std::nullopt;
    }
    const std::string_view argument = path.substr(brace, path.size() - front.size() - back.size());
    return argument.contains('/') ? std::nullopt : std::optional(argument);
}

}  // namespace

std::span<const Route> routes() {
    return table;
}

Found find_route(std::string_view method, std::string_view path) {
    const std::string_view wanted = method == "HEAD" ? "GET" : method;
    Found found;
    for (const Route& route : table) {
        const auto argument = match(route.path, path);
        if (!argument) {
            continue;
        }
        if (route.method == wanted) {
            return {.route = &route, .argument = std::string(*argument)};
        }
        found.allowed += found.allowed.empty() ? "" : ", ";
        found.allowed += route.method;
    }
    return found;
}

}  // namespace smsrack::api
