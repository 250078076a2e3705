/// One request on its way through the API, and the ways to answer it.
///
/// Threads: loop thread. `parts` and `settings` live as long as the Api, so jobs elsewhere may keep references to them.
#pragma once

#include "src/api/api.hpp"
#include "src/base/result.hpp"
#include "src/ports/store_reader.hpp"
#include "src/wire/http_message.hpp"

#include <functional>
#include <string>

namespace smsrack::api {

class Submitter;
class TriggerFeeds;

struct Call {
    const ApiParts& parts;
    const ApiSettings& settings;
    SteadyTime started_at = {};  ///< of the service
    Submitter& submitter;
    TriggerFeeds& feeds;
    Caller caller;
    wire::HttpRequest request;
    wire::ResponderPtr responder;
    std::string argument = {};  ///< the value of {…} in the path
};

void answer_json(const Call& call, std::string body);
void answer_problem(const Call& call, const Error& error);

/// Runs `question` with a read connection on the store's pool; its JSON, or its error, is the
/// answer.
using Question = std::move_only_function<Result<std::string>(ports::StoreReader&)>;
void answer_from_store(const Call& call, Question question);

}  // namespace smsrack::api
