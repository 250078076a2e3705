#include "tools/smsrack/messages/message_fields.hpp"

#include "tools/smsrack/messages/time_argument.hpp"
#include "tools/smsrack/real_clock.hpp"

#include <CLI/CLI.hpp>

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

void add_fields(CLI::App& app, MessageFields& fields) {
    app.add_option("--priority", fields.priority, "priority level, 0 (lowest) to 6")
        ->check(CLI::Range(0, 6));
    app.add_option("--ttl", fields.ttl_s, "expire after this many seconds")
        ->check(CLI::Range(1, 38'102'400));
    app.add_flag_callback(
        "--report", [&fields] { fields.report = true; }, "request a status report");
    app.add_flag_callback(
        "--no-report", [&fields] { fields.report = false; }, "request no status report");
    app.add_option("--class", fields.message_class,
                   "message class (0: displayed at once, not stored)")
        ->check(CLI::Range(0, 3));
    app.add_option("--group", fields.group, "group of modems that sends it");
    app.add_option("--from", fields.from, "number of the SIM that sends it");
    app.add_option("--batch", fields.batch, "label to count, pause or cancel messages together");
    app.add_option("--client", fields.client, "name of the program that receives the results");
    app.add_option("--note", fields.note, "text that comes back with the message and its events");
    app.add_option("--not-before", fields.not_before,
                   "send no earlier: an RFC 3339 time, or an offset such as +2h");
    app.add_flag("--allow-duplicate", fields.allow_duplicate,
                 "send even what [dedup] would refuse as a duplicate");
}

void fill_in(wire::Json& message, const MessageFields& fields) {
    fill(message, "priority", fields.priority);
    fill(message, "ttl_s", fields.ttl_s);
    fill(message, "report", fields.report);
    fill(message, "class", fields.message_class);
    fill(message, "group", fields.group);
    fill(message, "from", fields.from);
    fill(message, "batch", fields.batch);
    fill(message, "client", fields.client);
    fill(message, "note", fields.note);
    fill(message, "not_before", time_after(fields.not_before, RealClock().wall()));
    if (fields.allow_duplicate) {
        fill(message, "allow_duplicate", true);
    }
}

}  // namespace smsrack::cli
