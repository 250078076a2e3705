#include "src/api/calls.hpp"
#include "src/api/page.hpp"
#include "src/api/query.hpp"
#include "src/api/text.hpp"
#include "src/api/webhooks/gate_requests.hpp"
#include "src/api/webhooks/measure_all.hpp"
#include "src/base/time_text.hpp"
#include "src/config/http_url.hpp"
#include "src/webhook/webhooks.hpp"
#include "src/wire/json_members.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::api {
namespace {

using webhook::Measured;
using webhook::Webhook;

// Of a page: each has up to ports::attempts_shown attempts, which are read before the page is cut.
constexpr std::size_t deliveries_max = 200;

std::optional<std::int64_t> ms_of(std::optional<std::chrono::milliseconds> time) {
    return time.transform([](auto ms) { return ms.count(); });
}

void append_webhook(wire::JsonWriter& json, const Webhook& hook, const Measured& measured) {
    const config::WebhookSettings& settings = hook.settings();
    const ports::WebhookLife& life = hook.life();
    json.member("name", settings.name);
    json.member("url", config::without_query(settings.url));
    json.list("events", settings.events);
    member_or_null(json, "client", settings.client);
    json.member("state", ports::webhook_state_names.at(static_cast<std::size_t>(life.state)));
    member_or_null(json, "state_since",
                   life.changed_at == WallTime{} ? std::nullopt : std::optional(life.changed_at));
    member_or_null(json, "reason", life.reason);
    json.member("failures", life.failures);
    json.member("waiting", measured.waiting);
    json.member("dead", measured.dead);
    json.member("lost", measured.loss.events);
    member_or_null(json, "lost_since", measured.loss.since);
    member_or_null(json, "oldest", measured.oldest);
    json.member("last_status", hook.numbers().last_status);
    json.member("p50_ms", ms_of(hook.numbers().quantile(50)));
    json.member("p99_ms", ms_of(hook.numbers().quantile(99)));
}

void append_delivery(wire::JsonWriter& json, const ports::DeliveryRow& row) {
    json.member("event", id_text(row.event));
    json.member("type", row.type);
    json.member("at", time_text(row.at));
    json.member("state", ports::delivery_state_names.at(static_cast<std::size_t>(row.state)));
    member_or_null(json, "message", row.thing);
    member_or_null(json, "next_at", row.next_at);
    json.member("attempts_made", row.attempts);
    json.objects("attempts", row.made, [&](const ports::DeliveryAttempt& one) {
        json.member("attempt", one.attempt);
        json.member("at", time_text(one.at));
        json.member("status", one.status == 0 ? std::nullopt : std::optional(one.status));
        member_or_null(json, "error", valid_text(one.error));
        json.member("ms", one.took.count());
        member_or_null(json, "answer", valid_text(one.answer));
    });
}

void append_report(wire::JsonWriter& json, const webhook::TestReport& report) {
    const bool ok = report.status >= 200 && report.status < 300;
    json.member("ok", ok);
    member_or_null(json, "address", valid_text(report.address));
    member_or_null(json, "tls", valid_text(report.tls));
    json.member("status", report.status == 0 ? std::nullopt : std::optional(report.status));
    json.member("ms", report.took.count());
    member_or_null(json, "error", valid_text(report.error));
    member_or_null(json, "advice", valid_text(report.advice));
}

Result<ports::DeliveryFilter> filter_of(const Call& call) {
    const auto page = page_params(
        call.request, {"state", "event", "message", "since", "from", "limit", "cursor"});
    if (!page) {
        return std::unexpected(page.error());
    }
    ports::DeliveryFilter filter{.since = page->since,
                                 .before = EventSeq{page->after_id},
                                 .limit = std::min(page->limit, deliveries_max) + 1};
    if (const auto state = param(call.request, "state")) {
        const auto* const found = std::ranges::find(ports::delivery_state_names, *state);
        if (found == ports::delivery_state_names.end()) {
            return fail(Errc::bad_request, "state: must be waiting, delivered or dead");
        }
        filter.state =
            static_cast<ports::DeliveryState>(found - ports::delivery_state_names.begin());
    }
    for (const auto& [name, into] :
         {std::pair("event", &filter.event.value), std::pair("message", &filter.thing.value)}) {
        if (const auto text = param(call.request, name)) {
            const auto id = positive_number(*text);
            if (!id) {
                return fail(Errc::bad_request, std::string(name) + ": must be an id");
            }
            *into = *id;
        }
    }
    return filter;
}

/// {"event":"4711"}, {"state":"dead"} or {"since":"...","until":"..."}.
Result<webhook::ReplayWish> wish_of(const Call& call) {
    const auto time = [](std::string_view name, const std::string& text,
                         std::optional<WallTime>& into) -> Result<> {
        const auto at = time_of(text);
        if (!at) {
            return fail(Errc::bad_request, std::string(name) + ": must be a time in RFC 3339");
        }
        into = *at;
        return {};
    };
    const auto wish = wire::read_into(
        webhook::ReplayWish{}, call.request.body,
        [&](webhook::ReplayWish& read, std::string_view name, wire::JsonScalar& value) -> Result<> {
            const auto* const text = std::get_if<std::string>(&value);
            if (text == nullptr) {
                return fail(Errc::bad_request, std::string(name) + ": must be a text");
            }
            if (name == "event") {
                read.event = EventSeq{positive_number(*text).value_or(0)};
                return read.event == EventSeq{} ? fail(Errc::bad_request, "event: must be an id")
                                                : Result<>();
            }
            if (name == "state") {
                read.dead = *text == "dead";
                return read.dead ? Result<>() : fail(Errc::bad_request, "state: must be \"dead\"");
            }
            if (name == "since" || name == "until") {
                return time(name, *text, name == "since" ? read.since : read.until);
            }
            return fail(Errc::bad_request, "unknown member: " + std::string(name));
        });
    if (wish && (wish->event != EventSeq{}) + wish->dead + wish->since.has_value() != 1) {
        return fail(Errc::bad_request,
                    "exactly one of \"event\", \"state\" and \"since\" must be given");
    }
    if (wish && wish->until && !wish->since) {
        return fail(Errc::bad_request, "until: needs \"since\"");
    }
    return wish;
}

void switch_webhook(Call call, webhook::Happened order) {
    Webhook* const hook = webhook_of(call);
    if (hook == nullptr) {
        return;
    }
    // `open` begins the count of losses again, so what it had is looked at before.
    hook->measure([call = std::move(call), order](const auto& measured) {
        Webhook* const same = webhook_of(call);
        if (same == nullptr) {
            return;
        }
        const auto lost = (measured ? measured->loss : same->loss()).events;
        same->switch_to(order, [call, same, lost](const Result<>& kept) {
            if (!kept) {
                return answer_problem(call, kept.error());
            }
            answer_json(call, wire::json_object([&](wire::JsonWriter& json) {
                            json.member("name", same->settings().name);
                            json.member("state", ports::webhook_state_names.at(
                                                     static_cast<std::size_t>(same->life().state)));
                            json.member("lost", lost);
                        }));
        });
    });
}

}  // namespace

