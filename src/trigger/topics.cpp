#include "src/trigger/topics.hpp"

#include "src/base/field_template.hpp"
#include "src/pdu/utf8.hpp"

#include <optional>
#include <unordered_set>
#include <utility>

namespace smsrack::trigger {
namespace {

constexpr std::size_t columns_max = 3;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

std::unexpected<Error> fault(std::size_t line, const std::string& what) {
    return fail(Errc::bad_config, "line " + std::to_string(line) + ": " + what);
}

struct Record {
    std::size_t line = 0;  ///< where it begins, from 1
    std::vector<std::string> fields = {};
};

/// RFC 4180, with line ends of CR LF or LF.
class CsvReader {
public:
    explicit CsvReader(std::string_view text) : rest_(text) {}

    /// Nothing: the end.
    Result<std::optional<Record>> next() {
        if (rest_.empty()) {
            return std::nullopt;
        }
        Record record{.line = line_};
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
            return fault(line_, "a carriage return within a record that is not quoted");
        }
        if (!rest_.empty()) {
            rest_.remove_prefix(1);
            ++line_;
        }
        return record;
    }

private:
    Result<std::string> plain() {
        const std::string_view field = rest_.substr(0, rest_.find_first_of(",\r\n"));
        if (field.contains('"')) {
            return fault(line_, "a quote within a field that does not begin with one");
        }
        rest_.remove_prefix(field.size());
        return std::string(field);
    }

    Result<std::string> quoted() {
        const std::size_t began = line_;
        std::string field;
        rest_.remove_prefix(1);
        while (true) {
            const std::size_t quote = rest_.find('"');
            if (quote == std::string_view::npos) {
                return fault(began, "a quote that does not end");
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
            return fault(line_, "something behind the quote that ends a field");
        }
        return field;
    }

    std::string_view rest_;
    std::size_t line_ = 1;
};

/// Tables are saved in other alphabets too, and then no text of them could ever be sent.
Result<> check_alphabet(std::string_view text) {
    std::size_t line = 1;
    for (std::size_t at = 0; at < text.size();) {
        const pdu::CodePoint character = pdu::code_point_at(text, at);
        if (character.octets == 0 || character.value == 0) {
            return fault(line,
                         character.octets == 0
                             ? "not UTF-8: save the file as \"CSV UTF-8\""
                             : "an octet 0, as UTF-16 has them: save the file as \"CSV UTF-8\"");
        }
        line += character.value == '\n' ? 1 : 0;
        at += character.octets;
    }
    return {};
}

/// Seen where no record has a comma: the whole of each would be the name of a topic.
class Semicolons {
public:
    void look_at(const Record& record) {
        commas_ = commas_ || record.fields.size() > 1;
        if (first_ == 0 && record.fields[0].contains(';')) {
            first_ = record.line;
            heads_ = record.line == 1 && record.fields[0].starts_with("topic;");
        }
    }
    [[nodiscard]] Result<> verdict() const {
        if (first_ != 0 && (heads_ || !commas_)) {
            return fault(first_, "fields are parted by semicolons: save the file with commas");
        }
        return {};
    }

private:
    std::size_t first_ = 0;
    bool heads_ = false;
    bool commas_ = false;
};

bool is_heading(const Record& record) {
    const std::vector<std::string>& f = record.fields;
    return record.line == 1 && f.size() >= 2 && f[0] == "topic" && f[1] == "text" &&
           (f.size() == 2 || f[2] == "group");
}

bool is_blank(const Record& record) {
    return record.fields.size() == 1 && record.fields[0].empty();
}

Result<Topic> topic_of(Record& record) {
    if (record.fields.size() > columns_max) {
        return fault(record.line,
                     "more than the three fields topic, text and group (a text with a "
                     "comma is put in quotes)");
    }
    record.fields.resize(columns_max);
    Topic topic{.name = std::move(record.fields[0]),
                .text = std::move(record.fields[1]),
                .group = std::move(record.fields[2])};
    if (topic.name.empty()) {
        return fault(record.line, "no topic");
    }
    if (topic.name.size() > topic_octets_max || topic.group.size() > topic_octets_max) {
        return fault(record.line, "a topic or group of more than 255 octets");
    }
    if (auto text = FieldTemplate::parse(topic.text); !text) {
        return fault(record.line, "text: " + text.error().context);
    }
    return topic;
}

}  // namespace

Result<Topics> parse_topics(std::string_view text) {
    if (text.starts_with(byte_order_mark)) {
        text.remove_prefix(byte_order_mark.size());
    }
    if (auto good = check_alphabet(text); !good) {
        return std::unexpected(std::move(good.error()));
    }
    CsvReader reader(text);
    Semicolons semicolons;
    Topics topics;
    std::unordered_set<std::string> names;
    while (true) {
        auto record = reader.next();
        if (!record) {
            return std::unexpected(std::move(record.error()));
        }
        if (!*record) {
            break;
        }
        if (is_heading(**record) || is_blank(**record)) {
            continue;
        }
        semicolons.look_at(**record);
        const std::size_t line = (*record)->line;
        auto topic = topic_of(**record);
        if (!topic) {
            return std::unexpected(std::move(topic.error()));
        }
        if (!names.insert(topic->name).second) {
            return fault(line, "the topic stands on an earlier line too");
        }
        if (topics.size() == topics_max) {
            return fault(line, "more than " + std::to_string(topics_max) + " topics");
        }
        topics.push_back(*std::move(topic));
    }
    if (auto good = semicolons.verdict(); !good) {
        return std::unexpected(std::move(good.error()));
    }
    if (topics.empty()) {
        return fault(1, "no topic in the file");
    }
    return topics;
}

}  // namespace smsrack::trigger
