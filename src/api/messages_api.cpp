#include "src/api/messages_api.hpp"

#include "src/api/message_json.hpp"
#include "src/api/ndjson_submit.hpp"
#include "src/api/page.hpp"
#include "src/api/problem.hpp"
#include "src/api/query.hpp"
#include "src/api/submit_reader.hpp"
#include "src/api/submitter.hpp"
#include "src/api/text.hpp"
#include "src/base/time_text.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::api {
namespace {

/// The body, with the header Idempotency-Key as its `ref`.
Result<intake::SubmitRequest> submit_of(const wire::HttpRequest& request) {
    auto submit = read_submit(request.body);
    const std::string_view key = request.header("idempotency-key");
    if (!submit || key.empty()) {
        return submit;
    }
    if (!std::ranges::all_of(key, [](char c) { return c >= ' ' && c < 0x7F; })) {
        return fail(Errc::bad_encoding, "Idempotency-Key: not ASCII; `ref` takes any UTF-8");
    }
    if (!submit->ref.empty() && submit->ref != key) {
        return fail(Errc::bad_request, "ref: not the Idempotency-Key of the header");
    }
    submit->ref = key;
    return submit;
}

Result<ports::MessageFilter> filter_of(const Call& call) {
    const wire::HttpRequest& request = call.request;
    const auto known = check_params(request, {"state", "to", "ref", "since", "limit", "cursor"});
    const auto limit = limit_param(request);
    const auto since = since_param(request);
    const auto cursor = cursor_param(request);
    for (const Error* error :
         {known ? nullptr : &known.error(), limit ? nullptr : &limit.error(),
          since ? nullptr : &since.error(), cursor ? nullptr : &cursor.error()}) {
        if (error != nullptr) {
            return std::unexpected(*error);
        }
    }
    ports::MessageFilter filter{.since = *since, .before = MessageId{*cursor}, .limit = *limit};
    filter.ref = param(request, "ref").value_or("");
    if (const auto state = param(request, "state")) {
        filter.state = message_state_of(*state);
        if (!filter.state) {
            return fail(Errc::bad_request, "state: not a state of a message");
        }
    }
    if (const auto to = param(request, "to")) {
        auto number = normalised_number(*to, call.settings.plan);
        if (!number) {
            return std::unexpected(std::move(number.error()));
        }
        filter.to = std::move(*number);
    }
    return filter;
}

Result<std::string> message_page(ports::StoreReader& reader, ports::MessageFilter filter) {
    const std::size_t limit = filter.limit++;
    return page_text(reader.messages(filter), limit, append_message_row);
}

/// An id that is no number is as unknown as any other.
Result<MessageId> id_of(const Call& call) {
    const auto number = positive_number(call.argument);
    if (!number) {
        return fail(Errc::not_found, "no message has this id");
    }
    return MessageId{*number};
}

/// Why the message would not leave at once, as a word and a sentence; empty where it would.
struct Obstacle {
    std::string why = {};
    std::string sentence = {};
    std::optional<WallTime> until = {};
};

Obstacle obstacle_of(const Call& call, const intake::Preview& preview,
                     const intake::SubmitRequest& request) {
    if (request.not_before && *request.not_before > call.parts.clock.wall()) {
        return {.why = "not_before",
                .sentence = "not before " + time_text(*request.not_before),
                .until = request.not_before};
    }
    if (preview.refusal) {
        return {.why = "overloaded",
                .sentence = preview.refusal->context,
                .until = call.parts.clock.wall() +
                         preview.refusal->retry_after.value_or(std::chrono::milliseconds::zero())};
    }
    const auto pause = call.parts.rack.group_pause(preview.group, preview.segments, preview.to);
    if (!pause) {
        return {};
    }
    if (!pause->until) {
        return {.why = pause->reason, .sentence = "no line of the group is ready"};
    }
    return {
        .why = pause->reason,
        .sentence = (pause->reason == "quota" ? "the quotas of the group's SIMs are spent until "
                                              : "the group's SIMs rest after refusals until ") +
                    time_text(*pause->until),
        .until = pause->until};
}

}  // namespace

void post_message(Call call) {
    if (is_ndjson(call.request)) {  // a streamed body that is empty
        call.responder->send({.content_type = "application/x-ndjson"});
        return;
    }
    const auto submit = submit_of(call.request);
    if (!submit) {
        count_submit(call.parts.stats, std::unexpected(submit.error()));
        answer_problem(call, submit.error());
        return;
    }
    call.submitter.submit(*submit, std::move(call.responder), call.request.received_at);
}

void preview_message(Call call) {
    const auto submit = submit_of(call.request);
    if (!submit) {
        answer_problem(call, submit.error());
        return;
    }
    const auto preview = call.parts.intake.preview(*submit);
    if (!preview) {
        answer_problem(call, preview.error());
        return;
    }
    std::string body;
    wire::JsonWriter json(body);
    json.begin_object();
    json.member("to", preview->to);
    json.member("encoding", preview->encoding);
    json.member("segments", preview->segments);
    json.member("units", preview->units);
    json.member("units_per_segment", preview->units_per_segment);
    json.member("group", preview->group);
    json.member("priority", preview->level);
    json.member("expires_at", time_text(preview->expires_at));
    const Obstacle obstacle = obstacle_of(call, *preview, *submit);
    member_or_null(json, "why", obstacle.why);
    member_or_null(json, "why_not_now", obstacle.sentence);
    member_or_null(json, "wait_until", obstacle.until ? time_text(*obstacle.until) : "");
    json.end_object();
    answer_json(call, std::move(body));
}

void get_message(Call call) {
    const auto id = id_of(call);
    if (!id) {
        answer_problem(call, id.error());
        return;
    }
    answer_from_store(
        call,
        [id = *id, &errors = call.parts.errors](ports::StoreReader& reader) -> Result<std::string> {
            const auto message = reader.message(id);
            if (!message) {
                return std::unexpected(message.error());
            }
            std::string body;
            wire::JsonWriter json(body);
            append_message(json, *message, errors);
            return body;
        });
}

void list_messages(Call call) {
    auto filter = filter_of(call);
    if (!filter) {
        answer_problem(call, filter.error());
        return;
    }
    answer_from_store(call, [filter = std::move(*filter)](ports::StoreReader& reader) {
        return message_page(reader, filter);
    });
}

void cancel_message(Call call) {
    const auto id = id_of(call);
    if (!id) {
        answer_problem(call, id.error());
        return;
    }
    Executor& loop = call.parts.loop;
    call.parts.store.finish(
        *id, MessageEvent::cancel, "by_request", call.parts.clock.wall(),
        [&loop, id = *id,
         responder = std::move(call.responder)](Result<MessageState> state) mutable {
            loop.post([id, responder = std::move(responder), state = std::move(state)] {
                if (!state) {
                    responder->send(problem(state.error()));
                    return;
                }
                std::string body;
                wire::JsonWriter json(body);
                json.begin_object();
                json.member("id", id_text(id));
                json.member("state", message_state_name(*state));
                json.end_object();
                responder->send({.body = std::move(body)});
            });
        });
}

bool is_ndjson(const wire::HttpRequest& request) {
    return request.header("content-type").starts_with("application/x-ndjson");
}

std::unique_ptr<wire::BodyReader> post_message_lines(Call call) {
    if (!call.request.header("idempotency-key").empty()) {
        answer_problem(call, {.code = Errc::bad_request,
                              .context = "Idempotency-Key: each line has its own `ref`"});
        return nullptr;
    }
    return NdjsonSubmit::begin(call.parts, std::move(call.responder));
}

}  // namespace smsrack::api
