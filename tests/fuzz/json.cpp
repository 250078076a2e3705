// JSON: what is read and written again is the same; three readers and two writers agree.
#include "src/wire/json.hpp"

#include "src/base/check.hpp"
#include "src/wire/json_members.hpp"
#include "src/wire/json_writer.hpp"
#include "tests/fuzz/input.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace smsrack::fuzz {
namespace {

using wire::Json;
using wire::JsonScalar;

bool is_same(const JsonScalar& scalar, const Json& json) {
    if (std::holds_alternative<wire::JsonNull>(scalar)) {
        return json.is_null();
    }
    if (std::holds_alternative<wire::JsonList>(scalar)) {
        return json.is_array();
    }
    if (const auto* const truth = std::get_if<bool>(&scalar)) {
        return json.is_boolean() && json.get<bool>() == *truth;
    }
    if (const auto* const whole = std::get_if<std::int64_t>(&scalar)) {
        return json.is_number_integer() && json.get<std::int64_t>() == *whole;
    }
    if (const auto* const number = std::get_if<double>(&scalar)) {
        return json.is_number() && json.get<double>() == *number;
    }
    return json.is_string() && json.get_ref<const std::string&>() == std::get<std::string>(scalar);
}

void check_members(std::string_view text, const Result<Json>& parsed) {
    std::vector<std::string> names;
    std::vector<JsonScalar> values;
    const auto read = wire::read_members(text, [&](std::string_view name, const JsonScalar& value) {
        SMSRACK_CHECK(std::ranges::find(names, name) == names.end());
        names.emplace_back(name);
        values.push_back(value);
        return Result<>();
    });
    SMSRACK_CHECK(names.size() <= wire::members_max);
    if (!read) {
        SMSRACK_CHECK(read.error().code == Errc::bad_request ||
                      read.error().code == Errc::bad_encoding);
        SMSRACK_CHECK(!read.error().context.empty());
    } else if (parsed) {
        SMSRACK_CHECK(parsed->is_object());
        for (std::size_t i = 0; i < names.size(); ++i) {
            const auto outer = parsed->find(names[i]);  // "a.b": or b within a
            SMSRACK_CHECK(outer == parsed->end() || outer->is_object() ||
                          is_same(values[i], *outer));
        }
    } else {
        SMSRACK_CHECK(parsed.error().context.contains("deep"));
    }
}

/// With our own writer.
void write(wire::JsonWriter& out, const Json& value) {
    if (value.is_object()) {
        out.begin_object();
        for (const auto& [name, member] : value.items()) {
            out.key(name);
            write(out, member);
        }
        out.end_object();
    } else if (value.is_array()) {
        out.begin_array();
        for (const Json& element : value) {
            write(out, element);
        }
        out.end_array();
    } else if (value.is_string()) {
        out.value(value.get_ref<const std::string&>());
    } else if (value.is_boolean()) {
        out.value(value.get<bool>());
    } else if (value.is_null()) {
        out.null();
    } else if (value.is_number_float()) {
        out.value(value.get<double>());
    } else if (value.is_number_unsigned()) {
        out.raw(value.dump());
    } else {
        out.value(value.get<std::int64_t>());
    }
}

}  // namespace

int fuzz_json(Octets input) {
    const std::string_view text = text_of(input);
    const auto parsed = wire::parse_json(text);
    check_members(text, parsed);
    if (!parsed) {
        SMSRACK_CHECK(parsed.error().code == Errc::bad_request);
        return 0;
    }
    SMSRACK_CHECK(is_utf8(text));
    const auto again = wire::parse_json(parsed->dump());
    SMSRACK_CHECK(again && *again == *parsed);
    std::string written;
    wire::JsonWriter writer(written);
    write(writer, *parsed);
    const auto ours = wire::parse_json(written);
    SMSRACK_CHECK(ours && *ours == *parsed);
    return 0;
}

}  // namespace smsrack::fuzz
