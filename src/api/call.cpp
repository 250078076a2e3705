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
    call.parts.store.read([&loop, responder = call.responder,
                           question = std::move(question)](ports::StoreReader& reader) mutable {
        if (responder->closed()) {
            return;  // asking and leaving shall cost others little
        }
        Result<std::string> answer = question(reader);
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
