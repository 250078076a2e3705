#include "src/api/messages_api.hpp"

#include "src/api/message_json.hpp"
#include "src/api/ndjson_submit.hpp"
#include "src/api/page.hpp"
#include "src/api/problem.hpp"
#include "src/api/query.hpp"
#include "src/api/seen_message.hpp"
#include "src/api/submit_reader.hpp"
#include "src/api/submitter.hpp"
#include "src/api/text.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::api {
namespace {

Result<ports::MessageFilter> filter_of(const Call& call) {
    const wire::HttpRequest& request = call.request;
    const auto known = check_params(
        request, {"state", "to", "ref", "batch", "client", "since", "limit", "cursor", "details"});
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
    ports::MessageFilter filter{
        .since = *since, .before = MessageId{*cursor}, .limit = *limit, .with_body = false};
    filter.ref = param(request, "ref").value_or("");
    filter.batch = param(request, "batch").value_or("");
    filter.client = param(request, "client").value_or("");
    if (!call.caller.may(Role::read)) {
        if (auto may = may_use_client(call.caller, filter.client); !may) {
            return std::unexpected(std::move(may.error()));
        }
        if (filter.client.empty()) {
            filter.owner = call.caller.account();
        }
    }
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

/// The service or its configuration knows it.
Result<> check_client(ports::StoreReader& reader, const Call& call, const std::string& name) {
    const auto& configured = call.settings.access.clients;
    if (std::ranges::find(configured, name, &ClientUser::client) != configured.end()) {
        return {};
    }
    auto client = reader.client(name);
    return client ? Result<>() : std::unexpected(std::move(client.error()));
}

/// A batch that was paused before its first message counts, for a caller that may see all batches.
Result<> check_batch(ports::StoreReader& reader, const ports::MessageFilter& filter,
                     bool sees_all) {
    ports::MessageFilter of_batch{.owner = filter.owner, .limit = 1, .with_body = false};
    of_batch.batch = filter.batch;
    of_batch.client = sees_all ? "" : filter.client;
    const auto any = reader.messages(of_batch);
    if (!any) {
        return std::unexpected(any.error());
    }
    if (!any->empty() || (sees_all && reader.batch(filter.batch))) {
        return {};
    }
    return fail(Errc::not_found, "no message has the batch " + valid_text(filter.batch));
}

/// A misspelt name would give an empty list, as if there were nothing.
Result<> check_names(ports::StoreReader& reader, const Call& call,
                     const ports::MessageFilter& filter) {
    const bool sees_all = call.caller.may(Role::read);
    if (sees_all && !filter.client.empty()) {
        if (auto known = check_client(reader, call, filter.client); !known) {
            return known;
        }
    }
    return filter.batch.empty() ? Result<>() : check_batch(reader, filter, sees_all);
}

Result<std::string> message_page(ports::StoreReader& reader, ports::MessageFilter filter) {
    const std::size_t limit = filter.limit++;
    return page_text(reader.messages(filter), limit, append_message_row);
}

/// Rows as GET /v1/messages/{id} gives them, for a client that wants many: an export. A page is
/// smaller, since each row is looked up.
Result<std::string> detailed_page(ports::StoreReader& reader, ports::MessageFilter filter,
                                  const ErrorTable& errors) {
    constexpr std::size_t rows_max = 200;
    const std::size_t limit = std::min(filter.limit, rows_max);
    filter.limit = limit + 1;
    const auto rows = reader.messages(filter);
    if (!rows) {
        return std::unexpected(rows.error());
    }
    std::vector<ports::MessageDetail> details;
    for (const ports::MessageRow& row : *rows) {
        auto detail = reader.message(row.id);
        if (!detail && detail.error().code != Errc::not_found) {
            return std::unexpected(std::move(detail.error()));
        }
        ports::MessageDetail& kept = details.emplace_back();
        if (detail) {
            kept = std::move(*detail);
        } else {  // removed for its age meanwhile: as the list had it
            kept.message = row;
        }
    }
    return page_text(
        "messages", Result<std::vector<ports::MessageDetail>>(std::move(details)), limit,
        [&errors](wire::JsonWriter& json, const ports::MessageDetail& detail) {
            append_message(json, detail, errors);
        },
        [](const ports::MessageDetail& detail) { return id_text(detail.message.id); });
}

void answer_cancelled(Executor& loop, wire::ResponderPtr responder, MessageId id,
                      Result<MessageState> state) {
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
}

void cancel(const ApiParts& parts, MessageId id, wire::ResponderPtr responder) {
    parts.store.post(ports::CancelMessage{.message = id, .at = parts.clock.wall()},
                     [&loop = parts.loop, id,
                      responder = std::move(responder)](Result<MessageState> state) mutable {
                         answer_cancelled(loop, std::move(responder), id, std::move(state));
                     });
}

}  // namespace

void post_message(Call call) {
    if (is_ndjson(call.request)) {  // a streamed body that is empty
        call.responder->send({.content_type = "application/x-ndjson"});
        return;
    }
    const auto submit = submit_of(call.request, call.caller);
    if (!submit) {
        count_submit(call.parts.stats, std::unexpected(submit.error()));
        answer_problem(call, submit.error());
        return;
    }
    call.submitter.submit(*submit, std::move(call.responder), call.request.received_at);
}

void get_message(Call call) {
    const auto id = id_of(call);
    if (!id) {
        answer_problem(call, id.error());
        return;
    }
    answer_from_store(call,
                      [id = *id, caller = call.caller, &errors = call.parts.errors](
                          ports::StoreReader& reader) -> Result<std::string> {
                          const auto message = seen_message(reader, id, caller);
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
    const auto details = param(call.request, "details");
    if (details && *details != "true" && *details != "false") {
        answer_problem(call, {.code = Errc::bad_request, .context = "details: true or false"});
        return;
    }
    answer_from_store(call,
                      [call, filter = std::move(*filter), is_detailed = details == "true"](
                          ports::StoreReader& reader) -> Result<std::string> {
                          if (auto known = check_names(reader, call, filter); !known) {
                              return std::unexpected(std::move(known.error()));
                          }
                          return is_detailed ? detailed_page(reader, filter, call.parts.errors)
                                             : message_page(reader, filter);
                      });
}

void cancel_message(Call call) {
    const auto id = id_of(call);
    if (!id) {
        answer_problem(call, id.error());
        return;
    }
    if (call.caller.may(Role::admin)) {
        cancel(call.parts, *id, std::move(call.responder));
        return;
    }
    // Whose a message is never changes, so it may be looked at first.
    call.parts.store.ask(
        [id = *id, caller = call.caller](ports::StoreReader& reader) {
            return seen_message(reader, id, caller);
        },
        [&parts = call.parts, id = *id, caller = call.caller,
         responder = std::move(call.responder)](const Result<ports::MessageDetail>& message) {
            if (!message) {
                answer_cancelled(parts.loop, responder, id, std::unexpected(message.error()));
            } else if (!caller.owns(message->message.owner, message->message.client)) {
                answer_cancelled(
                    parts.loop, responder, id,
                    fail(Errc::forbidden, "another account sent this message: " +
                                              allowed(caller, Role::admin).error().context));
            } else {
                cancel(parts, id, responder);
            }
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
    return NdjsonSubmit::begin(call.parts, std::move(call.caller), call.request,
                               std::move(call.responder));
}

}  // namespace smsrack::api
