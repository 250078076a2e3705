#include "src/trigger/event_check.hpp"

#include "src/base/label.hpp"
#include "src/dedup/pair_key.hpp"
#include "src/trigger/event_age.hpp"

namespace smsrack::trigger {
namespace {

/// A closed trigger may have lost its table of places: its events are read, so that the answer can
/// say why it takes none.
EventForm form_of(const TriggerSettings& settings) {
    return {.fields = settings.fields,
            .time = settings.max_age.count() > 0,
            .tag = !settings.share_by_tag.empty(),
            .place = settings.places != nullptr || !settings.closed.empty()};
}

}  // namespace

Result<std::int64_t> pair_number_of(std::string_view number, const NumberPlan& plan) {
    if (const auto plain = dedup::pair_number(number)) {
        constexpr std::size_t shortest = 8;  // "+" and 7 digits, as normalised_number() has it
        if (number.size() >= shortest) {
            return static_cast<std::int64_t>(*plain);
        }
    }
    const auto normalised = normalised_number(number, plan);
    if (!normalised) {
        return std::unexpected(normalised.error());
    }
    const auto digits = dedup::pair_number(*normalised);
    if (!digits) {
        return fail(Errc::bad_number, "a short code is no person's number");
    }
    return static_cast<std::int64_t>(*digits);
}

EventCheck::EventCheck(const TriggerSettings& settings, const TopicBook& book, const Clock& clock)
    : settings_(settings),
      book_(book),
      clock_(clock),
      form_(form_of(settings)),
      tag_(settings.tag.empty() ? settings.name : settings.tag),
      shares_(settings.share_by_tag, settings.share) {}

std::expected<EventCheck::Passed, EventCheck::Failed> EventCheck::check(const Event& event,
                                                                        std::size_t tag) const {
    const auto bad = [](std::string why) {
        return std::unexpected(Failed{.verdict = Verdict::bad, .why = std::move(why)});
    };
    const auto number = pair_number_of(event.number, settings_.plan);
    if (!number) {
        return bad("number: " + number.error().context);
    }
    if (form_.tag && event.tag.data() != nullptr && !is_label(event.tag)) {
        return bad("tag: not 1 to 64 of letters, digits, \"_\", \"-\", \".\" and \":\"");
    }
    const auto fresh = fresh_until(event);
    if (!fresh) {
        return bad("time: " + fresh.error().context);
    }
    if (*fresh < clock_.steady()) {
        return std::unexpected(Failed{.verdict = Verdict::too_old});
    }
    const auto topic = topic_of(event);
    if (!topic) {
        return bad(topic.error().context);
    }
    if (!*topic) {
        return std::unexpected(Failed{.verdict = Verdict::no_topic});
    }
    if (!book_.is_valid(**topic)) {
        return bad(settings_.topics ? "topic: not in the trigger's file of topics"
                                    : "topic: not 1 to 255 octets");
    }
    const std::vector<bool>& needed = book_.needed(**topic);
    for (std::size_t i = 0; i < needed.size(); ++i) {
        if (needed[i] && (i >= event.fields.size() || event.fields[i].data() == nullptr)) {
            return bad(settings_.fields[i] + ": missing, and the text has a place for it");
        }
    }
    if (!selects(*number, tag)) {
        return std::unexpected(Failed{.verdict = Verdict::outside});
    }
    return Passed{.number = *number, .topic = **topic, .fresh_until = *fresh};
}

/// nullopt: the table of places has no topic for it. A cell that the table does not know may be said
/// with a point that it does.
Result<std::optional<std::string_view>> EventCheck::topic_of(const Event& event) const {
    const bool has_point = event.lat.data() != nullptr || event.lon.data() != nullptr;
    if (!form_.place || event.topic.data() != nullptr) {
        return event.topic;
    }
    if (event.cell.data() == nullptr && !has_point) {
        return fail(Errc::bad_request, "topic: is missing, and so are cell, and lat and lon");
    }
    const std::string* topic =
        event.cell.data() == nullptr ? nullptr : settings_.places->of_cell(event.cell);
    if (has_point) {
        const auto point = map_point(event.lat, event.lon);
        if (!point) {
            return std::unexpected(point.error());
        }
        topic = topic == nullptr ? settings_.places->of_point(*point) : topic;
    }
    return topic == nullptr ? std::nullopt : std::optional<std::string_view>(*topic);
}

Result<SteadyTime> EventCheck::fresh_until(const Event& event) const {
    if (!form_.time) {
        return never;
    }
    const WallTime now = clock_.wall();
    WallTime happened = now;
    if (event.time.data() != nullptr) {
        const auto time = event_time(event.time);
        if (!time) {
            return std::unexpected(time.error());
        }
        happened = *time;
    }
    return AgeLimit{settings_.max_age}.fresh_until(happened, now, clock_.steady());
}

bool EventCheck::selects(std::int64_t number, std::size_t tag) const {
    return in_share(shares_.share(tag), tag_, number);
}

std::vector<std::string> EventCheck::tags_of(std::int64_t number) const {
    std::vector<std::string> tags;
    for (std::size_t place = 0; place < shares_.rest(); ++place) {
        if (selects(number, place)) {
            tags.push_back(shares_.by_tag()[place].tag);
        }
    }
    return tags;
}

}  // namespace smsrack::trigger
