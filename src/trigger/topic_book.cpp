#include "src/trigger/topic_book.hpp"

#include <algorithm>

namespace smsrack::trigger {
namespace {

constexpr std::string_view group_prefix = "group:";
constexpr std::string_view topic_prefix = "topic:";

Result<> check_fields(const FieldTemplate& text, const TriggerSettings& settings,
                      std::string_view where, bool own) {
    for (const std::string& field : text.fields()) {
        const bool known = field == "topic" || field == "number" || (field == "text" && !own) ||
                           std::ranges::find(settings.fields, field) != settings.fields.end();
        if (!known) {
            return fail(Errc::bad_config,
                        std::string(where) + ": unknown field {" + field +
                            "}: not {topic}, {number} or one of the trigger's \"fields\"");
        }
    }
    return {};
}

FieldTemplate parsed(std::string_view text) {
    auto result = FieldTemplate::parse(text);
    return result ? *std::move(result) : FieldTemplate();
}

}  // namespace

std::string stored_topic(std::string_view name) {
    return std::string(topic_prefix) + std::string(name);
}

Result<> check_texts(const TriggerSettings& settings) {
    auto whole = FieldTemplate::parse(settings.template_text);
    if (!whole) {
        return fail(Errc::bad_config, "template: " + whole.error().context);
    }
    if (auto good = check_fields(*whole, settings, "template", false); !good) {
        return good;
    }
    for (const Topic& topic : settings.topics.value_or(Topics{})) {
        auto text = FieldTemplate::parse(topic.text);
        if (!text) {
            return fail(Errc::bad_config, "topic " + topic.name + ": " + text.error().context);
        }
        if (auto good = check_fields(*text, settings, "topic " + topic.name, true); !good) {
            return good;
        }
        if (topic.text.empty() && settings.template_text.empty()) {
            return fail(Errc::bad_config,
                        "topic " + topic.name + ": no text, and the trigger has no template");
        }
    }
    return {};
}

TopicBook::TopicBook(const TriggerSettings& settings)
    : settings_(settings), template_(parsed(settings.template_text)) {
    for (const std::string& field : settings.fields) {
        needed_of_new_.push_back(template_.uses(field));
    }
    for (const Topic& topic : settings.topics.value_or(Topics{})) {
        (void)add(topic);
    }
}

std::uint32_t TopicBook::add(const Topic& topic) {
    const auto index = static_cast<std::uint32_t>(topics_.size());
    TopicText& entry = topics_.emplace_back();
    entry.name = topic.name;
    entry.has_own = !topic.text.empty();
    entry.wraps = !entry.has_own || template_.uses("text");
    entry.text = parsed(topic.text);
    entry.pair_topic = topic.group.empty()
                           ? pair_topic_named(stored_topic(topic.name), topic.name)
                           : pair_topic_named(std::string(group_prefix) + topic.group, topic.group);
    if (!topic.group.empty()) {
        pair_topics_[entry.pair_topic].view.members.push_back(topic.name);
    }
    for (const std::string& field : settings_.fields) {
        entry.needed.push_back(entry.text.uses(field) || (entry.wraps && template_.uses(field)));
    }
    by_name_.emplace(topic.name, index);
    return index;
}

std::uint32_t TopicBook::pair_topic_named(const std::string& stored_name, const std::string& name) {
    const auto [at, fresh] =
        pairs_by_name_.emplace(stored_name, static_cast<std::uint32_t>(pair_topics_.size()));
    if (fresh) {
        pair_topics_.push_back({.view = {.name = name}, .stored_name = stored_name});
    }
    return at->second;
}

bool TopicBook::is_valid(std::string_view topic) const {
    return settings_.topics ? by_name_.contains(topic)
                            : !topic.empty() && topic.size() <= topic_octets_max;
}

std::optional<TopicBook::Place> TopicBook::find(std::string_view topic) {
    const auto known = by_name_.find(topic);
    if (known != by_name_.end()) {
        return Place{.topic = known->second, .pair_topic = topics_[known->second].pair_topic};
    }
    if (!is_valid(topic) || topics_.size() >= settings_.topics_max) {
        return std::nullopt;
    }
    const std::uint32_t index = add({.name = std::string(topic)});
    return Place{.topic = index, .pair_topic = topics_[index].pair_topic};
}

std::optional<std::uint32_t> TopicBook::known(std::string_view topic) const {
    if (const auto one = by_name_.find(topic); one != by_name_.end()) {
        return topics_[one->second].pair_topic;
    }
    const auto group = pairs_by_name_.find(std::string(group_prefix) + std::string(topic));
    return group == pairs_by_name_.end() ? std::nullopt : std::optional(group->second);
}

std::optional<std::uint32_t> TopicBook::with_id(ports::TopicId id) const {
    const auto known = pairs_by_id_.find(id.value);
    return known == pairs_by_id_.end() ? std::nullopt : std::optional(known->second);
}

void TopicBook::number(std::uint32_t index, ports::TopicId id) {
    pair_topics_[index].view.id = id;
    pairs_by_id_.insert_or_assign(id.value, index);
}

std::optional<std::uint32_t> TopicBook::know(std::string_view stored_name) {
    const auto known = pairs_by_name_.find(stored_name);
    if (known != pairs_by_name_.end()) {
        return known->second;
    }
    if (!stored_name.starts_with(topic_prefix)) {
        return std::nullopt;
    }
    const auto place = find(stored_name.substr(topic_prefix.size()));
    return place ? std::optional(place->pair_topic) : std::nullopt;
}

std::string TopicBook::text(const Place& place, std::string_view number,
                            std::span<const std::string> fields) const {
    const TopicText& topic = topics_[place.topic];
    std::string own;
    const auto value_of = [&](std::string_view field) -> std::string_view {
        if (field == "topic") {
            return topic.name;
        }
        if (field == "number") {
            return number;
        }
        if (field == "text") {
            return own;
        }
        const auto at = std::ranges::find(settings_.fields, field) - settings_.fields.begin();
        return static_cast<std::size_t>(at) < fields.size()
                   ? std::string_view(fields[static_cast<std::size_t>(at)])
                   : std::string_view();
    };
    own = topic.text.fill(value_of);
    return topic.wraps ? template_.fill(value_of) : own;
}

}  // namespace smsrack::trigger
