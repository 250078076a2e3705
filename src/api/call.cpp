#include "src/api/call.hpp"

#include "src/api/problem.hpp"

#include <utility>

namespace smsrack::api {

void answer_json(const Call& call, std::string body) {
    call.responder->send({.body = std::move(body)});
}

void answer_problem(const Call& call, const Error& error) {
    call.responder->send(problem(error));
}

void answer_from_store(const Call& call, Question question) {
    Executor& loop = call.parts.loop;
    call.parts.store.ask(
        [responder = call.responder,
         question = std::move(question)](ports::StoreReader& reader) mutable {
            // Asking and leaving must cost others little.
            return responder->closed() ? Result<std::string>() : question(reader);
        },
        [&loop, responder = call.responder](Result<std::string> answer) mutable {
            loop.post([responder = std::move(responder), answer = std::move(answer)]() mutable {
                if (answer) {
                    responder->send({.body = std::move(*answer)});
                } else {
                    responder->send(problem(answer.error()));
                }
            });
        });
}

}  // namespace smsrack::api
