#include "src/api/answer_bytes.hpp"

#include "src/api/batches_api.hpp"
#include "src/api/clients_api.hpp"
#include "src/api/events_api.hpp"
#include "src/api/explain_api.hpp"
#include "src/api/inbox_api.hpp"
#include "src/api/messages_api.hpp"
#include "src/api/metrics_api.hpp"
#include "src/api/modems_api.hpp"
#include "src/api/opt_outs_api.hpp"
#include "src/api/scaling_api.hpp"
#include "src/api/status_api.hpp"
#include "src/api/triggers_api.hpp"

#include <array>

namespace smsrack::api {
namespace {

constexpr std::size_t few_words = 2048;  // a result or a problem
constexpr std::size_t pages = page_bytes_max + page_bytes_max / 2;

struct Size {
    void (*answer)(Call);
    std::size_t bytes;
};

// What is not named here answers in few words.
constexpr std::array table{
    Size{list_messages, pages},        Size{list_inbox, pages},
    Size{list_opt_outs, 256UL * 1024}, Size{list_batches, 256UL * 1024},
    Size{list_clients, 256UL * 1024},  Size{get_metrics, 256UL * 1024},
    Size{get_openapi, 192UL * 1024},   Size{explain_message, 128UL * 1024},
    Size{list_modems, 128UL * 1024},   Size{get_status, 48UL * 1024},
    Size{get_message, 48UL * 1024},    Size{get_scaling, 48UL * 1024},
    Size{list_triggers, 128UL * 1024}, Size{get_trigger, 128UL * 1024},
    Size{trace_trigger, 48UL * 1024},  Size{stream_events, 16UL * 1024},
    Size{get_readyz, 48UL * 1024},     Size{get_healthz, 16UL * 1024},
};

}  // namespace

std::size_t answer_bytes(const Route* route) {
    if (route != nullptr) {
        for (const Size& size : table) {
            if (size.answer == route->answer) {
                return size.bytes;
            }
        }
    }
    return few_words;
}

}  // namespace smsrack::api
