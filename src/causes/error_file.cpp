#include "src/causes/error_file.hpp"

#include "src/base/check.hpp"
#include "src/config/table_reader.hpp"
#include "src/config/toml.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace smsrack::config {

template <>
struct Words<CauseClass> {
    static constexpr auto names = cause_class_names;
};

template <>
struct Words<ReportSays> {
    static constexpr std::array<std::string_view, 4> names{"pending", "delivered", "undelivered",
                                                           "expired"};
};

}  // namespace smsrack::config

namespace smsrack::causes {
namespace {

using config::field;
using config::Form;
using config::form;
using config::range;

/// One row as it is written.
struct RowText {
    std::int64_t code = 0;
    std::optional<std::int64_t> to = {};
    CauseClass cause_class = CauseClass::none;
    std::optional<CauseClass> after_pdu = {};
    std::optional<std::int64_t> tries = {};
    std::optional<std::chrono::seconds> pause = {};
    bool without_validity = false;
    bool arrived = false;
    std::optional<ReportSays> says = {};
    std::string meaning = {};
    std::string advice = {};

    static constexpr auto fields = std::tuple{
        field("code", &RowText::code, range(0, 65'535).needed(), ""),
        field("to", &RowText::to, range(0, 65'535), ""),
        field("class", &RowText::cause_class, form(Form::any).needed(), ""),
        field("after_pdu", &RowText::after_pdu, form(Form::any), ""),
        field("tries", &RowText::tries, range(1, 100), ""),
        field("pause_s", &RowText::pause, range(1, 3'600), ""),
        field("without_validity", &RowText::without_validity, form(Form::any), ""),
        field("arrived", &RowText::arrived, form(Form::any), ""),
        field("says", &RowText::says, form(Form::any), ""),
        field("meaning", &RowText::meaning, form(Form::any).needed(), ""),
        field("advice", &RowText::advice, form(Form::any).needed(), ""),
    };
};

struct Section {
    std::string_view key;
    CodeKind kind;
};

constexpr std::array<Section, 4> sections{{{"cms", CodeKind::cms},
                                           {"cme", CodeKind::cme},
                                           {"tp_status", CodeKind::tp_status},
                                           {"error", CodeKind::plain_error}}};

class CauseReader {
public:
    CauseReader(const config::TomlTable& document, config::ProblemList& problems)
        : document_(document), problems_(problems) {}

    std::vector<CauseRow> read() {
        std::vector<std::string_view> known;
        std::ranges::transform(sections, std::back_inserter(known), &Section::key);
        for (const config::TomlEntry& entry : document_.entries) {
            const auto section = std::ranges::find(sections, entry.key, &Section::key);
            if (section == sections.end()) {
                problems_.unknown(entry, entry.key, known);
            } else {
                read_section(*section, entry);
            }
        }
        return std::move(rows_);
    }

private:
    void read_section(const Section& section, const config::TomlEntry& entry) {
        const auto* items = std::get_if<config::TomlArray>(&entry.value.content);
        if (items == nullptr) {
            problems_.expected(entry.value, entry.key, "an array of tables");
            return;
        }
        for (const config::TomlValue& item : *items) {
            const auto* table = std::get_if<config::TomlTable>(&item.content);
            if (table == nullptr) {
                problems_.expected(item, entry.key, "a table in braces");
            } else {
                read_row(section, *table, item.line);
            }
        }
    }

    void read_row(const Section& section, const config::TomlTable& table, int line) {
        const std::size_t faults = problems_.size();
        RowText text;
        config::TableReader reader(table, line, std::string(section.key), problems_);
        reader.read(text);
        reader.refuse_others<RowText>();
        if (problems_.size() == faults) {
            check(section, text, line);
        }
        if (problems_.size() == faults) {
            rows_.push_back(row_of(section.kind, std::move(text)));
        }
    }

    /// What one field alone can't say.
    void check(const Section& section, const RowText& text, int line) {
        const auto refuse = [&](std::string_view key, std::string what) {
            problems_.add(line, config::path_of(section.key, key), std::move(what));
        };
        const bool of_report = section.kind == CodeKind::tp_status;
        const std::int64_t last = text.to.value_or(text.code);
        if (last < text.code) {
            refuse("to", "must not be below \"code\"");
        }
        if (of_report && last > 0xFF) {
            refuse("code", "a TP-Status is one octet");
        }
        if (of_report != text.says.has_value()) {
            refuse("says", of_report ? "is required" : "is for tp_status only");
        }
        if (section.kind == CodeKind::plain_error && (text.code != 0 || last != 0)) {
            refuse("code", "must be 0: ERROR alone has no code");
        }
        if (text.meaning.empty() || text.advice.empty()) {
            refuse(text.meaning.empty() ? "meaning" : "advice", "must say something");
        }
        const bool twice = std::ranges::any_of(rows_, [&](const CauseRow& row) {
            return row.kind == section.kind && row.first == text.code && row.last == last;
        });
        if (twice) {
            refuse("code", "has a row already");
        }
    }

    static CauseRow row_of(CodeKind kind, RowText text) {
        CauseInfo info{.cause_class = text.cause_class,
                       .after_pdu = text.after_pdu,
                       .meaning = std::move(text.meaning),
                       .advice = std::move(text.advice),
                       .pause = text.pause,
                       .without_validity = text.without_validity,
                       .arrived = text.arrived,
                       .says = text.says.value_or(ReportSays::pending)};
        if (text.tries) {
            info.tries = static_cast<std::uint16_t>(*text.tries);
        }
        return {.kind = kind,
                .first = static_cast<std::int32_t>(text.code),
                .last = static_cast<std::int32_t>(text.to.value_or(text.code)),
                .info = std::move(info)};
    }

    const config::TomlTable& document_;
    config::ProblemList& problems_;
    std::vector<CauseRow> rows_;
};

}  // namespace

std::expected<std::vector<CauseRow>, config::ConfigError> load_causes(std::string_view text,
                                                                      const std::string& file) {
    const auto document = config::parse_toml(text);
    if (!document) {
        const config::TomlFault& fault = document.error();
        return std::unexpected(config::ConfigError{
            .file = file, .problems = {{.line = fault.line, .message = fault.message}}});
    }
    config::ProblemList problems;
    auto rows = CauseReader(*document, problems).read();
    if (problems.size() > 0) {
        return std::unexpected(config::ConfigError{.file = file, .problems = problems.take()});
    }
    return rows;
}

ErrorTable built_in_table() {
    auto rows = load_causes(built_in_text(), "errors.toml");
    SMSRACK_CHECK(rows.has_value());  // of the program itself; a test reads it too
    return ErrorTable(std::move(*rows));
}

}  // namespace smsrack::causes
