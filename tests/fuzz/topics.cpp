// The topics of a trigger: what was read, written as CSV by the rules, reads the same; each text can be filled.
#include "src/trigger/topics.hpp"

#include "src/base/check.hpp"
#include "src/base/field_template.hpp"
#include "tests/fuzz/input.hpp"

#include <set>
#include <string>

namespace smsrack::fuzz {
namespace {

std::string in_quotes(std::string_view field) {
    std::string out = "\"";
    for (const char c : field) {
        out += c;
        if (c == '"') {
            out += c;
        }
    }
    return out + '"';
}

std::string csv_of(const trigger::Topics& topics) {
    std::string csv = "topic,text,group\r\n";
    for (const trigger::Topic& topic : topics) {
        csv += in_quotes(topic.name) + "," + in_quotes(topic.text) + "," + in_quotes(topic.group) +
               "\r\n";
    }
    return csv;
}

/// Filled with its own fields in braces, it says the same again.
void check_template(std::string_view text) {
    const auto parsed = FieldTemplate::parse(text);
    if (!parsed) {
        SMSRACK_CHECK(parsed.error().code == Errc::bad_request);
        return;
    }
    const std::vector<std::string> fields = parsed->fields();
    for (const std::string& field : fields) {
        SMSRACK_CHECK(!field.empty() && parsed->uses(field) && text.contains("{" + field + "}"));
    }
    SMSRACK_CHECK(parsed->fill([](std::string_view) { return ""; }).size() <= text.size());
    if (!text.contains("{{") && !text.contains("}}")) {
        std::string braced;
        SMSRACK_CHECK(parsed->fill([&](std::string_view field) {
            braced = "{" + std::string(field) + "}";
            return std::string_view(braced);
        }) == text);
    }
}

}  // namespace

int fuzz_topics(Octets input) {
    const std::string_view text = text_of(input);
    check_template(text);
    const auto topics = trigger::parse_topics(text);
    if (!topics) {
        SMSRACK_CHECK(topics.error().code == Errc::bad_config);
        SMSRACK_CHECK(topics.error().context.starts_with("line "));
        return 0;
    }
    std::set<std::string> names;
    for (const trigger::Topic& topic : *topics) {
        SMSRACK_CHECK(!topic.name.empty() && names.insert(topic.name).second);
        SMSRACK_CHECK(FieldTemplate::parse(topic.text).has_value());
        check_template(topic.text);
    }
    const std::string csv = csv_of(*topics);
    const auto again = trigger::parse_topics(csv);
    SMSRACK_CHECK(again && csv_of(*again) == csv);
    return 0;
}

}  // namespace smsrack::fuzz
