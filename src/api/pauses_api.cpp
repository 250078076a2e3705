#include "src/api/pauses_api.hpp"

#include "src/api/problem.hpp"
#include "src/api/text.hpp"
#include "src/wire/json_members.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace smsrack::api {
namespace {

using ports::PauseScope;

struct Wanted {
    PauseScope scope = PauseScope::rack;
    std::string name = {};
};

/// {}, {"group":"..."} or {"batch":"..."}; no body is {}.
Result<Wanted> wanted_of(const Call& call) {
    Wanted wanted;
    if (call.request.body.empty()) {
        return wanted;
    }
    auto read = wire::read_members(
        call.request.body, [&](std::string_view name, wire::JsonScalar& value) -> Result<> {
            const auto* const text = std::get_if<std::string>(&value);
            if (name != "group" && name != "batch") {
                return fail(Errc::bad_request, "unknown member: " + std::string(name));
            }
            if (text == nullptr || text->empty()) {
                return fail(Errc::bad_request, std::string(name) + ": must be a name");
            }
            if (wanted.scope != PauseScope::rack) {
                return fail(Errc::bad_request, "group and batch: only one of them");
            }
            wanted = {.scope = name == "group" ? PauseScope::group : PauseScope::batch,
                      .name = *text};
            return {};
        });
    if (!read) {
        return std::unexpected(std::move(read.error()));
    }
    return wanted;
}

Result<> check(const Wanted& wanted, const Call& call) {
    const auto& groups = call.parts.intake.groups();
    if (wanted.scope == PauseScope::group &&
        std::ranges::find(groups, wanted.name) == groups.end()) {
        return fail(Errc::not_found,
                    "no line is in the group " + valid_text(wanted.name) + what_there_is(groups));
    }
    if (wanted.scope == PauseScope::batch && !intake::is_batch_label(wanted.name)) {
        return fail(Errc::bad_request, "batch: not a label of a batch");
    }
    return {};
}

std::string body_of(const Wanted& wanted, bool paused, bool changed) {
    std::string body;
    wire::JsonWriter json(body);
    json.begin_object();
    json.member("scope", ports::pause_scope_names.at(static_cast<std::size_t>(wanted.scope)));
    member_or_null(json, "name", wanted.name);
    json.member("paused", paused);
    json.member("changed", changed);
    json.end_object();
    return body;
}

/// The answer comes when it is durable.
ports::Done<bool> answer_when_kept(const Call& call, const Wanted& wanted, bool paused) {
    return [&loop = call.parts.loop, responder = call.responder, wanted = Wanted(wanted),
            paused](Result<bool> changed) mutable {
        loop.post([responder = std::move(responder), wanted = std::move(wanted), paused,
                   changed = std::move(changed)] {
            responder->send(changed ? wire::HttpResponse{.body = body_of(wanted, paused, *changed)}
                                    : problem(changed.error()));
        });
    };
}

}  // namespace

void post_pause(Call call) {
    const auto wanted = wanted_of(call);
    const auto may = wanted ? check(*wanted, call) : std::unexpected(wanted.error());
    if (!may) {
        answer_problem(call, may.error());
        return;
    }
    call.parts.control.pause(wanted->scope, wanted->name, call.parts.clock.wall(),
                             answer_when_kept(call, *wanted, true));
}

/// A group that has no line any more may still be resumed.
void post_resume(Call call) {
    const auto wanted = wanted_of(call);
    if (!wanted) {
        answer_problem(call, wanted.error());
        return;
    }
    call.parts.control.resume(wanted->scope, wanted->name, call.parts.clock.wall(),
                              answer_when_kept(call, *wanted, false));
}

}  // namespace smsrack::api