void list_webhooks(Call call) {
    const auto page = page_params(call.request, {"limit"});
    if (!page) {
        return answer_problem(call, page.error());
    }
    webhook::Webhooks* const webhooks = call.parts.webhooks;
    measure_all(webhooks, [call = std::move(call), limit = page->limit](const auto& measured) {
        if (!measured) {
            return answer_problem(call, measured.error());
        }
        answer_json(call, wire::json_object([&](wire::JsonWriter& json) {
                        json.key("webhooks");
                        json.begin_array();
                        for (std::size_t i = 0; i < std::min(measured->size(), limit); ++i) {
                            json.object([&] {
                                append_webhook(json, *call.parts.webhooks->all()[i],
                                               measured->at(i));
                            });
                        }
                        json.end_array();
                    }));
    });
}

void list_deliveries(Call call) {
    const Webhook* const hook = webhook_of(call);
    if (hook == nullptr) {
        return;
    }
    auto filter = filter_of(call);
    if (!filter) {
        return answer_problem(call, filter.error());
    }
    filter->webhook = hook->id().value_or(ports::WebhookId{});
    const std::size_t limit = filter->limit - 1;
    hook->store().ask(
        [filter = *filter, limit](ports::WebhookReader& reader) {
            return page_text("deliveries", reader.deliveries(filter), {limit}, append_delivery,
                             [](const ports::DeliveryRow& row) { return id_text(row.event); });
        },
        answer_on_loop<std::string>(call, [](std::string& body) { return std::move(body); }));
}

void post_webhook_replay(Call call) {
    Webhook* const hook = webhook_of(call);
    if (hook == nullptr) {
        return;
    }
    const auto wish = wish_of(call);
    if (!wish) {
        return answer_problem(call, wish.error());
    }
    hook->replay(*wish, [call = std::move(call)](const Result<std::size_t>& count) {
        if (!count) {
            return answer_problem(call, count.error());
        }
        answer_json(
            call, wire::json_object([&](wire::JsonWriter& json) { json.member("events", *count); }),
            202);
    });
}

void post_webhook_test(Call call) {
    Webhook* const hook = webhook_of(call);
    if (hook == nullptr) {
        return;
    }
    call.responder->resumable([] { return std::string(webhook_test_mark); });
    const auto begun = hook->test([call](const webhook::TestReport& report) {
        answer_json(
            call, wire::json_object([&](wire::JsonWriter& json) { append_report(json, report); }));
    });
    if (!begun) {
        answer_problem(call, begun.error());
    }
}

void resume_webhook_test(wire::Responder& responder) {
    answer_json(responder, wire::json_object([](wire::JsonWriter& json) {
                    append_report(json, {.error = "the service was changed during the test",
                                         .advice = "test again"});
                }));
}

void post_webhook_open(Call call) {
    switch_webhook(std::move(call), webhook::Happened::switched_on);
}

void post_webhook_off(Call call) {
    switch_webhook(std::move(call), webhook::Happened::switched_off);
}

}  // namespace smsrack::api
