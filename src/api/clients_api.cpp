#include "src/api/calls.hpp"
#include "src/api/page.hpp"
#include "src/api/query.hpp"
#include "src/api/text.hpp"
#include "src/base/time_text.hpp"
#include "src/wire/json_members.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::api {
namespace {

using notify::FrontEnds;
using ports::ClientRow;

void append_client(wire::JsonWriter& json, const ClientRow& row, const FrontEnds::Seen& seen) {
    json.member("name", row.name);
    json.member("link", client_link_name(seen.link));
    member_or_null(json, "link_since", seen.since);
    member_or_null(json, "heard_at", seen.heard_at);
    json.member("manual", client_gate_name(row.blocked_at ? ports::ClientGate::blocked
                                                          : ports::ClientGate::open));
    member_or_null(json, "blocked_since", row.blocked_at);
    json.member("waiting", row.waiting);
    json.member("buffered", row.buffered);
    json.member("lost", row.lost);
    json.member("acknowledged", id_text(row.cursor));
    json.member("created_at", time_text(row.created_at));
    json.member("seen_at", time_text(row.seen_at));
}

/// Three months of one rule, in some 15 KiB.
constexpr std::size_t refusals_listed_max = 100;
constexpr std::size_t day_length = 10;  // of "2026-11-28T01:02:03Z"

struct ClientWithRefusals {
    ClientRow row = {};
    std::vector<ports::RefusalCount> refusals = {};  // newest day first
};

Result<ClientWithRefusals> read_with_refusals(ports::StoreReader& reader, const std::string& name) {
    auto row = reader.client(name);
    if (!row) {
        return std::unexpected(std::move(row.error()));
    }
    auto refusals = reader.refusals(name, refusals_listed_max);
    if (!refusals) {
        return std::unexpected(std::move(refusals.error()));
    }
    return ClientWithRefusals{.row = *std::move(row), .refusals = *std::move(refusals)};
}

void append_refusal(wire::JsonWriter& json, const ports::RefusalCount& refusal) {
    json.object([&] {
        json.member("day", time_text(refusal.first_at).substr(0, day_length));
        json.member("rule", refusal.rule);
        json.member("count", refusal.count);
        json.member("first_at", time_text(refusal.first_at));
        json.member("last_at", time_text(refusal.last_at));
    });
}

std::string body_of(const ClientRow& row, const FrontEnds::Seen& seen) {
    return wire::json_object([&](wire::JsonWriter& json) { append_client(json, row, seen); });
}

/// The listener is the loop's, the rows are the store's: connections are looked up when the row is
/// there.
ports::Done<ClientRow> answer_with_link(const Call& call) {
    return answer_on_loop<ClientRow>(call, [&parts = call.parts](const ClientRow& row) {
        return body_of(row, parts.front_ends.seen(row.name));
    });
}

/// {"id":"4711"}, or the number itself.
Result<EventSeq> taken_of(const Call& call) {
    const auto id = wire::read_into(
        std::optional<std::int64_t>(), call.request.body,
        [](auto& taken, std::string_view name, wire::JsonScalar& value) -> Result<> {
            if (name != "id") {
                return fail(Errc::bad_request, "unknown member: " + std::string(name));
            }
            if (const auto* const number = std::get_if<std::int64_t>(&value)) {
                taken = *number;
            } else if (const auto* const text = std::get_if<std::string>(&value)) {
                taken = positive_number(*text);
            }
            return {};
        });
    if (!id) {
        return std::unexpected(id.error());
    }
    if (*id <= 0) {  // nullopt too
        return fail(Errc::bad_request, "id: must be the id of an event");
    }
    return EventSeq{**id};
}

/// Its cursor moves by its own account alone. False, and answered: it is another account's.
bool is_own(const Call& call) {
    const auto may = may_use_client(call.caller, call.argument);
    if (!may) {
        answer_problem(call, may.error());
    }
    return may.has_value();
}

bool may_see(const Call& call) {
    return call.caller.may(Role::read) || is_own(call);
}

void gate(const Call& call, ports::ClientGateOrder order) {
    if (!ports::is_client_name(call.argument)) {
        return answer_problem(
            call, {.code = Errc::bad_request, .context = "no client can have this name"});
    }
    call.parts.clients.post(
        ports::GateClient{.name = call.argument, .order = order, .at = call.parts.clock.wall()},
        answer_with_link(call));
}

}  // namespace

void list_clients(Call call) {
    const auto page = page_params(call.request, {"limit", "cursor"}, CursorKind::name);
    if (!page) {
        return answer_problem(call, page.error());
    }
    call.parts.store.ask(
        [page = *page](ports::StoreReader& reader) {
            return reader.clients(page.after_name, page.limit + 1);
        },
        answer_on_loop<std::vector<ClientRow>>(
            call, [&parts = call.parts, limit = page->limit](std::vector<ClientRow>& rows) {
                return page_text(
                    "clients", Result<std::vector<ClientRow>>(std::move(rows)), {limit},
                    [&](wire::JsonWriter& json, const ClientRow& row) {
                        append_client(json, row, parts.front_ends.seen(row.name));
                    },
                    [](const ClientRow& last) { return last.name; });
            }));
}

void get_client(Call call) {
    if (may_see(call)) {
        call.parts.store.ask(
            [name = call.argument](ports::StoreReader& reader) {
                return read_with_refusals(reader, name);
            },
            answer_on_loop<ClientWithRefusals>(
                call, [&parts = call.parts](const ClientWithRefusals& client) {
                    return wire::json_object([&](wire::JsonWriter& json) {
                        append_client(json, client.row, parts.front_ends.seen(client.row.name));
                        json.array("refusals", client.refusals,
                                   [&](const auto& refusal) { append_refusal(json, refusal); });
                    });
                }));
    }
}

void post_client_ack(Call call) {
    if (!is_own(call)) {
        return;
    }
    const auto id = taken_of(call);
    if (!id) {
        return answer_problem(call, id.error());
    }
    call.parts.front_ends.heard(call.argument);
    call.parts.clients.post(
        ports::AcknowledgeEvents{
            .name = call.argument, .taken = *id, .at = call.parts.clock.wall()},
        answer_with_link(call));
}

void post_client_heartbeat(Call call) {
    if (!is_own(call)) {
        return;
    }
    call.parts.front_ends.heard(call.argument);
    get_client(std::move(call));
}

void post_client_block(Call call) {
    gate(call, ports::ClientGateOrder::block);
}

void post_client_open(Call call) {
    gate(call, ports::ClientGateOrder::open);
}

void forget_client(Call call) {
    call.parts.clients.post(
        ports::ForgetClient{.name = call.argument, .at = call.parts.clock.wall()},
        answer_on_loop<ClientRow>(call, [&parts = call.parts](const ClientRow& row) {
            parts.front_ends.forgotten(row.name);
            return body_of(row, {});
        }));
}

}  // namespace smsrack::api
