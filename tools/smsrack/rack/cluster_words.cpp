#include "tools/smsrack/rack/cluster_words.hpp"

#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/screen/table.hpp"

#include <algorithm>

namespace smsrack::cli {

wire::Json facts_json(const std::vector<ports::EngineFact>& facts) {
    wire::Json rows = wire::Json::array();
    for (const ports::EngineFact& fact : facts) {
        rows.push_back({{"name", fact.name},
                        {"value", fact.value},
                        {"good", fact.good},
                        {"advice", or_null(fact.advice)}});
    }
    return {{"good", std::ranges::all_of(facts, &ports::EngineFact::good)},
            {"facts", std::move(rows)}};
}

std::string facts_text(const wire::Json& answer, const Console& console) {
    Table table({{"FACT"}, {"VALUE", Align::left, 0, Fit::wraps}, {"GOOD"}});
    std::string advice;
    for (const wire::Json& fact : array_of(answer, "facts")) {
        const bool good = truth_of(fact, "good");
        table.add({text_of(fact, "name"), text_of(fact, "value"), good ? "yes" : "NO"});
        if (!good) {
            advice += text_of(fact, "name") + ": " + text_of(fact, "advice") + "\n";
        }
    }
    return table.text(console, "The engine said nothing of itself.") + advice;
}

std::string here_only(const wire::Json& answer) {
    return text_of(answer, "kept") == "here" ? " (on this box; the others obey when the engine "
                                               "of the fleet answers: `smsrack cluster show`)"
                                             : "";
}

}  // namespace smsrack::cli
