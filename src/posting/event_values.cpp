#include "src/posting/event_values.hpp"

#include "src/wire/json.hpp"

namespace smsrack::posting {
namespace {

std::string text_of(const wire::Json& object, const char* name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

EventValues event_values(std::string_view body) {
    const auto json = wire::parse_json(body);
    if (!json || !json->is_object()) {
        return {};
    }
    EventValues values{.type = text_of(*json, "type"), .at = text_of(*json, "timestamp")};
    const auto data = json->find("data");
    if (data == json->end() || !data->is_object()) {
        return values;
    }
    values.id = text_of(*data, "id");
    values.other = text_of(*data, values.type == "message.received" ? "from" : "to");
    values.text = text_of(*data, "text");
    values.modem = text_of(*data, "modem");
    for (const char* name : {"error", "detail", "code"}) {
        if (values.reason.empty()) {
            values.reason = text_of(*data, name);
        }
    }
    return values;
}

}  // namespace smsrack::posting
