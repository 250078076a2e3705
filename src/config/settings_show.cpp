#include "src/config/settings_show.hpp"

#include <fmt/format.h>
#include <type_traits>

namespace smsrack::config {
namespace {

std::string shown(std::int64_t value) {
    return fmt::to_string(value);
}
std::string shown(double value) {
    return fmt::to_string(value);
}
std::string shown(bool value) {
    return value ? "true" : "false";
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
    std::string text = "[";
    for (const auto time : times) {
        text += fmt::format("{}{}", text.size() == 1 ? "" : ", ", time.count());
    }
    return text + "]";
}

std::string shown(const std::vector<std::string>& texts) {
    std::string text = "[";
    for (const std::string& one : texts) {
        text += (text.size() == 1 ? "" : ", ") + config::quoted(one);
    }
    return text + "]";
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

template <typename Section>
void add_section(std::string& out, std::string_view name, const Section& section) {
    out += fmt::format("\n[{}]\n", name);
    add_fields(out, section);
}

void add_modem(std::string& out, const ModemSettings& modem, const LineSettings& defaults) {
    out += "\n[[modem]]\n";
    add_fields(out, modem);
    const auto add = [&](const auto& field) {
        const auto& own = modem.line.*(field.member);
        if (own != defaults.*(field.member)) {
            add_line(out, field.key, shown(own), "");
        }
    };
    std::apply([&](const auto&... fields) { (add(fields), ...); }, LineSettings::fields);
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
    add_section(out, "service", settings.service);
    add_section(out, "defaults", settings.defaults);
    for (const ModemSettings& modem : settings.modems) {
        add_modem(out, modem, settings.defaults);
    }
    for (const RouteSettings& route : settings.routes) {
        out += "\n[[route]]\n";
        add_fields(out, route);
    }
    add_section(out, "queue", settings.queue);
    add_section(out, "priority", settings.priority);
    add_section(out, "scaling", settings.scaling);
    add_section(out, "clients", settings.clients);
    for (const ClientSettings& client : settings.client_list) {
        out += "\n[[client]]\n";
        add_fields(out, client);
    }
    add_section(out, "dedup", settings.dedup);
    add_section(out, "messages", settings.messages);
    add_section(out, "inbox", settings.inbox);
    add_section(out, "destinations", settings.destinations);
    add_section(out, "limits", settings.limits);
    add_section(out, "quiet_hours", settings.quiet_hours);
    add_section(out, "opt_out", settings.opt_out);
    for (const TriggerSettings& trigger : settings.triggers) {
        out += "\n[[trigger]]\n";
        add_fields(out, trigger);
    }
    return out;
}

}  // namespace smsrack::config
