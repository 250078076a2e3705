#include "src/api/batches_api.hpp"

#include "src/api/page.hpp"
#include "src/api/problem.hpp"
#include "src/api/query.hpp"
#include "src/api/text.hpp"
#include "src/base/time_text.hpp"

#include <numeric>
#include <utility>

namespace smsrack::api {
namespace {

void append_batch(wire::JsonWriter& json, const ports::BatchRow& batch) {
    json.begin_object();
    json.member("batch", batch.name);
    json.member("created_at", time_text(batch.created_at));
    json.member("total", std::accumulate(batch.counts.begin(), batch.counts.end(), std::int64_t{}));
    json.key("messages");
    json.begin_object();
    for (std::size_t i = 0; i < message_state_count; ++i) {
        json.member(message_state_names.at(i), batch.counts.at(i));
    }
    json.end_object();
    member_or_null(json, "paused_since", batch.paused_at ? time_text(*batch.paused_at) : "");
    member_or_null(json, "cancelled_at", batch.cancelled_at ? time_text(*batch.cancelled_at) : "");
    json.member("cancelling", batch.cancelling);
    json.end_object();
}

std::string body_of(const ports::BatchRow& batch) {
    std::string body;
    wire::JsonWriter json(body);
    append_batch(json, batch);
    return body;
}

Error no_such(const std::string& name) {
    return {.code = Errc::not_found, .context = "no message has the batch " + valid_text(name)};
}

}  // namespace

void list_batches(Call call) {
    const auto known = check_params(call.request, {"limit", "cursor"});
    const auto limit = limit_param(call.request);
    const auto cursor = cursor_param(call.request);
    for (const Error* error : {known ? nullptr : &known.error(), limit ? nullptr : &limit.error(),
                               cursor ? nullptr : &cursor.error()}) {
        if (error != nullptr) {
            answer_problem(call, *error);
            return;
        }
    }
    answer_from_store(
        call, [limit = *limit, before = BatchId{*cursor}](ports::StoreReader& reader) {
            return page_text("batches", reader.batches(before, limit + 1), limit, append_batch,
                             [](const ports::BatchRow& last) { return id_text(last.id); });
        });
}

void get_batch(Call call) {
    answer_from_store(
        call, [name = call.argument](ports::StoreReader& reader) -> Result<std::string> {
            const auto batch = reader.batch(name);
            if (!batch) {
                return std::unexpected(batch.error().code == Errc::not_found ? no_such(name)
                                                                             : batch.error());
            }
            return body_of(*batch);
        });
}

/// From the answer on none of its messages is begun; the rows follow in small steps, which
/// `cancelling` counts.
void cancel_batch(Call call) {
    Executor& loop = call.parts.loop;
    call.parts.control.post(
        ports::CancelBatch{.name = call.argument, .at = call.parts.clock.wall()},
        [&loop, responder = call.responder](Result<ports::BatchRow> batch) mutable {
            loop.post([responder = std::move(responder), batch = std::move(batch)] {
                responder->send(batch ? wire::HttpResponse{.status = 202, .body = body_of(*batch)}
                                      : problem(batch.error()));
            });
        });
}

}  // namespace smsrack::api
