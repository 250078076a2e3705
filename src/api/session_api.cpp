// GET /v1/session: who calls. A browser's login is of the gate; it passes on the token with which the login began.
#include "src/api/calls.hpp"
#include "src/wire/json_writer.hpp"

namespace smsrack::api {

void get_session(Call call) {
    const Caller& caller = call.caller;
    const auto body = wire::json_object([&](wire::JsonWriter& json) {
        json.member("name", caller.is_remote() ? caller.clients.front() : caller.name);
        json.member("role", role_name(caller.role));
        json.member("masked", caller.masked);
        json.member("remote", caller.is_remote());
    });
    answer_json(call, body);
}

}  // namespace smsrack::api
