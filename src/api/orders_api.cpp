#include "src/api/orders_api.hpp"

#include "src/api/modems_api.hpp"
#include "src/api/problem.hpp"
#include "src/api/text.hpp"
#include "src/pdu/ussd_text.hpp"
#include "src/wire/json_members.hpp"

#include <memory>
#include <utility>

namespace smsrack::api {
namespace {

using ports::HandAnswer;
using ports::HandOrder;
using ports::HandOrderKind;

/// {"command":"..."}, or what `wanted` is, and "force":true to insist.
Result<HandOrder> order_of(const Call& call, HandOrderKind kind, std::string_view wanted) {
    HandOrder order{.kind = kind};
    auto read = wire::read_members(
        call.request.body, [&](std::string_view name, wire::JsonScalar& value) -> Result<> {
            auto* const given = std::get_if<std::string>(&value);
            if (const auto* const force = std::get_if<bool>(&value);
                name == "force" && force != nullptr) {
                order.force = *force;
                return {};
            }
            if (name != wanted || given == nullptr) {
                return fail(Errc::bad_request, std::string(name) + ": the body is {\"" +
                                                   std::string(wanted) +
                                                   "\":\"...\"}, and \"force\":true to insist");
            }
            order.text = std::move(*given);
            return {};
        });
    if (!read) {
        return std::unexpected(std::move(read.error()));
    }
    if (order.text.empty()) {
        return fail(Errc::bad_request, std::string(wanted) + ": missing or empty");
    }
    return order;
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

void append_attempts(wire::JsonWriter& json, const std::optional<ports::PinAttempts>& attempts) {
    if (!attempts) {
        json.member_null("attempts_left");
        return;
    }
    json.key("attempts_left");
    json.begin_object();
    json.member("pin", std::int64_t{attempts->pin});
    json.member("pin2", std::int64_t{attempts->pin2});
    json.member("puk", std::int64_t{attempts->puk});
    json.member("puk2", std::int64_t{attempts->puk2});
    json.end_object();
}

/// `forced`: with how many attempts are left.
std::string body_of(const HandAnswer& answer, bool forced) {
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
    if (forced) {
        append_attempts(json, answer.pin_attempts);
    }
    json.end_object();
    return body;
}

Error why_not(const Call& call, const Error& error) {
    return error.code == Errc::not_found ? no_such_modem(call) : error;
}

void send_answer(const wire::ResponderPtr& responder, const Result<HandAnswer>& answer,
                 bool forced) {
    responder->send(answer ? wire::HttpResponse{.body = body_of(*answer, forced)}
                           : problem(answer.error()));
}

/// For a forced order: asks the modem afterwards what it may have cost. The order's own answer is
/// returned in any case.
void ask_attempts(const Call& call, HandAnswer answer) {
    Executor& loop = call.parts.loop;
    auto shared = std::make_shared<HandAnswer>(std::move(answer));
    auto ordered = call.parts.orders.order(
        call.argument, {.kind = HandOrderKind::pin_attempts},
        [&loop, shared, responder = call.responder](Result<HandAnswer> asked) mutable {
            loop.post([shared, responder = std::move(responder), asked = std::move(asked)] {
                shared->pin_attempts = asked ? asked->pin_attempts : std::nullopt;
                send_answer(responder, *shared, true);
            });
        });
    if (!ordered) {
        send_answer(call.responder, *shared, true);
    }
}

/// The answer comes on the line's thread and goes out on the loop's.
void answer_when_done(const Call& call, HandOrder order) {
    Executor& loop = call.parts.loop;
    const bool forced = order.force;
    auto ordered = call.parts.orders.order(
        call.argument, std::move(order), [&loop, call, forced](Result<HandAnswer> answer) mutable {
            loop.post([call = std::move(call), forced, answer = std::move(answer)]() mutable {
                if (answer && forced) {
                    ask_attempts(call, *std::move(answer));
                } else {
                    send_answer(call.responder, answer, false);
                }
            });
        });
    if (!ordered) {
        answer_problem(call, why_not(call, ordered.error()));
    }
}

}  // namespace

void post_at(Call call) {
    auto order = order_of(call, HandOrderKind::at_command, "command");
    if (!order) {
        answer_problem(call, order.error());
        return;
    }
    answer_when_done(call, *std::move(order));
}

void post_ussd(Call call) {
    auto order = order_of(call, HandOrderKind::ussd, "code");
    if (!order) {
        answer_problem(call, order.error());
        return;
    }
    answer_when_done(call, *std::move(order));
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
