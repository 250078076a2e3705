/// One request on its way through the API, and the ways to answer it.
///
/// Threads: loop thread. `parts` and `settings` live as long as the Api, so jobs elsewhere may keep references to them.
#pragma once

#include "src/api/api.hpp"
#include "src/api/page_size.hpp"
#include "src/base/result.hpp"
#include "src/ports/command.hpp"
#include "src/ports/store_reader.hpp"
#include "src/sms/fleet_stage.hpp"
#include "src/wire/http_message.hpp"
#include "src/wire/json_writer.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace smsrack::api {

class BulkWindow;
class SmppBoard;
class Submitter;
class TriggerFeeds;

struct Call {
    const ApiParts& parts;
    const ApiSettings& settings;
    SteadyTime started_at = {};  ///< of the service
    Submitter& submitter;
    std::shared_ptr<BulkWindow> bulk;
    TriggerFeeds& feeds;
    SmppBoard& smpp;
    Caller caller;
    wire::HttpRequest request;
    wire::ResponderPtr responder;
    std::string argument = {};  ///< the value of {…} in the path
    PageBound page_bound = {};  ///< of a list
};

/// Sends `body` as JSON, or the problem.
void answer_json(wire::Responder& responder, Result<std::string> body, int status = 200);
void answer_json(const Call& call, Result<std::string> body, int status = 200);
void answer_problem(const Call& call, const Error& error);

/// A completion that may be called on any thread and answers on the loop's: with the JSON that
/// `body(value)` makes of a success, or with the problem.
template <typename T, typename Body>
[[nodiscard]] ports::Done<T> answer_on_loop(const Call& call, Body body, int status = 200) {
    return [&loop = call.parts.loop, responder = call.responder, body = std::move(body),
            status](Result<T> result) mutable {
        loop.post([responder = std::move(responder), body = std::move(body), status,
                   result = std::move(result)]() mutable {
            Result<std::string> json;
            if (!result) {
                json = std::unexpected(std::move(result.error()));
            } else if constexpr (std::is_void_v<T>) {
                json = body();
            } else {
                json = body(*result);
            }
            answer_json(*responder, std::move(json), status);
        });
    };
}

/// The same of an order that all boxes of a fleet obey: its answer comes when the engine has it, or not in time, and says which
/// as `kept`. `members(json, value)` writes the rest.
template <typename T, typename Members>
[[nodiscard]] ports::Done<T> answer_of_rule(const Call& call, Members members, int status = 200) {
    using Answered = std::pair<T, std::optional<Kept>>;
    auto answer = answer_on_loop<Answered>(
        call,
        [members = std::move(members)](const Answered& answered) {
            return wire::json_object([&](wire::JsonWriter& json) {
                members(json, answered.first);
                if (answered.second) {
                    json.member("kept", kept_names.at(static_cast<std::size_t>(*answered.second)));
                }
            });
        },
        status);
    return [fleet = call.parts.fleet, answer = std::move(answer)](Result<T> kept_here) mutable {
        if (!kept_here) {
            return answer(std::unexpected(std::move(kept_here.error())));
        }
        if (fleet == nullptr) {
            return answer(Answered(*std::move(kept_here), std::nullopt));
        }
        fleet->follow_rules([answer = std::move(answer),
                             value = *std::move(kept_here)](const Result<Kept>& kept) mutable {
            answer(Answered(std::move(value), kept.value_or(Kept::here)));
        });
    };
}

/// Runs `question` with a read connection on the store's pool; its JSON, or its error, is the
/// answer.
using Question = std::move_only_function<Result<std::string>(ports::StoreReader&)>;
void answer_from_store(const Call& call, Question question);

/// The id in a path.
/// Errors:  not_found: no number, so no message has it.
[[nodiscard]] Result<MessageId> id_of(const Call& call);

/// The same of the message whose id is in the path, for a caller that may see it.
using MessageQuestion =
    std::move_only_function<Result<std::string>(ports::StoreReader&, const ports::MessageDetail&)>;
void answer_of_message(const Call& call, MessageQuestion question);

/// The message of an id, for a caller that may see it.
/// Errors:  not_found: also if the caller may not see that message, so that callers can't learn
///          which ids exist.
[[nodiscard]] Result<ports::MessageDetail> seen_message(ports::StoreReader& reader, MessageId id,
                                                        const Caller& caller);

}  // namespace smsrack::api
