#include "src/api/calls.hpp"
#include "src/api/submit/submit_reader.hpp"
#include "src/api/text.hpp"

#include <utility>

namespace smsrack::api {
namespace {

/// What stays as it is decides how the new content is checked.
void add_kept(intake::SubmitRequest& request, const ports::MessageRow& row) {
    request.to = row.to;
    request.priority = row.level;
    request.ports = row.body.ports;
    request.elements = row.body.elements;
    if (row.body.pid != 0) {
        request.pid = row.body.pid;
    }
    if (row.body.message_class) {
        request.message_class = *row.body.message_class;
    }
}

/// Errors:  not_found, forbidden: the caller may not change it.
Result<ports::MessageDetail> own_message(ports::StoreReader& reader, MessageId id,
                                         const Caller& caller) {
    auto message = seen_message(reader, id, caller);
    if (message && !caller.may(Role::admin) &&
        !caller.owns(message->message.owner, message->message.client)) {
        return fail(Errc::forbidden, "another account sent this message: " +
                                         allowed(caller, Role::admin).error().context);
    }
    return message;
}

void replace(const Call& call, MessageId id, const intake::SubmitRequest& request) {
    auto replacement = call.parts.intake.replacement(request, id);
    if (!replacement) {
        return answer_problem(call, replacement.error());
    }
    call.parts.store.post(
        *std::move(replacement),
        answer_on_loop<ports::Accepted>(call, [](const ports::Accepted& replaced) {
            return wire::json_object([&](wire::JsonWriter& json) {
                json.member("id", id_text(replaced.id));
                json.member("state", message_state_name(replaced.state));
                json.member("segments", replaced.segments);
            });
        }));
}

}  // namespace

/// Whose a message is and what of it stays never change, so it may be looked at first; whether it
/// was begun is for the store to say.
void replace_message(Call call) {
    auto request = read_replacement(call.request.body);
    if (!request) {
        return answer_problem(call, request.error());
    }
    const auto id = id_of(call);
    if (!id) {
        return answer_problem(call, id.error());
    }
    call.parts.store.ask(
        [id = *id, caller = call.caller, request = *std::move(request)](
            ports::StoreReader& reader) mutable -> Result<intake::SubmitRequest> {
            const auto message = own_message(reader, id, caller);
            if (!message) {
                return std::unexpected(message.error());
            }
            add_kept(request, message->message);
            return request;
        },
        [call, id = *id](Result<intake::SubmitRequest> asked) {
            call.parts.loop.post([call, id, asked = std::move(asked)] {
                if (asked) {
                    replace(call, id, *asked);
                } else {
                    answer_problem(call, asked.error());
                }
            });
        });
}

}  // namespace smsrack::api
