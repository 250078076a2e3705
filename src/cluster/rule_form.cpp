#include "src/cluster/rule_form.hpp"

#include "src/cluster/shared_hash.hpp"
#include "src/wire/json.hpp"
#include "src/wire/json_writer.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>

namespace smsrack::cluster {
namespace {

template <typename T>
std::optional<T> member(const wire::Json& json, const char* name) {
    const auto found = json.find(name);
    try {
        return found == json.end() ? std::nullopt : std::optional(found->get<T>());
    } catch (const wire::Json::exception&) {
        return std::nullopt;
    }
}

}  // namespace

ports::SharedRule shared(const ports::OwnRule& own) {
    const ports::OperatorRule& rule = own.rule;
    ports::SharedRule told{
        .kind = rule.kind, .subject = rule.name, .holds = rule.holds, .number = own.number};
    if (rule.kind == ports::RuleKind::opt_out) {
        told.subject = shared_hash(rule.name);
    }
    wire::JsonWriter json(told.form);
    json.object([&] {
        json.member("name", rule.name);
        json.member("at", rule.at.time_since_epoch().count());
    });
    return told;
}

Result<ports::OperatorRule> rule_of(const ports::SharedRule& shared, WallTime now) {
    const auto json = wire::parse_json(shared.form);
    const auto name = json && json->is_object() ? member<std::string>(*json, "name") : std::nullopt;
    if (!name || name->empty()) {
        return fail(Errc::bad_request, "the form of a rule is not that of a box of this fleet");
    }
    const auto at = member<std::int64_t>(*json, "at");
    return ports::OperatorRule{
        .kind = shared.kind,
        .name = *name,
        .holds = shared.holds,
        .at = at ? std::min(WallTime(std::chrono::milliseconds(*at)), now) : now};
}

}  // namespace smsrack::cluster
