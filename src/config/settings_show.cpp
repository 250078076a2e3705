#include "src/config/settings_show.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ranges>
#include <type_traits>

namespace smsrack::config {
namespace {

template <typename T>
requires std::is_arithmetic_v<T> std::string shown(T value) {
    return fmt::to_string(value);
}
std::string shown(const std::string& value) {
    return config::quoted(value);
}
std::string shown(FileMode mode) {
    return fmt::format("\"{:04o}\"", mode.bits);
}

template <typename Rep, typename Period>
std::string shown(std::chrono::duration<Rep, Period> value) {
    return fmt::to_string(value.count());
}

std::string shown(const LevelTimes& times) {
    return fmt::format(
        "[{}]",
        fmt::join(times | std::views::transform([](auto time) { return time.count(); }), ", "));
}

std::string shown(LevelSpan levels) {
    return fmt::format("[{}, {}]", levels.lowest, levels.highest);
}

std::string shown(const std::vector<std::string>& texts) {
    return fmt::format("[{}]", fmt::join(texts | std::views::transform(quoted), ", "));
}

/// { beta = 1, "a.b" = 0.5 }
std::string shown(const NamedNumbers& numbers) {
    constexpr std::string_view bare =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    std::string text = "{";
    for (const NamedNumber& one : numbers) {
        const bool plain = one.name.find_first_not_of(bare) == std::string::npos;
        text += fmt::format("{} {} = {}", text.size() == 1 ? "" : ",",
                            plain ? one.name : config::quoted(one.name), one.number);
    }
    return text + " }";
}

template <typename Enum>
requires std::is_enum_v<Enum> std::string shown(Enum value) {
    return config::quoted(Words<Enum>::names.at(static_cast<std::size_t>(value)));
}

bool is_absent(const auto& /*value*/) {
    return false;
}
bool is_absent(const std::string& value) {
    return value.empty();
}
bool is_absent(const NamedNumbers& value) {
    return value.empty();
}
template <typename T>
bool is_absent(const std::optional<T>& value) {
    return !value;
}

template <typename T>
std::string shown(const std::optional<T>& value);

/// { file = "..." }
template <typename Section>
requires requires {
    Section::fields;
}
std::string shown(const Section& section) {
    std::string text = "{";
    const auto add = [&](const auto& field) {
        if (!is_absent(section.*(field.member))) {
            text += fmt::format("{} {} = {}", text.size() == 1 ? "" : ",", field.key,
                                shown(section.*(field.member)));
        }
    };
    std::apply([&](const auto&... fields) { (add(fields), ...); }, Section::fields);
    return text + " }";
}

template <typename T>
std::string shown(const std::optional<T>& value) {
    return shown(*value);
}

void add_line(std::string& out, std::string_view key, const std::string& value,
              std::string_view help) {
    const std::string assignment = fmt::format("{} = {}", key, value);
    out += help.empty() ? assignment + "\n" : fmt::format("{:<42} # {}\n", assignment, help);
}

/// A line for each field; one without a value becomes a comment.
template <typename Section>
void add_fields(std::string& out, const Section& section) {
    const auto add = [&](const auto& field) {
        const auto& value = section.*(field.member);
        constexpr bool empty_means_absent = std::is_same_v<Section, LineSettings>;
        if (is_absent(value) && !(empty_means_absent && field.key == "trunk")) {
            out += fmt::format("# {} is not set{}{}\n", field.key, field.help.empty() ? "" : ": ",
                               field.help);
        } else {
            add_line(out, field.key, shown(value), field.help);
        }
    };
    std::apply([&](const auto&... fields) { (add(fields), ...); }, Section::fields);
}

/// What differs from [defaults].
void add_own(std::string& out, const LineSettings& own, const LineSettings& defaults) {
    const auto add = [&](const auto& field) {
        if (own.*(field.member) != defaults.*(field.member)) {
            add_line(out, field.key, shown(own.*(field.member)), "");
        }
    };
    std::apply([&](const auto&... fields) { (add(fields), ...); }, LineSettings::fields);
}

template <typename Section>
void add_table(std::string& out, std::string_view name, const Section& section,
               const Settings& /*settings*/) {
    out += fmt::format("\n[{}]\n", name);
    add_fields(out, section);
}

template <typename Section>
void add_table(std::string& out, std::string_view name, const std::optional<Section>& section,
               const Settings& settings) {
    if (section) {
        add_table(out, name, *section, settings);
    }
}

template <typename Item>
void add_table(std::string& out, std::string_view name, const std::vector<Item>& items,
               const Settings& settings) {
    for (const Item& item : items) {
        out += fmt::format("\n[[{}]]\n", name);
        add_fields(out, item);
        if constexpr (std::is_same_v<Item, ModemSettings>) {
            add_own(out, item.line, settings.defaults);
        }
    }
}

}  // namespace

std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
            out += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
        } else {
            out += c;
        }
    }
    return out + '"';
}

std::string settings_as_toml(const Settings& settings) {
    std::string out =
        "# The effective configuration of smsrack: what the file says, and the defaults for what "
        "it does not.\n";
    std::apply(
        [&](const auto&... tables) {
            (add_table(out, tables.name, settings.*(tables.member), settings), ...);
        },
        Settings::tables);
    return out;
}

}  // namespace smsrack::config
