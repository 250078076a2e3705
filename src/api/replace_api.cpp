#include "src/api/calls.hpp"
#include "src/api/problem.hpp"
#include "src/api/submit/submit_reader.hpp"
#include "src/api/submit/submitter.hpp"
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

/// A replacement that may be made, and whose message it is.
struct Asked {
    intake::SubmitRequest request;
    Sender sender;
};

wire::HttpResponse answer_of(const Result<ports::Accepted>& replaced) {
    if (!replaced) {
        return problem(replaced.error());
    }
    wire::HttpResponse response;
    wire::JsonWriter json(response.body);
    append_accepted(json, *replaced);
    return response;
}

/// A refusal by a rule counts as that of a new message.
void answer(const Call& call, const Sender& sender, const Result<ports::Accepted>& replaced) {
    if (!replaced && !rules::rule_of(replaced.error()).empty()) {
        count_refusal(call.parts, sender, replaced.error());
    }
    call.responder->send(answer_of(replaced));
}

void replace(const Call& call, MessageId id, Asked asked) {
    auto replacement = call.parts.intake.replacement(asked.request, id);
    if (!replacement) {
        return answer(call, asked.sender, std::unexpected(std::move(replacement.error())));
    }
    call.parts.store.post(*std::move(replacement), [call, sender = std::move(asked.sender)](
                                                       Result<ports::Accepted> replaced) {
        call.parts.loop.post(
            [call, sender, replaced = std::move(replaced)] { answer(call, sender, replaced); });
    });
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
        [id = *id, caller = call.caller,
         request = *std::move(request)](ports::StoreReader& reader) mutable -> Result<Asked> {
            const auto message = own_message(reader, id, caller);
            if (!message) {
                return std::unexpected(message.error());
            }
            add_kept(request, message->message);
            return Asked{.request = std::move(request), .sender = Sender(message->message)};
        },
        [call, id = *id](Result<Asked> asked) {
            call.parts.loop.post([call, id, asked = std::move(asked)]() mutable {
                if (asked) {
                    replace(call, id, *std::move(asked));
                } else {
                    answer_problem(call, asked.error());
                }
            });
        });
}

}  // namespace smsrack::api
