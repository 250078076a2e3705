/// The topics of one trigger: the text of each, and which pair it is part of.
///
/// Members of a group share the group's pair. Where any topic is taken, one that was never heard of gets its place here, and a
/// number of the store before its first pair.
/// Threads: one.
#pragma once

#include "src/base/field_template.hpp"
#include "src/base/result.hpp"
#include "src/ports/trigger_store.hpp"
#include "src/trigger/event.hpp"
#include "src/trigger/settings.hpp"
#include "src/trigger/view.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace smsrack::trigger {

/// As the store has the name of a topic that is in no group.
[[nodiscard]] std::string stored_topic(std::string_view name);

/// Every text of a trigger can be filled from its events. bad_config: which can't, and why.
[[nodiscard]] Result<> check_texts(const TriggerSettings& settings);

class TopicBook {
public:
    /// Of a topic or a group, with a pair for each number.
    struct PairTopic {
        TopicView view = {};
        std::string stored_name = {};  ///< in the store
        bool loaded = false;           ///< its filter has all that the index has
        bool no_number = false;        ///< the store has none left for it
    };
    struct Place {
        std::uint32_t topic = 0;  ///< for text()
        std::uint32_t pair_topic = 0;
    };

    /// `settings` outlives the book, and check_texts() was content with it.
    explicit TopicBook(const TriggerSettings& settings);

    /// An event may name it: it is of the file, or no file is there and it has 1 to 255 octets.
    [[nodiscard]] bool is_valid(std::string_view topic) const;

    /// Gives a new one its place. Nullopt if it is not valid, or topics_max are there already.
    [[nodiscard]] std::optional<Place> find(std::string_view topic);

    /// The pair topic of a topic, or of a group; adds nothing.
    [[nodiscard]] std::optional<std::uint32_t> known(std::string_view topic) const;

    [[nodiscard]] PairTopic& pair_topic(std::uint32_t index) { return pair_topics_[index]; }
    [[nodiscard]] const PairTopic& pair_topic(std::uint32_t index) const {
        return pair_topics_[index];
    }
    [[nodiscard]] const std::vector<PairTopic>& pair_topics() const { return pair_topics_; }
    [[nodiscard]] std::optional<std::uint32_t> with_id(ports::TopicId id) const;
    void number(std::uint32_t index, ports::TopicId id);
    /// Adds the place of a topic that the store has had, by its name there. Nullopt if it has none
    /// here (a former group).
    [[nodiscard]] std::optional<std::uint32_t> know(std::string_view stored_name);

    /// What the message says. `fields`: as of the event, in the order of the settings.
    [[nodiscard]] std::string text(const Place& place, std::string_view number,
                                   std::span<const std::string> fields) const;
    /// Fields of the event that its text can't do without, by their place. Also of a topic that has no place yet.
    [[nodiscard]] const std::vector<bool>& needed(std::string_view topic) const {
        const auto known = by_name_.find(topic);
        return known == by_name_.end() ? needed_of_new_ : topics_[known->second].needed;
    }

private:
    struct TopicText {
        std::string name;
        FieldTemplate text;  ///< of its own
        bool wraps = false;  ///< the trigger's template has a place for it
        bool has_own = false;
        std::uint32_t pair_topic = 0;
        std::vector<bool> needed = {};
    };

    std::uint32_t add(const Topic& topic);
    std::uint32_t pair_topic_named(const std::string& stored_name, const std::string& name);

    const TriggerSettings& settings_;
    FieldTemplate template_;
    std::vector<bool> needed_of_new_ = {};
    std::vector<TopicText> topics_ = {};
    std::vector<PairTopic> pair_topics_ = {};
    std::map<std::string, std::uint32_t, std::less<>> by_name_ = {};
    std::map<std::string, std::uint32_t, std::less<>> pairs_by_name_ = {};
    std::unordered_map<std::int32_t, std::uint32_t> pairs_by_id_ = {};
};

}  // namespace smsrack::trigger
