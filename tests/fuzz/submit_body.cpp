// The body of a submit: what was read is written as JSON and read again, the same.
#include "src/api/submit/submit_reader.hpp"
#include "src/base/check.hpp"
#include "src/base/time_text.hpp"
#include "src/wire/json_writer.hpp"
#include "tests/fuzz/input.hpp"
#include "tools/modem_model/sms/hex.hpp"

#include <string>

namespace smsrack::fuzz {
namespace {

std::string json_of(const intake::SubmitRequest& request) {
    std::string out;
    wire::JsonWriter json(out);
    const auto add = [&](std::string_view name, const auto& value) {
        if (value) {
            json.member(name, *value);
        }
    };
    const auto add_text = [&](std::string_view name, const std::string& text) {
        if (!text.empty()) {
            json.member(name, text);
        }
    };
    json.begin_object();
    json.member("to", request.to);
    add("text", request.text);
    if (request.data) {
        json.member("data", modem_sim::to_hex(*request.data));
    }
    add("priority", request.priority);
    add_text("ref", request.ref);
    add("ttl_s", request.ttl_s);
    add("report", request.report);
    add("class", request.message_class);
    if (request.ports) {
        json.key("ports");
        json.begin_object();
        json.member("dst", request.ports->dst);
        json.member("src", request.ports->src);
        json.end_object();
    }
    if (request.concat) {
        json.key("concat");
        json.begin_object();
        json.member("key", request.concat->key);
        json.member("of", request.concat->of);
        json.member("part", request.concat->part);
        json.end_object();
    }
    add("pid", request.pid);
    if (!request.elements.empty()) {
        json.member("udh", modem_sim::to_hex(request.elements));
    }
    add_text("group", request.group);
    add_text("batch", request.batch);
    add_text("client", request.client);
    add_text("note", request.note);
    if (request.not_before) {
        json.member("not_before", time_text(*request.not_before));
    }
    json.member("allow_duplicate", request.allow_duplicate);
    json.end_object();
    return out;
}

}  // namespace

int fuzz_submit_body(Octets input) {
    for (const std::string_view line : lines_of(text_of(input))) {
        const auto request = api::read_submit(line);
        if (!request) {
            SMSRACK_CHECK(!request.error().context.empty() && is_utf8(request.error().context));
            continue;
        }
        SMSRACK_CHECK(request->text.has_value() != request->data.has_value());
        const std::string json = json_of(*request);
        SMSRACK_CHECK(is_utf8(json));
        const auto again = api::read_submit(json);
        SMSRACK_CHECK(again && json_of(*again) == json);
    }
    return 0;
}

}  // namespace smsrack::fuzz
