#include "tools/smsrack/messages/csv.hpp"

#include <algorithm>
#include <cstdint>

namespace smsrack::cli {

CsvRecord parse_csv(std::string_view record, char separator) {
    enum class Place : std::uint8_t { begin, plain, quoted, behind_quote };
    CsvRecord result;
    std::string field;
    Place place = Place::begin;
    for (const char c : record) {
        if (place == Place::quoted) {
            if (c == '"') {
                place = Place::behind_quote;
            } else {
                field += c;
            }
        } else if (c == separator) {
            result.fields.push_back(std::move(field));
            field.clear();
            place = Place::begin;
        } else if (place == Place::behind_quote) {
            if (c != '"') {
                result.fault =
                    "text after a closing quote (a quote within quotes is written twice)";
                return result;
            }
            field += c;
            place = Place::quoted;
        } else if (c == '"' && place == Place::begin) {
            place = Place::quoted;
        } else {
            field += c;
            place = Place::plain;
        }
    }
    result.open = place == Place::quoted;
    result.fields.push_back(std::move(field));
    return result;
}

char separator_of(std::string_view header) {
    constexpr std::string_view candidates = ",;\t";
    return *std::ranges::max_element(candidates, {},
                                     [header](char c) { return std::ranges::count(header, c); });
}

}  // namespace smsrack::cli
