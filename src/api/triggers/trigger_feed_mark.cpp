#include "src/api/triggers/trigger_feed_mark.hpp"

#include "src/wire/json.hpp"
#include "src/wire/json_writer.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace smsrack::api {
namespace {

constexpr std::string_view mark_begin = "feed ";

/// nlohmann throws where a member is another thing than it must be.
std::optional<FeedLeft> left_of(const wire::Json& head) {
    try {
        FeedLeft left;
        head.at("trigger").get_to(left.trigger);
        const auto counts = head.at("counts").get<std::vector<std::uint64_t>>();
        std::ranges::copy_n(counts.begin(), std::min(counts.size(), trigger::verdict_count),
                            left.counts.by_verdict.begin());  // another version may have others
        for (const wire::Json& sample : head.at("samples")) {
            left.counts.sample(sample.at("line").get<std::uint64_t>(),
                               sample.at("why").get<std::string>());
        }
        head.at("line").get_to(left.place.number);
        head.at("skipping").get_to(left.place.skipping);
        head.at("ended").get_to(left.ended);
        return left;
    } catch (const wire::Json::exception&) {
        return std::nullopt;
    }
}

}  // namespace

bool is_feed_mark(std::string_view mark) {
    return mark.starts_with(mark_begin);
}

/// A line of JSON; behind it, as it came, the half line with its length in front, and the text.
std::string feed_mark(const FeedLeft& left) {
    return std::string(mark_begin) + wire::json_object([&](wire::JsonWriter& json) {
               json.member("trigger", left.trigger);
               json.list("counts", left.counts.by_verdict);
               json.objects("samples", left.counts.samples, [&](const trigger::BadEvent& bad) {
                   json.member("line", bad.line);
                   json.member("why", bad.why);
               });
               json.member("line", left.place.number);
               json.member("skipping", left.place.skipping);
               json.member("ended", left.ended);
               json.member("half", left.place.held.size());
           }) +
           '\n' + left.place.held + left.text;
}

std::optional<FeedLeft> read_feed_mark(std::string_view mark) {
    const std::size_t end = mark.find('\n');
    if (!is_feed_mark(mark) || end == std::string_view::npos) {
        return std::nullopt;
    }
    const auto head = wire::parse_json(mark.substr(mark_begin.size(), end - mark_begin.size()));
    auto left = head ? left_of(*head) : std::nullopt;
    const std::string_view rest = mark.substr(end + 1);
    const auto half = left ? head->find("half") : wire::Json::const_iterator();
    if (!left || half == head->end() || !half->is_number_unsigned() ||
        half->get<std::uint64_t>() > rest.size()) {
        return std::nullopt;
    }
    left->place.held = rest.substr(0, half->get<std::size_t>());
    left->text = rest.substr(left->place.held.size());
    return left;
}

}  // namespace smsrack::api
