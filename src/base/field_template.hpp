/// A template of text with fields in braces: "Welcome to {topic}!". "{{" and "}}" are the braces
/// themselves.
///
/// Threads: any.
/// Errors:  bad_request: a brace without its partner, or a field without a name; with the position,
///          not the text.
#pragma once

#include "src/base/result.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack {

class FieldTemplate {
public:
    [[nodiscard]] static Result<FieldTemplate> parse(std::string_view text);

    /// The fields that it uses, each once, in the order of their first use.
    [[nodiscard]] std::vector<std::string> fields() const;
    [[nodiscard]] bool uses(std::string_view field) const;

    /// `value_of` gives the text of each field.
    [[nodiscard]] std::string fill(
        const std::function<std::string_view(std::string_view field)>& value_of) const;

private:
    struct Piece {
        std::string text;
        bool is_field = false;
    };
    std::vector<Piece> pieces_ = {};
};

}  // namespace smsrack
