#include "src/cluster/message_form.hpp"

#include "src/base/hex.hpp"
#include "src/cluster/form_reader.hpp"
#include "src/wire/json_writer.hpp"

#include <optional>

namespace smsrack::cluster {
namespace {

using std::chrono::milliseconds;

std::int64_t ms_of(WallTime at) {
    return at.time_since_epoch().count();
}

void write_body(wire::JsonWriter& json, const MessageBody& body) {
    json.member("to", body.to);
    if (body.is_data) {
        json.member("data", hex_of(body.data));
    } else {
        json.member("text", body.text);
    }
    json.member("report", body.report);
    if (body.message_class) {
        json.member("class", *body.message_class);
    }
    if (body.ports) {
        json.member("port_dst", body.ports->dst);
        json.member("port_src", body.ports->src);
    }
    if (!body.elements.empty()) {
        json.member("elements", hex_of(body.elements));
    }
    if (body.pid != 0) {
        json.member("pid", body.pid);
    }
}

void read_body(const wire::Json& json, FormReader& reader, MessageBody& body) {
    reader.read("to", body.to);
    body.is_data = json.contains("data");
    reader.read("text", body.text);
    reader.read_octets("data", body.data);
    reader.read("report", body.report);
    reader.read("class", body.message_class);
    if (json.contains("port_dst")) {
        body.ports.emplace();
        reader.read("port_dst", body.ports->dst);
        reader.read("port_src", body.ports->src);
    }
    reader.read_octets("elements", body.elements);
    reader.read("pid", body.pid);
}

}  // namespace

std::string form_of(const NewMessage& message) {
    std::string form;
    wire::JsonWriter json(form);
    json.object([&] {
        write_body(json, message.body);
        json.member("level", message.level);
        json.member("group", message.group);
        json.member("segments", message.segments);
        json.member("created", ms_of(message.created_at));
        json.member("expires", ms_of(message.expires_at));
        if (message.not_before) {
            json.member("not_before", ms_of(*message.not_before));
        }
        if (!message.batch.empty()) {
            json.member("batch", message.batch);
        }
        if (message.sticky) {
            json.member("sticky", true);
        }
        if (message.by) {
            json.member("by_iccid", message.by->iccid);
            json.member("by_imsi", message.by->imsi);
        }
    });
    return form;
}

Result<NewMessage> message_of(std::string_view form, milliseconds later) {
    return read_form<NewMessage>(form, [later](const wire::Json& json) -> Result<NewMessage> {
        NewMessage m;
        FormReader reader(json);
        read_body(json, reader, m.body);
        reader.read("level", m.level);
        reader.read("group", m.group);
        reader.read("segments", m.segments);
        reader.read("created", m.created_at, later);
        reader.read("expires", m.expires_at, later);
        if (json.contains("not_before")) {
            m.not_before.emplace();
            reader.read("not_before", *m.not_before, later);
        }
        reader.read("batch", m.batch);
        reader.read("sticky", m.sticky);
        if (json.contains("by_iccid")) {
            m.by.emplace();
            reader.read("by_iccid", m.by->iccid);
            reader.read("by_imsi", m.by->imsi);
        }
        m.shared = true;
        if (!reader.is_whole() || m.body.to.empty() || m.segments == 0) {
            return strange_form();
        }
        return m;
    });
}

std::string form_of(const EndLetter& letter) {
    std::string form;
    wire::JsonWriter json(form);
    json.object([&] {
        json.member("message", letter.message.value);
        json.member("state", message_state_name(letter.state));
        json.member("detail", letter.detail);
        json.member("box", letter.box.value);
    });
    return form;
}

Result<EndLetter> letter_of(std::string_view form) {
    return read_form<EndLetter>(form, [](const wire::Json& json) -> Result<EndLetter> {
        EndLetter letter;
        std::string state;
        FormReader reader(json);
        reader.read("message", letter.message.value);
        reader.read("state", state);
        reader.read("detail", letter.detail);
        reader.read("box", letter.box.value);
        const auto known = message_state_of(state);
        if (!known || letter.message.value <= 0) {
            return strange_form();
        }
        letter.state = *known;
        return letter;
    });
}

}  // namespace smsrack::cluster
