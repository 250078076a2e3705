#include "tools/smsrack/message_fields.hpp"

#include "tools/smsrack/real_clock.hpp"
#include "tools/smsrack/time_argument.hpp"

namespace smsrack::cli {
namespace {

void fill(wire::Json& message, const char* member, const auto& value) {
    if (!message.contains(member)) {
        message[member] = value;
    }
}

void fill(wire::Json& message, const char* member, const std::string& value) {
    if (!value.empty() && !message.contains(member)) {
        message[member] = value;
    }
}

template <typename T>
void fill(wire::Json& message, const char* member, const std::optional<T>& value) {
    if (value) {
        fill(message, member, *value);
    }
}

}  // namespace

void fill_in(wire::Json& message, const MessageFields& fields) {
    fill(message, "priority", fields.priority);
    fill(message, "ttl_s", fields.ttl_s);
    fill(message, "report", fields.report);
    fill(message, "class", fields.message_class);
    fill(message, "group", fields.group);
    fill(message, "batch", fields.batch);
    fill(message, "client", fields.client);
    fill(message, "not_before", time_after(fields.not_before, RealClock().wall()));
    if (fields.allow_duplicate) {
        fill(message, "allow_duplicate", true);
    }
}

}  // namespace smsrack::cli
