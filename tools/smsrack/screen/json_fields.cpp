#include "tools/smsrack/screen/json_fields.hpp"

#include "tools/smsrack/screen/console.hpp"

namespace smsrack::cli {
namespace {

const wire::Json* find(const wire::Json& object, std::string_view member) {
    if (!object.is_object()) {
        return nullptr;
    }
    const auto found = object.find(member);
    return found == object.end() ? nullptr : &*found;
}

}  // namespace

std::string text_of(const wire::Json& object, std::string_view member) {
    const wire::Json* value = find(object, member);
    if (value == nullptr || value->is_null() || value->is_structured()) {
        return {};
    }
    return value->is_string() ? value->get<std::string>() : json_line(*value);
}

std::string text_of(const wire::Json& value) {
    return value.is_string() ? value.get<std::string>() : "";
}

std::string joined_texts(const wire::Json& array, std::string_view separator) {
    std::string joined;
    for (const wire::Json& text : array) {
        joined += joined.empty() ? "" : separator;
        joined += printable(text_of(text));
    }
    return joined;
}

std::optional<double> number_of(const wire::Json& object, std::string_view member) {
    const wire::Json* value = find(object, member);
    if (value == nullptr || !value->is_number()) {
        return {};
    }
    return value->get<double>();
}

std::uint64_t count_of(const wire::Json& object, std::string_view member) {
    return static_cast<std::uint64_t>(number_of(object, member).value_or(0));
}

bool truth_of(const wire::Json& object, std::string_view member) {
    const wire::Json* value = find(object, member);
    return value != nullptr && value->is_boolean() && value->get<bool>();
}

const wire::Json& array_of(const wire::Json& object, std::string_view member) {
    static const wire::Json none = wire::Json::array();
    const wire::Json* value = find(object, member);
    return value != nullptr && value->is_array() ? *value : none;
}

const wire::Json& object_of(const wire::Json& object, std::string_view member) {
    static const wire::Json none = wire::Json::object();
    const wire::Json* value = find(object, member);
    return value != nullptr && value->is_object() ? *value : none;
}

wire::Json or_null(const std::string& text) {
    return text.empty() ? wire::Json() : wire::Json(text);
}

std::string json_line(const wire::Json& value) {
    return value.dump(-1, ' ', false, wire::Json::error_handler_t::replace);
}

}  // namespace smsrack::cli
