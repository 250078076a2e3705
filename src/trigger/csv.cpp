#include "src/trigger/csv.hpp"

#include "src/pdu/alphabet/utf8.hpp"

#include <optional>
#include <utility>

namespace smsrack::trigger {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// Tables are saved in other alphabets too, and then no text of them could ever be sent.
Result<> check_alphabet(std::string_view text) {
    std::size_t line = 1;
    for (std::size_t at = 0; at < text.size();) {
        const pdu::CodePoint character = pdu::code_point_at(text, at);
        if (character.octets == 0 || character.value == 0) {
            return csv_fault(
                line, character.octets == 0
                          ? "not UTF-8: save the file as \"CSV UTF-8\""
                          : "an octet 0, as UTF-16 has them: save the file as \"CSV UTF-8\"");
        }
        line += character.value == '\n' ? 1 : 0;
        at += character.octets;
    }
    return {};
}

/// Without its byte order mark.
Result<std::string_view> csv_text(std::string_view whole) {
    if (whole.starts_with(byte_order_mark)) {
        whole.remove_prefix(byte_order_mark.size());
    }
    if (auto good = check_alphabet(whole); !good) {
        return std::unexpected(std::move(good.error()));
    }
    return whole;
}

class CsvReader {
public:
    /// `text` outlives the reader.
    explicit CsvReader(std::string_view text) : rest_(text) {}

    /// nullopt: the end.
    [[nodiscard]] Result<std::optional<CsvRecord>> next();

private:
    [[nodiscard]] Result<std::string> plain();
    [[nodiscard]] Result<std::string> quoted();

    std::string_view rest_;
    std::size_t line_ = 1;
};

Result<std::optional<CsvRecord>> CsvReader::next() {
    if (rest_.empty()) {
        return std::nullopt;
    }
    CsvRecord record{.line = line_};
    for (bool more = true; more;) {
        auto field = rest_.starts_with('"') ? quoted() : plain();
        if (!field) {
            return std::unexpected(std::move(field.error()));
        }
        record.fields.push_back(*std::move(field));
        more = rest_.starts_with(',');
        if (more) {
            rest_.remove_prefix(1);
        }
    }
    if (rest_.starts_with('\r')) {
        rest_.remove_prefix(1);
    }
    if (!rest_.empty() && !rest_.starts_with('\n')) {
        return csv_fault(line_, "a carriage return within a record that is not quoted");
    }
    if (!rest_.empty()) {
        rest_.remove_prefix(1);
        ++line_;
    }
    return record;
}

Result<std::string> CsvReader::plain() {
    const std::string_view field = rest_.substr(0, rest_.find_first_of(",\r\n"));
    if (field.contains('"')) {
        return csv_fault(line_, "a quote within a field that does not begin with one");
    }
    rest_.remove_prefix(field.size());
    return std::string(field);
}

Result<std::string> CsvReader::quoted() {
    const std::size_t began = line_;
    std::string field;
    rest_.remove_prefix(1);
    while (true) {
        const std::size_t quote = rest_.find('"');
        if (quote == std::string_view::npos) {
            return csv_fault(began, "a quote that does not end");
        }
        for (const char c : rest_.substr(0, quote)) {
            line_ += c == '\n' ? 1 : 0;
        }
        field += rest_.substr(0, quote);
        rest_.remove_prefix(quote + 1);
        if (!rest_.starts_with('"')) {
            break;
        }
        field += '"';
        rest_.remove_prefix(1);
    }
    if (!rest_.empty() && rest_.find_first_of(",\r\n") != 0) {
        return csv_fault(line_, "something behind the quote that ends a field");
    }
    return field;
}

}  // namespace

std::unexpected<Error> csv_fault(std::size_t line, const std::string& what) {
    return fail(Errc::bad_config, "line " + std::to_string(line) + ": " + what);
}

Result<> read_csv(std::string_view whole, const std::function<Result<>(CsvRecord& record)>& take) {
    const auto text = csv_text(whole);
    if (!text) {
        return std::unexpected(text.error());
    }
    CsvReader reader(*text);
    while (true) {
        auto record = reader.next();
        if (!record) {
            return std::unexpected(std::move(record.error()));
        }
        if (!*record) {
            return {};
        }
        const bool blank = (*record)->fields.size() == 1 && (*record)->fields[0].empty();
        if (auto taken = blank ? Result<>() : take(**record); !taken) {
            return taken;
        }
    }
}

}  // namespace smsrack::trigger
