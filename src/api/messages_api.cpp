#include "src/api/calls.hpp"
#include "src/api/message_json.hpp"
#include "src/api/page.hpp"
#include "src/api/query.hpp"
#include "src/api/search.hpp"
#include "src/api/submit/ndjson_submit.hpp"
#include "src/api/submit/submit_reader.hpp"
#include "src/api/submit/submitter.hpp"
#include "src/api/text.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::api {
namespace {

Result<ports::MessageFilter> filter_of(const Call& call) {
    const wire::HttpRequest& request = call.request;
    const auto page = page_params(
        request, {"state", "priority", "to", "ref", "group", "batch", "client", "q", "contains",
                  "text", "since", "from", "until", "limit", "cursor", "details"});
    if (!page) {
        return std::unexpected(page.error());
    }
    ports::MessageFilter filter{.since = page->since,
                                .until = page->until,
                                .before = MessageId{page->after_id},
                                .limit = page->limit,
                                .with_body = false};
    filter.ref = param(request, "ref").value_or("");
    filter.group = param(request, "group").value_or("");
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
    if (const auto priority = param(request, "priority")) {
        const auto level = whole_number(*priority);
        if (!level || *level < 0 || *level > level_max) {
            return fail(Errc::bad_request, "priority: not a number from 0 to 6");
        }
        filter.level = static_cast<Level>(*level);
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

/// A list, or a step of a search.
struct Listing {
    ports::MessageFilter filter;
    std::optional<ports::Wanted> wanted = {};  ///< nullopt: everything
    bool is_detailed = false;
    bool has_text = false;  ///< what is found by number or text has it anyway
    PageBound page_bound = {};
};

/// Nothing is indexed by level or group: as in a search, the rows that a page looks at are bounded.
std::optional<ports::Wanted> wanted_of(std::optional<ports::Wanted> searched,
                                       const ports::MessageFilter& filter) {
    if (!searched && (filter.level || !filter.group.empty())) {
        return [](std::string_view, std::string_view) { return true; };
    }
    return searched;
}

void append_with_text(wire::JsonWriter& json, const ports::MessageRow& row) {
    append_message_row(json, row);
    if (!row.body.is_data) {
        json.member("text", row.body.text);
    }
    if (!row.note.empty()) {
        json.member("note", row.note);
    }
}

Result<std::string> message_page(ports::StoreReader& reader, Listing list) {
    if (list.has_text) {
        list.filter.with_body = true;
        list.filter.limit = std::min(list.filter.limit, full_rows_max);
    }
    const auto append = list.has_text ? append_with_text : append_message_row;
    if (list.wanted) {
        return found_text(reader.find_messages(list.filter, *list.wanted), list.page_bound, append);
    }
    const PageSize size{list.filter.limit++, list.page_bound};
    return page_text(reader.messages(list.filter), size, append);
}

/// The rows of a list, one more than `limit` if there are more, or those that a search finds.
Result<ports::FoundMessages> rows_of(ports::StoreReader& reader, const Listing& list,
                                     std::size_t limit) {
    ports::MessageFilter filter = list.filter;
    filter.limit = limit;
    if (list.wanted) {
        return reader.find_messages(filter, *list.wanted);
    }
    ++filter.limit;
    auto rows = reader.messages(filter);
    return rows ? Result<ports::FoundMessages>({.rows = std::move(*rows)})
                : std::unexpected(std::move(rows.error()));
}

/// Rows as GET /v1/messages/{id} gives them, for a client that wants many: an export. A page is
/// smaller, since each row is looked up.
Result<std::string> detailed_page(ports::StoreReader& reader, const Listing& list,
                                  const ErrorTable& errors) {
    const PageSize size{std::min(list.filter.limit, full_rows_max), list.page_bound};
    const auto found = rows_of(reader, list, size.rows);
    if (!found) {
        return std::unexpected(found.error());
    }
    std::vector<ports::MessageDetail> details;
    for (const ports::MessageRow& row : found->rows) {
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
        "messages", Result<std::vector<ports::MessageDetail>>(std::move(details)), size,
        [&errors](wire::JsonWriter& json, const ports::MessageDetail& detail) {
            append_message(json, detail, errors);
        },
        [](const ports::MessageDetail& detail) { return id_text(detail.message.id); },
        found->next == MessageId{} ? std::string() : id_text(found->next));
}

/// In a fleet it may be elsewhere: then the engine says whether it was begun. What became this box's meanwhile is cancelled as
/// its own.
void cancel_in_fleet(const Call& call, MessageId id, Error own, ports::Done<MessageState> answer) {
    call.parts.fleet->cancel(id, [&parts = call.parts, id, own = std::move(own),
                                  answer = std::move(answer)](Result<MessageState> there) mutable {
        if (there ||
            (there.error().code != Errc::not_found && there.error().code != Errc::conflict)) {
            return answer(std::move(there));
        }
        Error why = there.error().code == Errc::conflict ? std::move(there.error()) : own;
        parts.store.post(
            ports::CancelMessage{.message = id, .at = parts.clock.wall()},
            [why = std::move(why), answer = std::move(answer)](Result<MessageState> again) mutable {
                answer(again ? std::move(again) : std::unexpected(std::move(why)));
            });
    });
}

void cancel(const Call& call, MessageId id) {
    auto answer = answer_on_loop<MessageState>(call, [id](MessageState state) {
        return wire::json_object([&](wire::JsonWriter& json) {
            json.member("id", id_text(id));
            json.member("state", message_state_name(state));
        });
    });
    call.parts.store.post(
        ports::CancelMessage{.message = id, .at = call.parts.clock.wall()},
        [call, id, answer = std::move(answer)](Result<MessageState> state) mutable {
            if (state || state.error().code != Errc::conflict || call.parts.fleet == nullptr) {
                return answer(std::move(state));
            }
            cancel_in_fleet(call, id, std::move(state.error()), std::move(answer));
        });
}

/// The name of the box that has it, where that is known here.
void name_box(ports::MessageDetail& message, const ports::FleetControl* fleet) {
    if (!message.fleet || fleet == nullptr) {
        return;
    }
    ports::FleetStanding& standing = *message.fleet;
    const bool unknown = standing.stage == FleetStage::away && standing.box == BoxNumber{};
    standing.box_name = unknown ? std::string() : fleet->name_of(standing.box);
}

}  // namespace

void post_message(Call call) {
    if (is_ndjson(call.request)) {  // a streamed body that is empty
        call.responder->send({.content_type = "application/x-ndjson"});
        return;
    }
    const auto submit = submit_of(call.request, call.caller);
    if (!submit) {
        count_submit(call.parts, {}, std::unexpected(submit.error()));
        return answer_problem(call, submit.error());
    }
    call.submitter.submit(*submit, std::move(call.responder), call.request.received_at);
}

void get_message(Call call) {
    answer_of_message(
        call, [&parts = call.parts](ports::StoreReader&, const ports::MessageDetail& of) {
            const auto text = [&parts](const ports::MessageDetail& message) {
                return wire::json_object(
                    [&](wire::JsonWriter& json) { append_message(json, message, parts.errors); });
            };
            if (!of.fleet) {
                return text(of);
            }
            ports::MessageDetail named = of;
            name_box(named, parts.fleet);
            return text(named);
        });
}

void list_messages(Call call) {
    auto filter = filter_of(call);
    if (!filter) {
        return answer_problem(call, filter.error());
    }
    auto wanted = search_of(call);
    if (!wanted) {
        return answer_problem(call, wanted.error());
    }
    const auto details = flag_param(call.request, "details");
    const auto has_text = flag_param(call.request, "text");
    if (!details || !has_text) {
        return answer_problem(call, (details ? has_text : details).error());
    }
    const bool is_search = wanted->has_value();
    auto looks_for = wanted_of(*std::move(wanted), *filter);
    answer_from_store(call,
                      [call, list = Listing{.filter = std::move(*filter),
                                            .wanted = std::move(looks_for),
                                            .is_detailed = *details,
                                            .has_text = is_search || *has_text,
                                            .page_bound = call.page_bound}](
                          ports::StoreReader& reader) -> Result<std::string> {
                          if (auto known = check_names(reader, call, list.filter); !known) {
                              return std::unexpected(std::move(known.error()));
                          }
                          return list.is_detailed ? detailed_page(reader, list, call.parts.errors)
                                                  : message_page(reader, list);
                      });
}

void cancel_message(Call call) {
    const auto id = id_of(call);
    if (!id) {
        return answer_problem(call, id.error());
    }
    if (call.caller.may(Role::admin)) {
        return cancel(call, *id);
    }
    // Whose a message is never changes, so it may be looked at first.
    call.parts.store.ask(
        [id = *id, caller = call.caller](ports::StoreReader& reader) -> Result<bool> {
            const auto message = seen_message(reader, id, caller);
            if (!message) {
                return std::unexpected(message.error());
            }
            return caller.owns(message->message.owner, message->message.client)
                       ? Result<bool>(true)
                       : fail(Errc::forbidden, "another account sent this message: " +
                                                   allowed(caller, Role::admin).error().context);
        },
        [call, id = *id](Result<bool> owned) {
            if (owned) {
                cancel(call, id);
            } else {
                call.parts.loop.post(
                    [call, error = std::move(owned.error())] { answer_problem(call, error); });
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
    return NdjsonSubmit::begin(call.parts, std::move(call.bulk), std::move(call.caller),
                               call.request, std::move(call.responder));
}

}  // namespace smsrack::api
