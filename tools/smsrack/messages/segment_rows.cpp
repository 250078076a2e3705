#include "tools/smsrack/messages/segment_rows.hpp"

#include "tools/smsrack/screen/json_fields.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace smsrack::cli {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::array columns{
    "id"sv,        "segment"sv,     "segments"sv,      "to"sv,         "state"sv,
    "priority"sv,  "group"sv,       "batch"sv,         "client"sv,     "ref"sv,
    "modem"sv,     "attempts"sv,    "outcome"sv,       "tp_mr"sv,      "code"sv,
    "cause"sv,     "created_at"sv,  "started_at"sv,    "ended_at"sv,   "report"sv,
    "tp_status"sv, "reported_at"sv, "discharged_at"sv, "expires_at"sv, "text"sv};

wire::Json member(const wire::Json& object, std::string_view name) {
    const auto found = object.is_object() ? object.find(name) : object.end();
    return object.is_object() && found != object.end() ? *found : wire::Json();
}

/// The one of `array` whose member "segment" is `segment`; the last of several, or an empty object.
const wire::Json& last_of_segment(const wire::Json& array, std::int64_t segment) {
    static const wire::Json none = wire::Json::object();
    const wire::Json* last = &none;
    for (const wire::Json& one : array) {
        if (number_of(one, "segment") == static_cast<double>(segment)) {
            last = &one;
        }
    }
    return *last;
}

wire::Json row_of(const wire::Json& message, std::int64_t segment) {
    wire::Json row = wire::Json::object();
    for (const std::string_view name :
         {"id"sv, "segments"sv, "to"sv, "state"sv, "priority"sv, "group"sv, "batch"sv, "client"sv,
          "ref"sv, "created_at"sv, "report"sv, "expires_at"sv}) {
        row[std::string(name)] = member(message, name);
    }
    row["segment"] = segment;
    const wire::Json& part = last_of_segment(array_of(message, "segment_states"), segment);
    if (!text_of(part, "state").empty()) {
        row["state"] = part["state"];
    }
    for (const std::string_view name :
         {"tp_mr"sv, "tp_status"sv, "reported_at"sv, "discharged_at"sv}) {
        row[std::string(name)] = member(part, name);
    }
    const wire::Json& attempts = array_of(message, "attempts");
    const wire::Json& attempt = last_of_segment(attempts, segment);
    row["attempts"] = std::ranges::count_if(attempts, [segment](const wire::Json& one) {
        return number_of(one, "segment") == static_cast<double>(segment);
    });
    for (const std::string_view name :
         {"modem"sv, "outcome"sv, "code"sv, "cause"sv, "ended_at"sv}) {
        row[std::string(name)] = member(attempt, name);
    }
    row["started_at"] = member(attempt, "at");
    if (row["code"].is_null() && text_of(message, "state") == text_of(row, "state")) {
        row["code"] = member(message, "code");  // such as of one that expired before an attempt
    }
    const wire::Json data = member(message, "data");
    row["text"] =
        data.is_null() ? member(message, "text") : wire::Json("data " + text_of(message, "data"));
    return row;
}

}  // namespace

std::span<const std::string_view> segment_columns() {
    return columns;
}

std::vector<wire::Json> segment_rows(const wire::Json& message) {
    std::vector<wire::Json> rows;
    const auto segments =
        static_cast<std::int64_t>(std::max(1.0, number_of(message, "segments").value_or(1)));
    for (std::int64_t segment = 1; segment <= segments; ++segment) {
        rows.push_back(row_of(message, segment));
    }
    return rows;
}

std::string csv_field(std::string_view text, bool for_spreadsheet) {
    constexpr std::string_view formula_begins = "=+-@\t\r\n";
    constexpr std::string_view wide_formula_begins[] = {"\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"};
    const bool is_formula =
        !text.empty() && (formula_begins.contains(text.front()) ||
                          std::ranges::any_of(wide_formula_begins, [text](std::string_view begin) {
                              return text.starts_with(begin);
                          }));
    std::string field = for_spreadsheet && is_formula ? "'" : "";
    field += text;
    if (field.find_first_of(",;\t\"\r\n'") == std::string::npos) {
        return field;
    }
    std::string quoted = "\"";
    for (const char c : field) {
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    }
    return quoted + '"';
}

}  // namespace smsrack::cli
