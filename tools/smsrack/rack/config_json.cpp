#include "tools/smsrack/rack/config_json.hpp"

#include <concepts>
#include <fmt/format.h>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>

namespace smsrack::cli {
namespace {

using wire::Json;

Json json_of(bool value) {
    return value;
}
Json json_of(std::int64_t value) {
    return value;
}
Json json_of(const std::string& value) {
    return value;
}
Json json_of(config::FileMode mode) {
    return fmt::format("{:04o}", mode.bits);
}

template <typename Rep, typename Period>
Json json_of(std::chrono::duration<Rep, Period> value) {
    return static_cast<std::int64_t>(value.count());
}

Json json_of(double value) {
    return value;
}

template <typename Enum>
requires std::is_enum_v<Enum> Json json_of(Enum value) {
    return config::Words<Enum>::names.at(static_cast<std::size_t>(value));
}

template <typename Section>
void add_fields(Json& object, const Section& section);

template <typename Section>
requires requires {
    Section::fields;
}
Json json_of(const Section& section) {
    Json object = Json::object();
    add_fields(object, section);
    return object;
}

/// A list of values, or an array of one for each level.
template <typename List>
requires(std::ranges::range<List> && !std::convertible_to<List, std::string_view>) Json
    json_of(const List& items) {
    Json array = Json::array();
    for (const auto& item : items) {
        array.push_back(json_of(item));
    }
    return array;
}

template <typename T>
Json json_of(const std::optional<T>& value) {
    return value ? json_of(*value) : Json();
}

template <typename Section>
void add_fields(Json& object, const Section& section) {
    const auto add = [&](const auto& field) {
        object[field.key] = json_of(section.*(field.member));
    };
    std::apply([&](const auto&... fields) { (add(fields), ...); }, Section::fields);
}

}  // namespace

Json settings_as_json(const config::Settings& settings) {
    Json modems = Json::array();
    for (const config::ModemSettings& modem : settings.modems) {
        Json object = json_of(modem);
        add_fields(object, modem.line);
        modems.push_back(std::move(object));
    }
    return {{"service", json_of(settings.service)},
            {"defaults", json_of(settings.defaults)},
            {"modem", std::move(modems)},
            {"route", json_of(settings.routes)},
            {"queue", json_of(settings.queue)},
            {"priority", json_of(settings.priority)},
            {"scaling", json_of(settings.scaling)},
            {"clients", json_of(settings.clients)},
            {"client", json_of(settings.client_list)},
            {"dedup", json_of(settings.dedup)},
            {"messages", json_of(settings.messages)},
            {"inbox", json_of(settings.inbox)},
            {"destinations", json_of(settings.destinations)},
            {"limits", json_of(settings.limits)},
            {"quiet_hours", json_of(settings.quiet_hours)},
            {"opt_out", json_of(settings.opt_out)},
            {"http", json_of(settings.http)},
            {"webhook", json_of(settings.webhooks)}};
}

}  // namespace smsrack::cli
