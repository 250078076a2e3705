#include "src/cluster/rule_form.hpp"

#include "src/cluster/form_reader.hpp"
#include "src/cluster/shared_hash.hpp"
#include "src/wire/json_writer.hpp"

#include <algorithm>
#include <chrono>

namespace smsrack::cluster {

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
    return read_form<ports::OperatorRule>(
        shared.form, [&](const wire::Json& json) -> Result<ports::OperatorRule> {
            ports::OperatorRule rule{.kind = shared.kind, .holds = shared.holds, .at = now};
            FormReader reader(json);
            reader.read("name", rule.name);
            reader.read("at", rule.at, std::chrono::milliseconds(0));
            if (rule.name.empty()) {
                return strange_form();
            }
            rule.at = std::min(rule.at, now);
            return rule;
        });
}

}  // namespace smsrack::cluster
