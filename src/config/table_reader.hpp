/// Reads one TOML table into a struct by its declared `fields`; every fault becomes a
/// ConfigProblem.
///
/// A fault leaves the field at its default, so that reading continues and finds the next fault too.
#pragma once

#include "src/config/problem.hpp"
#include "src/config/rules.hpp"
#include "src/config/service_settings.hpp"
#include "src/config/toml.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace smsrack::config {

class ProblemList {
public:
    void add(int line, std::string key, std::string message) {
        problems_.push_back({.line = line, .key = std::move(key), .message = std::move(message)});
    }
    void expected(const TomlValue& value, const std::string& key, std::string_view what) {
        add(value.line, key, fmt::format("must be {}, not {}", what, toml_type_name(value)));
    }
    /// `known`: the keys that the table may have.
    void unknown(const TomlEntry& entry, const std::string& key,
                 std::span<const std::string_view> known) {
        const auto meant = near_miss(entry.key, known);
        add(entry.line, key,
            meant ? fmt::format("unknown key; did you mean \"{}\"?", *meant) : "unknown key");
    }
    [[nodiscard]] ConfigProblems take() {
        std::ranges::stable_sort(problems_, {}, &ConfigProblem::line);
        return std::move(problems_);
    }
    [[nodiscard]] std::size_t size() const { return problems_.size(); }

private:
    ConfigProblems problems_;
};

/// "queue" + "capacity" -> "queue.capacity".
[[nodiscard]] inline std::string path_of(std::string_view section, std::string_view key) {
    return section.empty() ? std::string(key) : fmt::format("{}.{}", section, key);
}

/// The keys of some structs together.
template <typename... Sections>
[[nodiscard]] std::vector<std::string_view> keys_of() {
    std::vector<std::string_view> keys;
    const auto add = [&keys](const auto&... fields) { (keys.push_back(fields.key), ...); };
    (std::apply(add, Sections::fields), ...);
    return keys;
}

class TableReader {
public:
    /// All outlive the reader. `section`: for the keys of problems.
    TableReader(const TomlTable& table, int line, std::string section, ProblemList& problems)
        : table_(table), line_(line), section_(std::move(section)), problems_(problems) {}

    /// Sets the fields that the table has.
    template <typename Section>
    void read(Section& section) {
        std::apply([&](const auto&... fields) { (read_field(fields, section), ...); },
                   Section::fields);
    }

    /// Every key of the table that none of these structs has is a problem.
    template <typename... Sections>
    void refuse_others() {
        const auto known = keys_of<Sections...>();
        for (const TomlEntry& entry : table_.entries) {
            if (std::ranges::find(known, entry.key) == known.end()) {
                problems_.unknown(entry, path_of(section_, entry.key), known);
            }
        }
    }

private:
    /// `Owner`: the section, or a base of it.
    template <typename Owner, typename T, typename Section>
    void read_field(const Field<Owner, T>& declared, Section& section) {
        const std::string key = path_of(section_, declared.key);
        const TomlEntry* entry = table_.find(declared.key);
        if (entry == nullptr) {
            if (declared.rule.required) {
                problems_.add(line_, key, "is required");
            }
            return;
        }
        read_value(entry->value, declared.rule, key, section.*(declared.member));
    }

    template <typename T>
    const T* typed(const TomlValue& value, const std::string& key, std::string_view what) {
        const T* content = std::get_if<T>(&value.content);
        if (content == nullptr) {
            problems_.expected(value, key, what);
        }
        return content;
    }

    template <typename T>
    const T* checked(const TomlValue& value, const Rule& rule, const std::string& key,
                     std::string_view what) {
        const T* content = typed<T>(value, key, what);
        if (content == nullptr) {
            return nullptr;
        }
        if (auto broken = broken_rule(rule, *content)) {
            problems_.add(value.line, key, std::move(*broken));
            return nullptr;
        }
        return content;
    }

