#include "src/trigger/topics.hpp"

#include "src/base/field_template.hpp"
#include "src/trigger/csv.hpp"

#include <unordered_set>
#include <utility>

namespace smsrack::trigger {
namespace {

constexpr std::size_t columns_max = 3;

/// Seen where no record has a comma: the whole of each would be the name of a topic.
class Semicolons {
public:
    void look_at(const CsvRecord& record) {
        commas_ = commas_ || record.fields.size() > 1;
        if (first_ == 0 && record.fields[0].contains(';')) {
            first_ = record.line;
            heads_ = record.line == 1 && record.fields[0].starts_with("topic;");
        }
    }
    [[nodiscard]] Result<> verdict() const {
        if (first_ != 0 && (heads_ || !commas_)) {
            return csv_fault(first_, "fields are parted by semicolons: save the file with commas");
        }
        return {};
    }

private:
    std::size_t first_ = 0;
    bool heads_ = false;
    bool commas_ = false;
};

bool is_heading(const CsvRecord& record) {
    const std::vector<std::string>& f = record.fields;
    return record.line == 1 && f.size() >= 2 && f[0] == "topic" && f[1] == "text" &&
           (f.size() == 2 || f[2] == "group");
}

Result<Topic> topic_of(CsvRecord& record) {
    if (record.fields.size() > columns_max) {
        return csv_fault(record.line,
                         "more than the three fields topic, text and group (a text with a comma is "
                         "put in quotes)");
    }
    record.fields.resize(columns_max);
    Topic topic{.name = std::move(record.fields[0]),
                .text = std::move(record.fields[1]),
                .group = std::move(record.fields[2])};
    if (topic.name.empty()) {
        return csv_fault(record.line, "no topic");
    }
    if (topic.name.size() > topic_octets_max || topic.group.size() > topic_octets_max) {
        return csv_fault(record.line, "a topic or group of more than 255 octets");
    }
    if (auto text = FieldTemplate::parse(topic.text); !text) {
        return csv_fault(record.line, "text: " + text.error().context);
    }
    return topic;
}

}  // namespace

Result<Topics> parse_topics(std::string_view text) {
    Semicolons semicolons;
    Topics topics;
    std::unordered_set<std::string> names;
    auto read = read_csv(text, [&](CsvRecord& record) -> Result<> {
        if (is_heading(record)) {
            return {};
        }
        semicolons.look_at(record);
        auto topic = topic_of(record);
        if (!topic) {
            return std::unexpected(std::move(topic.error()));
        }
        if (!names.insert(topic->name).second) {
            return csv_fault(record.line, "the topic is on an earlier line too");
        }
        if (topics.size() == topics_max) {
            return csv_fault(record.line, "more than " + std::to_string(topics_max) + " topics");
        }
        topics.push_back(*std::move(topic));
        return {};
    });
    if (!read) {
        return std::unexpected(std::move(read.error()));
    }
    if (auto good = semicolons.verdict(); !good) {
        return std::unexpected(std::move(good.error()));
    }
    if (topics.empty()) {
        return csv_fault(1, "no topic in the file");
    }
    return topics;
}

}  // namespace smsrack::trigger
