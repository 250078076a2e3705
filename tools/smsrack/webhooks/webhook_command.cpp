// `smsrack webhook`: receivers of events over HTTP.
#include "tools/smsrack/commands.hpp"

namespace smsrack::cli {

void declare_webhook(const CommandGroup& program) {
    const CommandGroup webhook =
        program.group("webhook", "receivers that are sent events over HTTP");
    declare_webhook_new(webhook);
    declare_webhook_verify(webhook);
    declare_webhook_list(webhook);
    declare_webhook_replay(webhook);
    declare_webhook_switch(webhook);
}

}  // namespace smsrack::cli