    void read_value(const TomlValue& value, const Rule& rule, const std::string& key,
                    std::int64_t& out) {
        if (const auto* number = checked<std::int64_t>(value, rule, key, "a whole number")) {
            out = *number;
        }
    }
    /// A fraction; a whole number is one too.
    void read_value(const TomlValue& value, const Rule& rule, const std::string& key, double& out) {
        const auto* whole = std::get_if<std::int64_t>(&value.content);
        const auto* number =
            whole != nullptr ? nullptr : typed<double>(value, key, "a number such as 0.5");
        if (whole == nullptr && number == nullptr) {
            return;
        }
        const double content = whole != nullptr ? static_cast<double>(*whole) : *number;
        if (auto broken = broken_rule(rule, content)) {
            problems_.add(value.line, key, std::move(*broken));
        } else {
            out = content;
        }
    }
    void read_value(const TomlValue& value, const Rule& rule, const std::string& key,
                    std::string& out) {
        if (const auto* text = checked<std::string>(value, rule, key, "a text")) {
            out = *text;
        }
    }
    void read_value(const TomlValue& value, const Rule& rule, const std::string& key,
                    FileMode& out) {
        if (const auto* text = checked<std::string>(value, rule, key, "a text such as \"0660\"")) {
            out.bits = file_mode_of(*text).value_or(0);
        }
    }
    void read_value(const TomlValue& value, const Rule& /*rule*/, const std::string& key,
                    bool& out) {
        if (const auto* truth = typed<bool>(value, key, "true or false")) {
            out = *truth;
        }
    }
    template <typename Rep, typename Period>
    void read_value(const TomlValue& value, const Rule& rule, const std::string& key,
                    std::chrono::duration<Rep, Period>& out) {
        if (const auto* number = checked<std::int64_t>(value, rule, key, "a whole number")) {
            out = std::chrono::duration<Rep, Period>(static_cast<Rep>(*number));
        }
    }
    /// Each of them keeps the rule; none is there twice.
    void read_value(const TomlValue& value, const Rule& rule, const std::string& key,
                    std::vector<std::string>& out) {
        if (std::string one; rule.one_is_enough && std::get_if<std::string>(&value.content)) {
            read_value(value, rule, key, one);
            out = {std::move(one)};
            return;
        }
        const auto* items = typed<TomlArray>(value, key, "an array of texts");
        if (items == nullptr) {
            return;
        }
        std::vector<std::string> texts;
        for (std::size_t i = 0; i < items->size(); ++i) {
            std::string text;
            read_value((*items)[i], rule, fmt::format("{}[{}]", key, i), text);
            if (std::ranges::find(texts, text) != texts.end() && !text.empty()) {
                problems_.add((*items)[i].line, fmt::format("{}[{}]", key, i),
                              fmt::format("\"{}\" is there twice", text));
            }
            texts.push_back(std::move(text));
        }
        out = std::move(texts);
    }
    /// The rule is that of each number.
    void read_value(const TomlValue& value, const Rule& rule, const std::string& key,
                    NamedNumbers& out) {
        const auto* table =
            typed<TomlTable>(value, key, "a table of names and numbers such as { beta = 1.0 }");
        if (table == nullptr) {
            return;
        }
        if (table->entries.size() > named_numbers_max) {
            problems_.add(value.line, key,
                          fmt::format("must have at most {} names, not {}", named_numbers_max,
                                      table->entries.size()));
            return;
        }
        out.clear();
        for (const TomlEntry& entry : table->entries) {
            const std::string path = path_of(key, entry.key);
            if (const auto broken = broken_rule(form(Form::label), std::string_view(entry.key))) {
                problems_.add(entry.line, path, "the name " + *broken);
            }
            double number = 0;
            read_value(entry.value, rule, path, number);
            out.push_back({.name = entry.key, .number = number});
        }
    }
    void read_value(const TomlValue& value, const Rule& rule, const std::string& key,
                    LevelSpan& out) {
        const auto* items = typed<TomlArray>(value, key, "an array of 2 levels such as [0, 6]");
        if (items == nullptr) {
            return;
        }
        if (items->size() != 2) {
            problems_.add(value.line, key,
                          fmt::format("must have 2 numbers, the lowest and the highest level, not "
                                      "{}",
                                      items->size()));
            return;
        }
        read_value((*items)[0], rule, key + "[0]", out.lowest);
        read_value((*items)[1], rule, key + "[1]", out.highest);
    }
    void read_value(const TomlValue& value, const Rule& rule, const std::string& key,
                    LevelTimes& out) {
        const auto* items = typed<TomlArray>(value, key, "an array of 7 whole numbers");
        if (items == nullptr) {
            return;
        }
        if (items->size() != out.size()) {
            problems_.add(value.line, key,
                          fmt::format("must have {} numbers, one for each level, not {}",
                                      out.size(), items->size()));
            return;
        }
        for (std::size_t level = 0; level < out.size(); ++level) {
            read_value((*items)[level], rule, fmt::format("{}[{}]", key, level), out.at(level));
        }
    }
    template <typename Enum>
    requires std::is_enum_v<Enum>
    void read_value(const TomlValue& value, const Rule& /*rule*/, const std::string& key,
                    Enum& out) {
        const auto* word = typed<std::string>(value, key, "a text");
        if (word == nullptr) {
            return;
        }
        const auto& names = Words<Enum>::names;
        const auto found = std::ranges::find(names, *word);
        if (found == names.end()) {
            problems_.add(value.line, key,
                          fmt::format("must be one of \"{}\"", fmt::join(names, "\", \"")));
            return;
        }
        out = static_cast<Enum>(found - names.begin());
    }
    template <typename T>
    void read_value(const TomlValue& value, const Rule& rule, const std::string& key,
                    std::optional<T>& out) {
        const std::size_t faults = problems_.size();
        T content = {};
        read_value(value, rule, key, content);
        if (problems_.size() == faults) {  // what was said wrong is as if not said
            out = std::move(content);
        }
    }
    template <typename Section>
    requires requires { Section::fields; }
    void read_value(const TomlValue& value, const Rule& /*rule*/, const std::string& key,
                    Section& out) {
        if (const auto* table = typed<TomlTable>(value, key, "a table in braces")) {
            TableReader inner(*table, value.line, key, problems_);
            inner.read(out);
            inner.refuse_others<Section>();
        }
    }

    const TomlTable& table_;
    const int line_;
    const std::string section_;
    ProblemList& problems_;
};

}  // namespace smsrack::config
