#include "src/api/calls.hpp"
#include "src/api/cluster_json.hpp"
#include "src/api/query.hpp"
#include "src/api/text.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::api {
namespace {

using ports::BoxLife;

bool has_fleet(const Call& call) {
    if (call.parts.fleet == nullptr) {
        answer_problem(call, {.code = Errc::not_found,
                              .context = "this box is in no fleet: it has no [cluster]"});
    }
    return call.parts.fleet != nullptr;
}

/// The box of the path is one of the fleet, as far as is known.
bool has_box(const Call& call) {
    if (!has_fleet(call)) {
        return false;
    }
    const ports::FleetFacts facts = call.parts.fleet->facts();
    const bool known =
        facts.boxes.empty() || std::ranges::any_of(facts.boxes, [&](const ports::BoxSeen& box) {
            return box.row.name == call.argument;
        });
    if (!known) {
        answer_problem(
            call, {.code = Errc::not_found,
                   .context = "no box of the fleet has the name " + valid_text(call.argument)});
    }
    return known;
}

void append_life(wire::JsonWriter& json, std::string_view name, BoxLife life) {
    json.member("name", name);
    json.member("state", ports::box_life_names.at(static_cast<std::size_t>(life)));
}

void set_life(const Call& call, BoxLife life) {
    if (!has_box(call)) {
        return;
    }
    call.parts.fleet->set_life(
        call.argument, life, answer_on_loop<void>(call, [name = call.argument, life] {
            return wire::json_object(
                [&](wire::JsonWriter& json) { append_life(json, name, life); });
        }));
}

}  // namespace

void get_cluster(Call call) {
    answer_json(call, wire::json_object(
                          [&](wire::JsonWriter& json) { append_fleet(json, call.parts.fleet); }));
}

void list_boxes(Call call) {
    if (!has_fleet(call)) {
        return;
    }
    const ports::FleetFacts facts = call.parts.fleet->facts();
    answer_json(call, wire::json_object([&](wire::JsonWriter& json) {
                    json.objects("boxes", facts.boxes,
                                 [&](const ports::BoxSeen& box) { append_box(json, box, facts); });
                }));
}

void check_cluster(Call call) {
    if (!has_fleet(call)) {
        return;
    }
    call.parts.fleet->check(answer_on_loop<std::vector<ports::EngineFact>>(
        call, [](const std::vector<ports::EngineFact>& facts) {
            return wire::json_object([&](wire::JsonWriter& json) {
                json.member("good", std::ranges::all_of(facts, &ports::EngineFact::good));
                json.objects("facts", facts, [&](const ports::EngineFact& fact) {
                    json.member("name", fact.name);
                    json.member("value", valid_text(fact.value));
                    json.member("good", fact.good);
                    member_or_null(json, "advice", fact.advice);
                });
            });
        }));
}

void post_cluster_rebuild(Call call) {
    if (!has_fleet(call)) {
        return;
    }
    call.parts.fleet->rebuild(answer_on_loop<void>(call, [] {
        return wire::json_object([](wire::JsonWriter& json) { json.member("ordered", true); });
    }));
}

void post_box_drain(Call call) {
    set_life(call, BoxLife::draining);
}
void post_box_resume(Call call) {
    set_life(call, BoxLife::running);
}
void post_box_dead(Call call) {
    const auto known = check_params(call.request, {"unfenced"});
    const auto unfenced =
        known ? flag_param(call.request, "unfenced") : std::unexpected(known.error());
    if (!unfenced) {
        return answer_problem(call, unfenced.error());
    }
    if (!has_box(call)) {
        return;
    }
    call.parts.fleet->declare_dead(call.argument, *unfenced,
                                   answer_on_loop<bool>(call, [name = call.argument](bool fenced) {
                                       return wire::json_object([&](wire::JsonWriter& json) {
                                           append_life(json, name, BoxLife::dead);
                                           json.member("fenced", fenced);
                                       });
                                   }));
}
void post_box_leave(Call call) {
    set_life(call, BoxLife::left);
}

void post_box_upgrade(Call call) {
    auto order = upgrade_order_of(call.request);
    if (order && order->hash.empty()) {
        order = fail(Errc::bad_request, "hash: that of the program, which each box has by itself");
    }
    const auto known = check_params(call.request, {"again"});
    const auto again = known ? flag_param(call.request, "again") : std::unexpected(known.error());
    if (!order || !again) {
        return answer_problem(call, order ? again.error() : order.error());
    }
    if (!has_box(call)) {
        return;
    }
    call.parts.fleet->upgrade(
        call.argument, *std::move(order), *again, answer_on_loop<void>(call, [] {
            return wire::json_object([](wire::JsonWriter& json) { json.member("ordered", true); });
        }));
}

}  // namespace smsrack::api
