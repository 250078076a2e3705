#include "src/cluster/box_work.hpp"

#include "src/cluster/form_reader.hpp"
#include "src/wire/json_writer.hpp"

namespace smsrack::cluster {

std::string form_of(const BoxWork& work) {
    return wire::json_object([&](wire::JsonWriter& json) {
        json.member("sent", work.sent);
        json.member("asked", work.asked);
        json.member("busy", work.busy);
        if (work.forecast) {
            json.member("forecast", *work.forecast);
        }
        json.key("groups");
        json.begin_array();
        for (const std::string& group : work.groups) {
            json.value(group);
        }
        json.end_array();
        json.member("own", work.own);
        json.member("stays", work.stays);
        json.member("seen", work.seen);
    });
}

Result<BoxWork> read_box_work(std::string_view form) {
    return read_form<BoxWork>(form, [](const wire::Json& json) -> Result<BoxWork> {
        BoxWork work;
        FormReader reader(json);
        reader.read("sent", work.sent);
        reader.read("asked", work.asked);
        reader.read("busy", work.busy);
        reader.read("forecast", work.forecast);
        reader.read("groups", work.groups);
        reader.read("own", work.own);
        reader.read("stays", work.stays);
        reader.read("seen", work.seen);
        return work;
    });
}

std::string form_of(const DecisionForm& decision) {
    return wire::json_object([&](wire::JsonWriter& json) {
        json.member("words", decision.words);
        json.member("wakes", decision.wakes);
    });
}

Result<DecisionForm> read_decision(std::string_view form) {
    return read_form<DecisionForm>(form, [](const wire::Json& json) -> Result<DecisionForm> {
        DecisionForm decision;
        FormReader reader(json);
        reader.read("words", decision.words);
        reader.read("wakes", decision.wakes);
        return decision;
    });
}

}  // namespace smsrack::cluster
