#include "src/api/opt_outs_api.hpp"

#include "src/api/page.hpp"
#include "src/api/problem.hpp"
#include "src/api/query.hpp"
#include "src/api/text.hpp"
#include "src/base/time_text.hpp"
#include "src/wire/json_members.hpp"

#include <utility>

namespace smsrack::api {
namespace {

void append_row(wire::JsonWriter& json, const ports::OptOutRow& row) {
    json.begin_object();
    json.member("number", row.number);
    json.member("since", time_text(row.at));
    member_or_null(json, "inbox", row.inbox.value == 0 ? std::string() : id_text(row.inbox));
    json.end_object();
}

/// {"number":"..."}
Result<std::string> number_of(const Call& call) {
    std::string number;
    auto read = wire::read_members(
        call.request.body, [&](std::string_view name, wire::JsonScalar& value) -> Result<> {
            auto* const text = std::get_if<std::string>(&value);
            if (name != "number" || text == nullptr) {
                return fail(Errc::bad_request, R"(the body is {"number":"..."})");
            }
            number = std::move(*text);
            return {};
        });
    if (!read) {
        return std::unexpected(std::move(read.error()));
    }
    return normalised_number(number, call.settings.plan);
}

std::string body_of(const std::string& number, bool opted_out, bool changed) {
    std::string body;
    wire::JsonWriter json(body);
    json.begin_object();
    json.member("number", number);
    json.member("opted_out", opted_out);
    json.member("changed", changed);
    json.end_object();
    return body;
}

ports::Done<bool> answer_when_kept(const Call& call, const std::string& number, bool opted_out) {
    return [&loop = call.parts.loop, responder = call.responder, number = std::string(number),
            opted_out](Result<bool> changed) mutable {
        loop.post([responder = std::move(responder), number = std::move(number), opted_out,
                   changed = std::move(changed)] {
            responder->send(changed
                                ? wire::HttpResponse{.body = body_of(number, opted_out, *changed)}
                                : problem(changed.error()));
        });
    };
}

}  // namespace

void list_opt_outs(Call call) {
    const auto known = check_params(call.request, {"limit", "cursor"});
    const auto limit = limit_param(call.request);
    for (const Error* error :
         {known ? nullptr : &known.error(), limit ? nullptr : &limit.error()}) {
        if (error != nullptr) {
            answer_problem(call, *error);
            return;
        }
    }
    answer_from_store(
        call, [limit = *limit, after = std::string(param(call.request, "cursor").value_or(""))](
                  ports::StoreReader& reader) {
            return page_text("optouts", reader.opt_outs(after, limit + 1), limit, append_row,
                             [](const ports::OptOutRow& last) { return last.number; });
        });
}

void post_opt_out(Call call) {
    const auto number = number_of(call);
    if (!number) {
        answer_problem(call, number.error());
        return;
    }
    call.parts.control.post(ports::OptOut{.number = *number, .at = call.parts.clock.wall()},
                            answer_when_kept(call, *number, true));
}

void delete_opt_out(Call call) {
    const auto number = normalised_number(call.argument, call.settings.plan);
    if (!number) {
        answer_problem(call, number.error());
        return;
    }
    call.parts.control.post(ports::OptIn{.number = *number},
                            answer_when_kept(call, *number, false));
}

}  // namespace smsrack::api
