#include "src/api/calls.hpp"
#include "src/api/problem.hpp"
#include "src/api/text.hpp"
#include "src/wire/json_members.hpp"
#include "src/wire/json_writer.hpp"

#include <string>
#include <utility>

namespace smsrack::api {
namespace {

using ports::ReloadReport;
using ports::UpgradeOrder;
using ports::UpgradeReport;

Error not_here() {
    return {.code = Errc::conflict, .context = "this program can't be upgraded or reloaded"};
}

std::string body_of(const UpgradeReport& report) {
    return wire::json_object([&](wire::JsonWriter& json) {
        json.member("from", report.from);
        json.member("to", report.to);
        json.member("pid", report.pid);
        json.member("lines", report.lines);
        json.member("lines_anew", report.lines_anew);
        json.member("in_hand", report.in_hand);
        json.member("clients", report.clients);
        json.member("pause_ms", report.pause.count());
    });
}

std::string body_of(const ReloadReport& report) {
    return wire::json_object([&](wire::JsonWriter& json) {
        append_texts(json, "applied", report.applied);
        append_texts(json, "needs_restart", report.needs_restart);
    });
}

template <typename Report>
void answer(wire::Responder& responder, const Result<Report>& report) {
    answer_json(responder,
                report ? Result<std::string>(body_of(*report)) : std::unexpected(report.error()));
}

template <typename Report>
void answer(wire::Responder& responder, const std::optional<Result<Report>>& outcome) {
    answer(responder,
           outcome ? *outcome : fail(Errc::internal, "the outcome of the order is unknown"));
}

}  // namespace

Result<UpgradeOrder> upgrade_order_of(const wire::HttpRequest& request) {
    auto read = wire::read_into(
        UpgradeOrder(), request.body,
        [](UpgradeOrder& order, std::string_view name, wire::JsonScalar& value) -> Result<> {
            if (auto* const binary = std::get_if<std::string>(&value);
                name == "binary" && binary != nullptr) {
                order.binary = std::move(*binary);
                return {};
            }
            if (auto* const hash = std::get_if<std::string>(&value);
                name == "hash" && hash != nullptr) {
                order.hash = std::move(*hash);
                return {};
            }
            if (const auto* const agreed = std::get_if<bool>(&value);
                name == "yes" && agreed != nullptr) {
                order.agreed = *agreed;
                return {};
            }
            return fail(Errc::bad_request, std::string(name) +
                                               ": the body is {\"binary\":\"/PATH\"}, "
                                               "\"hash\":\"HASH\" to mean one file alone, and "
                                               "\"yes\":true to agree to a migration");
        });
    if (read && !read->binary.starts_with('/')) {
        return fail(Errc::bad_request, "binary: the absolute path of the program to hand over to");
    }
    return read;
}

void post_upgrade(Call call) {
    auto order = upgrade_order_of(call.request);
    if (!order || call.parts.upkeep == nullptr) {
        return answer_problem(call, order ? not_here() : order.error());
    }
    call.responder->resumable([] { return std::string(upgrade_mark); });
    call.parts.upkeep->upgrade(std::move(*order), [responder = call.responder](const Error& error) {
        responder->send(problem(error));
    });
}

void post_reload(Call call) {
    if (call.parts.upkeep == nullptr) {
        return answer_problem(call, not_here());
    }
    call.responder->resumable([] { return std::string(reload_mark); });
    call.parts.upkeep->reload([responder = call.responder](const Result<ReloadReport>& report) {
        answer(*responder, report);
    });
}

void resume_upgrade(const ApiParts& parts, wire::Responder& responder) {
    answer(responder, parts.upkeep == nullptr ? std::nullopt : parts.upkeep->outcome().upgrade);
}

void resume_reload(const ApiParts& parts, wire::Responder& responder) {
    answer(responder, parts.upkeep == nullptr ? std::nullopt : parts.upkeep->outcome().reload);
}

}  // namespace smsrack::api
