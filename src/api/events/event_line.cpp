#include "src/api/events/event_line.hpp"

#include "src/api/submit/line_scan.hpp"
#include "src/base/check.hpp"
#include "src/wire/json_members.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <utility>

namespace smsrack::api {
namespace {

/// Members that a trigger reads where it says so.
struct OptionalMember {
    std::string_view name;
    std::string_view trigger::Event::*member;
    bool trigger::EventForm::*wanted;
};
constexpr std::array optional_members{
    OptionalMember{"time", &trigger::Event::time, &trigger::EventForm::time},
    OptionalMember{"tag", &trigger::Event::tag, &trigger::EventForm::tag},
    OptionalMember{"cell", &trigger::Event::cell, &trigger::EventForm::place},
    OptionalMember{"lat", &trigger::Event::lat, &trigger::EventForm::place},
    OptionalMember{"lon", &trigger::Event::lon, &trigger::EventForm::place},
};

bool is_absent(std::string_view value) {
    return value.data() == nullptr;
}

/// Of a member that a text shows; nullopt if it is not one.
std::optional<std::string> text_of(wire::JsonScalar& value) {
    if (auto* const text = std::get_if<std::string>(&value)) {
        return std::move(*text);
    }
    if (const auto* const number = std::get_if<std::int64_t>(&value)) {
        return fmt::to_string(*number);
    }
    if (const auto* const number = std::get_if<double>(&value)) {
        return fmt::to_string(*number);
    }
    if (const auto* const truth = std::get_if<bool>(&value)) {
        return *truth ? "true" : "false";
    }
    return std::nullopt;
}

}  // namespace

EventLineReader::EventLineReader(trigger::EventForm form, std::size_t events_max)
    : form_(std::move(form)),
      shared_(shared_members()),
      events_max_(events_max),
      values_(form_.fields.size() * events_max) {}

Result<trigger::Event> EventLineReader::read(std::string_view line) {
    trigger::Event event;
    if (read_in_place(line, event)) {
        ++events_;
        return event;
    }
    return read_slowly(line);
}

bool EventLineReader::read_in_place(std::string_view line, trigger::Event& event) {
    const auto values = next_values();
    LineScan scan(line);
    LineNames names;
    if (!scan.take('{')) {
        return false;
    }
    do {
        const auto name = scan.string();
        if (!name || !names.add(*name) || !scan.take(':')) {
            return false;
        }
        std::string_view* const place = place_of(*name, event, values);
        if (place == nullptr) {
            if (!scan.pass_value()) {
                return false;
            }
            continue;
        }
        const auto text = scan.string();
        if (!text) {
            return false;
        }
        *place = *text;
    } while (scan.take(','));
    give(values, event);
    return scan.take('}') && scan.at_end() && !is_absent(event.number) &&
           (form_.place || !is_absent(event.topic));
}

Result<trigger::Event> EventLineReader::read_slowly(std::string_view line) {
    trigger::Event event;
    const auto values = next_values();
    auto read =
        wire::read_members(line, [&](std::string_view name, wire::JsonScalar& value) -> Result<> {
            std::string_view* const place = place_of(name, event, values);
            if (place == nullptr) {
                return {};
            }
            if (place == &event.topic && form_.place &&
                std::holds_alternative<wire::JsonNull>(value)) {
                return {};
            }
            const bool says_pair = place == &event.number || place == &event.topic;
            if (says_pair && !std::holds_alternative<std::string>(value)) {
                return fail(Errc::bad_request, std::string(name) + ": must be a text");
            }
            if (std::holds_alternative<wire::JsonNull>(value)) {
                return {};
            }
            const auto text = text_of(value);
            if (!text) {
                return fail(Errc::bad_request, std::string(name) + ": must be a text or a number");
            }
            *place = keep(*text);
            return {};
        });
    if (!read) {
        return std::unexpected(std::move(read.error()));
    }
    if (is_absent(event.number) || (is_absent(event.topic) && !form_.place)) {
        return fail(Errc::bad_request,
                    is_absent(event.number) ? "number: is missing" : "topic: is missing");
    }
    give(values, event);
    ++events_;
    return event;
}

std::string_view* EventLineReader::place_of(std::string_view name, trigger::Event& event,
                                            std::span<std::string_view> values) {
    if (name == "number") {
        return &event.number;
    }
    if (name == "topic") {
        return &event.topic;
    }
    if (const auto field = field_named(name)) {
        return &values[*field];
    }
    for (const OptionalMember& one : optional_members) {
        if (form_.*one.wanted && name == one.name) {
            return &(event.*one.member);
        }
    }
    return nullptr;
}

std::optional<std::size_t> EventLineReader::field_named(std::string_view name) const {
    const auto field = std::ranges::find(form_.fields, name);
    return field == form_.fields.end()
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(field - form_.fields.begin()));
}

std::vector<EventLineReader::Shared> EventLineReader::shared_members() const {
    std::vector<Shared> shared;
    for (const OptionalMember& one : optional_members) {
        if (const auto field = field_named(one.name); field && form_.*one.wanted) {
            shared.push_back({.member = one.member, .field = *field});
        }
    }
    return shared;
}

void EventLineReader::give(std::span<std::string_view> values, trigger::Event& event) const {
    event.fields = values;
    for (const Shared& one : shared_) {
        event.*one.member = values[one.field];
    }
}

std::span<std::string_view> EventLineReader::next_values() {
    SMSRACK_CHECK(events_ < events_max_);
    const auto values =
        std::span(values_).subspan(events_ * form_.fields.size(), form_.fields.size());
    std::ranges::fill(values, std::string_view());
    return values;
}

std::string_view EventLineReader::keep(std::string_view text) {
    return kept_.emplace_back(text);
}

void EventLineReader::forget() {
    events_ = 0;
    kept_.clear();
}

}  // namespace smsrack::api
