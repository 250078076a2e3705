#include "tools/smsrack/messages/batch_reader.hpp"

#include "tools/smsrack/messages/csv.hpp"
#include "tools/smsrack/screen/console.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/screen/wrap.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <fmt/format.h>

namespace smsrack::cli {
namespace {

enum class CellType : std::uint8_t { text, number, truth };

struct ColumnRule {
    std::string_view name;
    CellType type;
};

constexpr std::array column_rules{
    ColumnRule{"to", CellType::text},         ColumnRule{"text", CellType::text},
    ColumnRule{"data", CellType::text},       ColumnRule{"ref", CellType::text},
    ColumnRule{"priority", CellType::number}, ColumnRule{"ttl_s", CellType::number},
    ColumnRule{"report", CellType::truth},    ColumnRule{"class", CellType::number},
    ColumnRule{"group", CellType::text},      ColumnRule{"batch", CellType::text},
    ColumnRule{"not_before", CellType::text}, ColumnRule{"allow_duplicate", CellType::truth},
    ColumnRule{"client", CellType::text},     ColumnRule{"note", CellType::text},
};

const ColumnRule* rule_of(std::string_view name) {
    const auto rule = std::ranges::find(column_rules, name, &ColumnRule::name);
    return rule == column_rules.end() ? nullptr : &*rule;
}

std::string_view trimmed(std::string_view text) {
    const auto first = std::min(text.find_first_not_of(" \t"), text.size());
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Nullopt if the cell is not of its column's type.
std::optional<wire::Json> value_of(const std::string& cell, CellType type) {
    if (type == CellType::text) {
        return wire::Json(cell);
    }
    const std::string_view word = trimmed(cell);
    if (type == CellType::truth) {
        const bool yes = word == "true" || word == "1" || word == "yes";
        const bool no = word == "false" || word == "0" || word == "no";
        return yes || no ? std::optional<wire::Json>(yes) : std::nullopt;
    }
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    return error == std::errc() && end == word.data() + word.size()
               ? std::optional<wire::Json>(number)
               : std::nullopt;
}

}  // namespace

Outcome<BatchReader> BatchReader::open(LineSource& source, MessageFields defaults) {
    BatchReader reader(source, std::move(defaults));
    auto line = source.next();
    while (line && trimmed(line->text).empty()) {
        line = source.next();
    }
    if (!line) {
        return failure(ExitCode::bad_data, "the file is empty");
    }
    if (line->text.starts_with("\xEF\xBB\xBF")) {
        line->text.erase(0, 3);  // the mark that some programs put before UTF-8
    }
    if (trimmed(line->text).starts_with('{')) {
        source.put_back(std::move(*line));
        return reader;
    }
    if (auto header = reader.read_header(*line); !header) {
        return std::unexpected(header.error());
    }
    return reader;
}

Outcome<> BatchReader::read_header(const NumberedLine& line) {
    separator_ = separator_of(line.text);
    for (const std::string& cell : parse_csv(line.text, separator_).fields) {
        const std::string name(trimmed(cell));
        if (rule_of(name) == nullptr) {
            return failure(
                ExitCode::bad_data,
                fmt::format("line {}: no column can be named \"{}\"; a CSV file begins "
                            "with a header such as to,text "
                            "(others: data, ref, priority, ttl_s, report, class, group, batch, "
                            "client, "
                            "note, not_before, allow_duplicate)",
                            line.number, printable(name.substr(0, 40))));
        }
        if (std::ranges::find(columns_, name) != columns_.end()) {
            return failure(ExitCode::bad_data,
                           fmt::format("line {}: two columns are named \"{}\"", line.number, name));
        }
        columns_.push_back(name);
    }
    const auto has = [this](std::string_view name) {
        return std::ranges::find(columns_, name) != columns_.end();
    };
    if (!has("to") || (!has("text") && !has("data"))) {
        return failure(
            ExitCode::bad_data,
            fmt::format("line {}: the header needs the columns to and text", line.number));
    }
    return ExitCode::done;
}

std::optional<BatchItem> BatchReader::next() {
    for (;;) {
        auto line = source_->next();
        if (!line) {
            return {};
        }
        if (line->too_long) {
            return BatchItem{.line = line->number, .fault = "longer than 64 KiB"};
        }
        if (trimmed(line->text).empty()) {
            continue;
        }
        BatchItem item = columns_.empty() ? json_item(*line) : csv_item(std::move(*line));
        if (!item.fault.empty() && source_->stopped()) {
            return {};  // of a record that was read in part
        }
        return item;
    }
}

BatchItem BatchReader::json_item(const NumberedLine& line) const {
    BatchItem item{.line = line.number};
    auto message = wire::parse_json(line.text);
    if (!message) {
        item.fault =
            message.error().detail > 0
                ? fmt::format("{} (octet {})", message.error().context, message.error().detail)
                : message.error().context;
    } else if (!message->is_object()) {
        item.fault = "not a JSON object";
    } else {
        fill_in(*message, defaults_);
        item.request = json_line(*message);
    }
    return item;
}

/// A record may span several lines, within quotes. If the quotes never close, the first line alone
/// is bad and the others are read again by themselves.
BatchItem BatchReader::csv_item(NumberedLine line) {
    BatchItem item{.line = line.number};
    std::string record = std::move(line.text);
    std::vector<NumberedLine> more;
    CsvRecord parsed = parse_csv(record, separator_);
    while (parsed.open && record.size() <= LineSource::line_max) {
        auto following = source_->next();
        if (!following) {
            break;
        }
        record += '\n';
        record += following->text;
        if (following->text.contains('"')) {  // else it is still open
            parsed = parse_csv(record, separator_);
        }
        more.push_back(std::move(*following));
    }
    if (parsed.open || (!parsed.fault.empty() && !more.empty())) {
        for (; !more.empty(); more.pop_back()) {
            source_->put_back(std::move(more.back()));
        }
        item.fault = "the quotes are not closed";
    } else if (!parsed.fault.empty()) {
        item.fault = parsed.fault;
    } else if (parsed.fields.size() != columns_.size()) {
        item.fault =
            fmt::format("{} values, but the header has {}", parsed.fields.size(), columns_.size());
    } else {
        make_request(parsed.fields, item);
    }
    return item;
}

void BatchReader::make_request(const std::vector<std::string>& cells, BatchItem& item) const {
    wire::Json message = wire::Json::object();
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const ColumnRule& rule = *rule_of(columns_[i]);
        if (!is_utf8(cells[i])) {
            item.fault = fmt::format("{}: not valid UTF-8", rule.name);
            return;
        }
        if (cells[i].empty()) {
            continue;
        }
        const auto value = value_of(cells[i], rule.type);
        if (!value) {
            item.fault =
                fmt::format("{}: must be {}", rule.name,
                            rule.type == CellType::number ? "a whole number" : "true or false");
            return;
        }
        message[rule.name] = *value;
    }
    if (!message.contains("to")) {
        item.fault = "to: is empty";
    } else if (!message.contains("text") && !message.contains("data")) {
        item.fault = "text: is empty";
    } else {
        fill_in(message, defaults_);
        item.request = json_line(message);
    }
}

}  // namespace smsrack::cli
