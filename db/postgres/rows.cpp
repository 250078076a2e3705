#include "db/postgres/rows.hpp"

#include <charconv>

namespace smsrack::postgres {
namespace {

std::int64_t number_of(std::string_view text) {
    std::int64_t number = 0;
    (void)std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

}  // namespace

bool Rows::is_error() const {
    const auto status = pq_.result_status(result_.get());
    return status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK;
}

std::string_view Rows::field(int code) const {
    const char* const text = pq_.error_field(result_.get(), code);
    return text == nullptr ? "" : text;
}

std::string_view Rows::text(int row, int column) const {
    return {pq_.value(result_.get(), row, column),
            static_cast<std::size_t>(pq_.length(result_.get(), row, column))};
}

std::int64_t Rows::number(int row, int column) const {
    return number_of(text(row, column));
}

std::vector<std::int64_t> Rows::numbers(int row, int column) const {
    std::vector<std::int64_t> numbers;
    std::string_view rest = text(row, column);  // {1,2,3}
    while (rest.size() > 2) {
        rest.remove_prefix(1);
        numbers.push_back(number_of(rest));
        const auto comma = rest.find(',');
        rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma);
    }
    return numbers;
}

}  // namespace smsrack::postgres
