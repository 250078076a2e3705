#include "src/base/field_template.hpp"

#include <algorithm>
#include <utility>

namespace smsrack {
namespace {

constexpr std::string_view name_characters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.";

std::unexpected<Error> fault(std::size_t at, std::string_view what) {
    return fail(Errc::bad_request, "octet " + std::to_string(at + 1) + ": " + std::string(what));
}

}  // namespace

Result<FieldTemplate> FieldTemplate::parse(std::string_view text) {
    FieldTemplate parsed;
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool doubled = i + 1 < text.size() && text[i + 1] == c;
        if (c != '{' && c != '}') {
            plain += c;
        } else if (doubled) {
            plain += c;
            ++i;
        } else if (c == '}') {
            return fault(i, "\"}\" without \"{\" (\"}}\" is the brace itself)");
        } else {
            const std::size_t end = text.find('}', i);
            if (end == std::string_view::npos) {
                return fault(i, "\"{\" without \"}\" (\"{{\" is the brace itself)");
            }
            const std::string_view name = text.substr(i + 1, end - i - 1);
            if (name.empty() || name.find_first_not_of(name_characters) != std::string_view::npos) {
                return fault(i, "no name of a field between \"{\" and \"}\"");
            }
            if (!plain.empty()) {
                parsed.pieces_.push_back({.text = std::exchange(plain, {})});
            }
            parsed.pieces_.push_back({.text = std::string(name), .is_field = true});
            i = end;
        }
    }
    if (!plain.empty()) {
        parsed.pieces_.push_back({.text = std::move(plain)});
    }
    return parsed;
}

std::vector<std::string> FieldTemplate::fields() const {
    std::vector<std::string> names;
    for (const Piece& piece : pieces_) {
        if (piece.is_field && std::ranges::find(names, piece.text) == names.end()) {
            names.push_back(piece.text);
        }
    }
    return names;
}

bool FieldTemplate::uses(std::string_view field) const {
    return std::ranges::any_of(
        pieces_, [field](const Piece& piece) { return piece.is_field && piece.text == field; });
}

std::string FieldTemplate::fill(
    const std::function<std::string_view(std::string_view field)>& value_of) const {
    std::string filled;
    for (const Piece& piece : pieces_) {
        filled += piece.is_field ? value_of(piece.text) : std::string_view(piece.text);
    }
    return filled;
}

}  // namespace smsrack
