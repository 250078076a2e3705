#include "src/api/call.hpp"

#include "src/api/problem.hpp"
#include "src/api/query.hpp"

namespace smsrack::api {
namespace {

constexpr const char* no_such_message = "no message has this id";

}  // namespace

void answer_json(wire::Responder& responder, Result<std::string> body, int status) {
    responder.send(body ? wire::HttpResponse{.status = status, .body = *std::move(body)}
                        : problem(body.error()));
}

void answer_json(const Call& call, Result<std::string> body, int status) {
    answer_json(*call.responder, std::move(body), status);
}

void answer_problem(const Call& call, const Error& error) {
    call.responder->send(problem(error));
}

void answer_from_store(const Call& call, Question question) {
    call.parts.store.ask(
        [responder = call.responder,
         question = std::move(question)](ports::StoreReader& reader) mutable {
            // Asking and leaving must cost others little.
            return responder->closed() ? Result<std::string>() : question(reader);
        },
        answer_on_loop<std::string>(call, [](std::string& body) { return std::move(body); }));
}

Result<MessageId> id_of(const Call& call) {
    const auto number = positive_number(call.argument);
    if (!number) {
        return fail(Errc::not_found, no_such_message);
    }
    return MessageId{*number};
}

Result<ports::MessageDetail> seen_message(ports::StoreReader& reader, MessageId id,
                                          const Caller& caller) {
    auto detail = reader.message(id);
    if (detail && !caller.sees(detail->message.owner, detail->message.client)) {
        return fail(Errc::not_found, no_such_message);
    }
    return detail;
}

void answer_of_message(const Call& call, MessageQuestion question) {
    const auto id = id_of(call);
    if (!id) {
        return answer_problem(call, id.error());
    }
    answer_from_store(call,
                      [id = *id, caller = call.caller, question = std::move(question)](
                          ports::StoreReader& reader) mutable -> Result<std::string> {
                          const auto message = seen_message(reader, id, caller);
                          return message ? question(reader, *message)
                                         : std::unexpected(message.error());
                      });
}

}  // namespace smsrack::api
