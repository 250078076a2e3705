#include "src/api/calls.hpp"
#include "src/api/page.hpp"
#include "src/api/query.hpp"
#include "src/api/text.hpp"
#include "src/base/time_text.hpp"

#include <numeric>

namespace smsrack::api {
namespace {

void append_batch(wire::JsonWriter& json, const ports::BatchRow& batch) {
    json.member("batch", batch.name);
    json.member("created_at", time_text(batch.created_at));
    json.member("total", std::accumulate(batch.counts.begin(), batch.counts.end(), std::int64_t{}));
    append_state_counts(json, "messages", batch.counts);
    member_or_null(json, "paused_since", batch.paused_at);
    member_or_null(json, "cancelled_at", batch.cancelled_at);
    json.member("cancelling", batch.cancelling);
}

std::string body_of(const ports::BatchRow& batch) {
    return wire::json_object([&](wire::JsonWriter& json) { append_batch(json, batch); });
}

Error no_such(const std::string& name) {
    return {.code = Errc::not_found, .context = "no message has the batch " + valid_text(name)};
}

}  // namespace

void list_batches(Call call) {
    const auto page = page_params(call.request, {"limit", "cursor"});
    if (!page) {
        return answer_problem(call, page.error());
    }
    answer_from_store(
        call, [limit = page->limit, before = BatchId{page->after_id}](ports::StoreReader& reader) {
            return page_text("batches", reader.batches(before, limit + 1), {limit}, append_batch,
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
    const auto known = check_params(call.request, {"create"});
    const auto create = known ? flag_param(call.request, "create") : std::unexpected(known.error());
    if (!create) {
        return answer_problem(call, create.error());
    }
    if (*create && !intake::is_batch_label(call.argument)) {
        return answer_problem(
            call, {.code = Errc::bad_request, .context = "batch: not a label of a batch"});
    }
    auto answer = answer_of_rule<ports::BatchRow>(call, append_batch, 202);
    call.parts.control.post(
        ports::CancelBatch{.name = call.argument, .at = call.parts.clock.wall(), .create = *create},
        [has_fleet = call.parts.fleet != nullptr,
         answer = std::move(answer)](Result<ports::BatchRow> batch) mutable {
            if (!batch && batch.error().code == Errc::not_found && has_fleet) {
                batch.error().context +=
                    "; to cancel one that only other boxes know, say ?create=true (smsrack "
                    "batch cancel NAME --create)";
            }
            answer(std::move(batch));
        });
}

}  // namespace smsrack::api
