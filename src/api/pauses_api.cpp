#include "src/api/calls.hpp"
#include "src/api/text.hpp"
#include "src/wire/json_members.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace smsrack::api {
namespace {

using ports::PauseScope;

struct Wanted {
    PauseScope scope = PauseScope::rack;
    std::string name = {};
    bool create = false;  ///< a batch that no message has yet too
};

/// {}, {"group":"..."} or {"batch":"..."}; no body is {}. With a batch also "create".
Result<Wanted> wanted_of(const Call& call) {
    if (call.request.body.empty()) {
        return Wanted();
    }
    auto read = wire::read_into(
        Wanted(), call.request.body,
        [](Wanted& wanted, std::string_view name, wire::JsonScalar& value) -> Result<> {
            if (name == "create") {
                const auto* const create = std::get_if<bool>(&value);
                wanted.create = create != nullptr && *create;
                return create != nullptr ? Result<>()
                                         : fail(Errc::bad_request, "create: must be true or false");
            }
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
            wanted.scope = name == "group" ? PauseScope::group : PauseScope::batch;
            wanted.name = *text;
            return {};
        });
    if (read && read->create && read->scope != PauseScope::batch) {
        return fail(Errc::bad_request, "create: only with batch");
    }
    return read;
}

Error no_such_group(const Wanted& wanted, const Call& call) {
    return {.code = Errc::not_found,
            .context = "no modem is in the group " + valid_text(wanted.name) +
                       what_there_is(call.parts.intake.groups())};
}

bool is_group(const Wanted& wanted, const Call& call) {
    const auto& groups = call.parts.intake.groups();
    return std::ranges::find(groups, wanted.name) != groups.end();
}

/// One whose lines are all gone may still be paused.
bool is_paused_group(const Wanted& wanted, const Call& call) {
    return std::ranges::any_of(call.parts.rack.status().pauses, [&](const ports::Pause& pause) {
        return pause.scope == PauseScope::group && pause.name == wanted.name;
    });
}

/// The answer comes when it is durable.
void set_pause(const Call& call, const Wanted& wanted, bool paused) {
    call.parts.control.post(
        ports::SetPause{.scope = wanted.scope,
                        .name = wanted.name,
                        .paused = paused,
                        .at = call.parts.clock.wall()},
        answer_of_rule<bool>(call, [wanted, paused](wire::JsonWriter& json, bool changed) {
            json.member("scope",
                        ports::pause_scope_names.at(static_cast<std::size_t>(wanted.scope)));
            member_or_null(json, "name", wanted.name);
            json.member("paused", paused);
            json.member("changed", changed);
        }));
}

/// A misspelt batch would be paused, and the one that was meant would continue.
void set_pause_if_known(Call call, Wanted wanted, bool paused) {
    ports::Store& store = call.parts.store;
    auto question = [name = wanted.name](ports::StoreReader& reader) { return reader.batch(name); };
    store.ask(std::move(question), [call = std::move(call), wanted = std::move(wanted),
                                    paused](const Result<ports::BatchRow>& batch) {
        if (batch) {
            set_pause(call, wanted, paused);
            return;
        }
        Error error = batch.error();
        if (error.code == Errc::not_found) {
            error.context = "no message has the batch " + valid_text(wanted.name);
            if (paused) {
                error.context +=
                    "; to pause a batch before its first message, say \"create\": true (smsrack "
                    "pause --batch NAME --create)";
            }
        }
        call.parts.loop.post([call, error = std::move(error)] { answer_problem(call, error); });
    });
}

}  // namespace

void post_pause(Call call) {
    auto wanted = wanted_of(call);
    if (!wanted) {
        return answer_problem(call, wanted.error());
    }
    if (wanted->scope == PauseScope::group && !is_group(*wanted, call)) {
        return answer_problem(call, no_such_group(*wanted, call));
    }
    if (wanted->scope == PauseScope::batch && !intake::is_batch_label(wanted->name)) {
        return answer_problem(
            call, {.code = Errc::bad_request, .context = "batch: not a label of a batch"});
    }
    if (wanted->scope == PauseScope::batch && !wanted->create) {
        return set_pause_if_known(std::move(call), *std::move(wanted), true);
    }
    set_pause(call, *wanted, true);
}

void post_resume(Call call) {
    auto wanted = wanted_of(call);
    if (!wanted) {
        return answer_problem(call, wanted.error());
    }
    if (wanted->create) {
        return answer_problem(
            call, {.code = Errc::bad_request, .context = "create: only to pause a batch"});
    }
    if (wanted->scope == PauseScope::group && !is_group(*wanted, call) &&
        !is_paused_group(*wanted, call)) {
        return answer_problem(call, no_such_group(*wanted, call));
    }
    if (wanted->scope == PauseScope::batch) {
        return set_pause_if_known(std::move(call), *std::move(wanted), false);
    }
    set_pause(call, *wanted, false);
}

}  // namespace smsrack::api
