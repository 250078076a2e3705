#include "src/api/orders_api.hpp"

#include "src/api/modems_api.hpp"
#include "src/api/problem.hpp"
#include "src/api/text.hpp"
#include "src/pdu/ussd_text.hpp"
#include "src/wire/json_members.hpp"

#include <utility>

namespace smsrack::api {
namespace {

using ports::HandAnswer;
using ports::HandOrder;
using ports::HandOrderKind;

/// The one member that the body has.
Result<std::string> member_of(const Call& call, std::string_view wanted) {
    std::string text;
    auto read = wire::read_members(
        call.request.body, [&](std::string_view name, wire::JsonScalar& value) -> Result<> {
            auto* const given = std::get_if<std::string>(&value);
            if (name != wanted || given == nullptr) {
                return fail(Errc::bad_request, std::string(name) + ": the body is {\"" +
                                                   std::string(wanted) + "\":\"...\"}");
            }
            text = std::move(*given);
            return {};
        });
    if (!read) {
        return std::unexpected(std::move(read.error()));
    }
    if (text.empty()) {
        return fail(Errc::bad_request, std::string(wanted) + ": missing or empty");
    }
    return text;
}

/// 3GPP TS 27.007 7.15 <m>.
std::string_view mode_name(int mode) {
    switch (mode) {
        case 0:
            return "done";
        case 1:
            return "asks_for_more";
        case 2:
            return "ended_by_network";
        case 4:
            return "not_supported";
        case 5:
            return "network_timeout";
        default:
            return "other";
    }
}

void append_lines(wire::JsonWriter& json, std::string_view text) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        json.value(valid_text(line));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

std::string body_of(const HandAnswer& answer) {
    std::string body;
    wire::JsonWriter json(body);
    json.begin_object();
    json.key("lines");
    json.begin_array();
    for (const std::string& line : answer.lines) {
        json.value(valid_text(line));
    }
    if (answer.ussd) {
        append_lines(json,
                     pdu::ussd_text(answer.ussd->text, static_cast<std::uint8_t>(answer.ussd->dcs),
                                    answer.ussd->hex));
    }
    json.end_array();
    json.member("final", valid_text(answer.final_result));
    if (answer.ussd) {
        json.member("session", mode_name(answer.ussd->mode));
    }
    json.end_object();
    return body;
}

Error why_not(const Call& call, const Error& error) {
    return error.code == Errc::not_found ? no_such_modem(call) : error;
}

/// The answer comes on the line's thread and goes out on the loop's.
void answer_when_done(const Call& call, HandOrder order) {
    Executor& loop = call.parts.loop;
    auto ordered = call.parts.orders.order(
        call.argument, std::move(order),
        [&loop, responder = call.responder](Result<HandAnswer> answer) mutable {
            loop.post([responder = std::move(responder), answer = std::move(answer)] {
                responder->send(answer ? wire::HttpResponse{.body = body_of(*answer)}
                                       : problem(answer.error()));
            });
        });
    if (!ordered) {
        answer_problem(call, why_not(call, ordered.error()));
    }
}

}  // namespace

void post_at(Call call) {
    auto command = member_of(call, "command");
    if (!command) {
        answer_problem(call, command.error());
        return;
    }
    answer_when_done(call, {.kind = HandOrderKind::at_command, .text = std::move(*command)});
}

void post_ussd(Call call) {
    auto code = member_of(call, "code");
    if (!code) {
        answer_problem(call, code.error());
        return;
    }
    answer_when_done(call, {.kind = HandOrderKind::ussd, .text = std::move(*code)});
}

namespace {

/// 202 when dispatch has done it: from then on the line gets nothing new.
void set_gate(const Call& call, ports::GateOrder order) {
    Executor& loop = call.parts.loop;
    auto ordered = call.parts.orders.gate(
        call.argument, order,
        [&loop, responder = call.responder,
         name = call.argument](Result<ports::GateAnswer> done) mutable {
            loop.post(
                [responder = std::move(responder), name = std::move(name), done = std::move(done)] {
                    if (!done) {
                        responder->send(problem(done.error()));
                        return;
                    }
                    std::string body;
                    wire::JsonWriter json(body);
                    json.begin_object();
                    json.member("name", name);
                    json.member("manual", done->gate == ports::LineGate::open ? "open" : "blocked");
                    json.member("drained", done->gate != ports::LineGate::open && !done->holds);
                    json.end_object();
                    responder->send({.status = 202, .body = std::move(body)});
                });
        });
    if (!ordered) {
        answer_problem(call, why_not(call, ordered.error()));
    }
}

}  // namespace

void post_drain(Call call) {
    set_gate(call, ports::GateOrder::drain);
}

void post_line_resume(Call call) {
    set_gate(call, ports::GateOrder::resume);
}

void post_reset(Call call) {
    auto ordered =
        call.parts.orders.order(call.argument, {.kind = HandOrderKind::restart}, [](auto) {});
    if (!ordered) {
        answer_problem(call, why_not(call, ordered.error()));
        return;
    }
    std::string body;
    wire::JsonWriter json(body);
    json.begin_object();
    json.member("name", call.argument);
    json.member("reset", "when the modem holds nothing");
    json.end_object();
    call.responder->send({.status = 202, .body = std::move(body)});
}

}  // namespace smsrack::api
