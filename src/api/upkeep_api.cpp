#include "src/api/upkeep_api.hpp"

#include "src/api/problem.hpp"
#include "src/api/text.hpp"
#include "src/wire/json_members.hpp"
#include "src/wire/json_writer.hpp"

#include <string>
#include <utility>
#include <vector>

namespace smsrack::api {
namespace {

using ports::ReloadReport;
using ports::UpgradeOrder;
using ports::UpgradeReport;

Error not_here() {
    return {.code = Errc::conflict, .context = "this program can't be upgraded or reloaded"};
}

Result<UpgradeOrder> order_of(const wire::HttpRequest& request) {
    UpgradeOrder order;
    auto read = wire::read_members(
        request.body, [&](std::string_view name, wire::JsonScalar& value) -> Result<> {
            if (auto* const binary = std::get_if<std::string>(&value);
                name == "binary" && binary != nullptr) {
                order.binary = std::move(*binary);
                return {};
            }
            if (const auto* const agreed = std::get_if<bool>(&value);
                name == "yes" && agreed != nullptr) {
                order.agreed = *agreed;
                return {};
            }
            return fail(Errc::bad_request, std::string(name) +
                                               ": the body is {\"binary\":\"/PATH\"}, and "
                                               "\"yes\":true to agree to a migration");
        });
    if (!read) {
        return std::unexpected(std::move(read.error()));
    }
    if (!order.binary.starts_with('/')) {
        return fail(Errc::bad_request, "binary: the absolute path of the program to hand over to");
    }
    return order;
}

std::string body_of(const UpgradeReport& report) {
    std::string body;
    wire::JsonWriter json(body);
    json.begin_object();
    json.member("from", report.from);
    json.member("to", report.to);
    json.member("pid", std::int64_t{report.pid});
    json.member("lines", static_cast<std::int64_t>(report.lines));
    json.member("lines_anew", static_cast<std::int64_t>(report.lines_anew));
    json.member("in_hand", static_cast<std::int64_t>(report.in_hand));
    json.member("clients", static_cast<std::int64_t>(report.clients));
    json.member("pause_ms", static_cast<std::int64_t>(report.pause.count()));
    json.end_object();
    return body;
}

void append_list(wire::JsonWriter& json, std::string_view key,
                 const std::vector<std::string>& items) {
    json.key(key);
    json.begin_array();
    for (const std::string& item : items) {
        json.value(valid_text(item));
    }
    json.end_array();
}

std::string body_of(const ReloadReport& report) {
    std::string body;
    wire::JsonWriter json(body);
    json.begin_object();
    append_list(json, "applied", report.applied);
    append_list(json, "needs_restart", report.needs_restart);
    json.end_object();
    return body;
}

template <typename Report>
void answer(const std::optional<Result<Report>>& outcome, const wire::ResponderPtr& responder) {
    if (!outcome) {
        responder->send(
            problem({.code = Errc::internal, .context = "the outcome of the order is unknown"}));
    } else if (*outcome) {
        responder->send({.body = body_of(**outcome)});
    } else {
        responder->send(problem(outcome->error()));
    }
}

}  // namespace

void post_upgrade(Call call) {
    auto order = order_of(call.request);
    if (!order || call.parts.upkeep == nullptr) {
        answer_problem(call, order ? not_here() : order.error());
        return;
    }
    call.responder->resumable([] { return std::string(upgrade_mark); });
    call.parts.upkeep->upgrade(std::move(*order), [responder = call.responder](const Error& error) {
        responder->send(problem(error));
    });
}

void post_reload(Call call) {
    if (call.parts.upkeep == nullptr) {
        answer_problem(call, not_here());
        return;
    }
    call.responder->resumable([] { return std::string(reload_mark); });
    call.parts.upkeep->reload([responder = call.responder](const Result<ReloadReport>& report) {
        responder->send(report ? wire::HttpResponse{.body = body_of(*report)}
                               : problem(report.error()));
    });
}

void resume_upgrade(const ApiParts& parts, const wire::ResponderPtr& responder) {
    answer(parts.upkeep == nullptr ? std::nullopt : parts.upkeep->outcome().upgrade, responder);
}

void resume_reload(const ApiParts& parts, const wire::ResponderPtr& responder) {
    answer(parts.upkeep == nullptr ? std::nullopt : parts.upkeep->outcome().reload, responder);
}

}  // namespace smsrack::api
