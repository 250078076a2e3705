#include "src/api/calls.hpp"
#include "src/api/rack_json.hpp"
#include "src/api/text.hpp"
#include "src/base/time_text.hpp"
#include "src/pdu/alphabet/ussd_text.hpp"
#include "src/wire/json_members.hpp"

#include <array>
#include <memory>
#include <utility>

namespace smsrack::api {
namespace {

using ports::HandAnswer;
using ports::HandOrder;
using ports::HandOrderKind;

/// {"command":"..."}, or what `wanted` is, and "force":true to insist.
Result<HandOrder> order_of(const Call& call, HandOrderKind kind, std::string_view wanted) {
    auto read = wire::read_into(
        HandOrder{.kind = kind}, call.request.body,
        [wanted](HandOrder& order, std::string_view name, wire::JsonScalar& value) -> Result<> {
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
    if (read && read->text.empty()) {
        return fail(Errc::bad_request, std::string(wanted) + ": missing or empty");
    }
    return read;
}

/// 3GPP TS 27.007 7.15 <m>.
std::string_view mode_name(int mode) {
    constexpr std::array<std::string_view, 6> names{"done",  "asks_for_more", "ended_by_network",
                                                    "other", "not_supported", "network_timeout"};
    const auto place = static_cast<std::size_t>(mode);
    return place < names.size() ? names.at(place) : "other";
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

/// `forced`: with how many attempts are left.
std::string body_of(const HandAnswer& answer, bool forced) {
    return wire::json_object([&](wire::JsonWriter& json) {
        json.key("lines");
        json.begin_array();
        for (const std::string& line : answer.lines) {
            json.value(valid_text(line));
        }
        if (answer.ussd) {
            append_lines(
                json, pdu::ussd_text(answer.ussd->text, static_cast<std::uint8_t>(answer.ussd->dcs),
                                     answer.ussd->hex));
        }
        json.end_array();
        json.member("final", valid_text(answer.final_result));
        if (answer.ussd) {
            json.member("session", mode_name(answer.ussd->mode));
        }
        if (forced) {
            json.object_or_null("attempts_left", answer.pin_attempts,
                                [&](const ports::PinAttempts& left) {
                                    json.member("pin", left.pin);
                                    json.member("pin2", left.pin2);
                                    json.member("puk", left.puk);
                                    json.member("puk2", left.puk2);
                                });
        }
    });
}

Error why_not(const Call& call, const Error& error) {
    return error.code == Errc::not_found ? no_such_modem(call) : error;
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
                answer_json(*responder, body_of(*shared, true));
            });
        });
    if (!ordered) {
        answer_json(call, body_of(*shared, true));
    }
}

/// The answer comes on the line's thread and goes out on the loop's.
void answer_when_done(const Call& call, HandOrderKind kind, std::string_view wanted) {
    auto order = order_of(call, kind, wanted);
    if (!order) {
        return answer_problem(call, order.error());
    }
    const bool forced = order->force;
    auto ordered = call.parts.orders.order(
        call.argument, *std::move(order), [call, forced](Result<HandAnswer> answer) {
            call.parts.loop.post([call, forced, answer = std::move(answer)]() mutable {
                if (!answer) {
                    answer_problem(call, answer.error());
                } else if (forced) {
                    ask_attempts(call, *std::move(answer));
                } else {
                    answer_json(call, body_of(*answer, false));
                }
            });
        });
    if (!ordered) {
        answer_problem(call, why_not(call, ordered.error()));
    }
}

/// 202 when dispatch has done it: from then on the line gets nothing new.
void set_gate(const Call& call, ports::GateOrder order) {
    const auto body = [name = call.argument](const ports::GateAnswer& done) {
        return wire::json_object([&](wire::JsonWriter& json) {
            json.member("name", name);
            json.member("manual", done.gate == ports::LineGate::open ? "open" : "blocked");
            json.member("drained", done.gate != ports::LineGate::open && !done.holds);
        });
    };
    auto ordered = call.parts.orders.gate(call.argument, order,
                                          answer_on_loop<ports::GateAnswer>(call, body, 202));
    if (!ordered) {
        answer_problem(call, why_not(call, ordered.error()));
    }
}

}  // namespace

void post_at(Call call) {
    answer_when_done(call, HandOrderKind::at_command, "command");
}

void post_ussd(Call call) {
    answer_when_done(call, HandOrderKind::ussd, "code");
}

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
        return answer_problem(call, why_not(call, ordered.error()));
    }
    answer_json(call, wire::json_object([&](wire::JsonWriter& json) {
                    json.member("name", call.argument);
                    json.member("reset", "when the modem holds nothing");
                }),
                202);
}

void post_self_sms(Call call) {
    if (!call.request.body.empty() && call.request.body != "{}") {
        return answer_problem(call,
                              {.code = Errc::bad_request, .context = "the body is {}, or none"});
    }
    if (call.parts.self_sms == nullptr) {
        return answer_problem(call, {.code = Errc::conflict, .context = "this program sends none"});
    }
    const auto body = [](const ports::SelfSmsOrdered& ordered) {
        return wire::json_object([&](wire::JsonWriter& json) {
            json.member("id", id_text(ordered.id));
            json.member("group", ordered.group);
            json.member("to", ordered.to);
            json.member("expires_at", time_text(ordered.expires_at));
        });
    };
    call.parts.self_sms->order_self_sms(answer_on_loop<ports::SelfSmsOrdered>(call, body, 202));
}

}  // namespace smsrack::api
