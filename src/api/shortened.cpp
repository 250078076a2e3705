#include "src/api/shortened.hpp"

#include "src/wire/json.hpp"

#include <cstddef>

namespace smsrack::api {
namespace {

constexpr std::size_t string_max = 1'000;

bool is_inside_character(char octet) {
    constexpr unsigned kind = 0xC0;
    constexpr unsigned follows = 0x80;
    return (static_cast<unsigned char>(octet) & kind) == follows;
}

/// True: something is shorter now. As deep as our answers are. What is hex stays hex.
bool shorten(wire::Json& value, std::string_view name = {}) {
    if (value.is_string()) {
        auto& text = value.get_ref<std::string&>();
        if (text.size() <= string_max) {
            return false;
        }
        std::size_t end = string_max;
        while (is_inside_character(text[end])) {
            --end;
        }
        text.resize(end);
        text += name == "data" ? "" : "…";
        return true;
    }
    bool is_shorter = false;
    if (value.is_structured()) {
        for (const auto& [inner_name, inner] : value.items()) {
            is_shorter = shorten(inner, inner_name) || is_shorter;
        }
    }
    return is_shorter;
}

}  // namespace

std::string shortened(std::string_view json) {
    auto value = wire::parse_json(json);
    if (!value || !value->is_object() || !shorten(*value)) {
        return std::string(json);
    }
    (*value)["cut"] = true;
    return value->dump();
}

}  // namespace smsrack::api
