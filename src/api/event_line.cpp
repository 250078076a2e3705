#include "src/api/event_line.hpp"

#include "src/base/check.hpp"
#include "src/pdu/utf8.hpp"
#include "src/wire/json_members.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace smsrack::api {
namespace {

/// Reads what needs no decoding; every `false` or nothing leaves the line to the library.
class Scan {
public:
    explicit Scan(std::string_view text) : at_(text.data()), end_(at_ + text.size()) {}

    [[nodiscard]] bool take(char wanted) {
        pass_spaces();
        if (at_ == end_ || *at_ != wanted) {
            return false;
        }
        ++at_;
        return true;
    }
    [[nodiscard]] bool at_end() {
        pass_spaces();
        return at_ == end_;
    }

    /// A string without escapes.
    [[nodiscard]] std::optional<std::string_view> string() {
        if (!take('"')) {
            return std::nullopt;
        }
        const char* const begin = at_;
        while (at_ != end_ && *at_ != '"') {
            const auto octet = static_cast<unsigned char>(*at_);
            if (octet < 0x20 || octet == '\\') {
                return std::nullopt;
            }
            if (octet < 0x80) {
                ++at_;
            } else if (const auto octets = character_octets()) {
                at_ += octets;
            } else {
                return std::nullopt;
            }
        }
        if (at_ == end_) {
            return std::nullopt;
        }
        return std::string_view(begin, at_++);
    }

    /// A value that is skipped: a string, a plain number, or a word.
    [[nodiscard]] bool pass_value() {
        pass_spaces();
        if (at_ == end_) {
            return false;
        }
        switch (*at_) {
            case '"':
                return string().has_value();
            case 't':
                return pass_word("true");
            case 'f':
                return pass_word("false");
            case 'n':
                return pass_word("null");
            default:
                return pass_number();
        }
    }

private:
    void pass_spaces() {
        while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == '\n')) {
            ++at_;
        }
    }
    [[nodiscard]] std::uint8_t character_octets() const {
        return pdu::long_code_point_at({at_, end_}, 0).octets;
    }
    [[nodiscard]] bool pass_word(std::string_view word) {
        if (!std::string_view(at_, end_).starts_with(word)) {
            return false;
        }
        at_ += word.size();
        return true;
    }
    [[nodiscard]] std::size_t pass_digits() {
        const char* const begin = at_;
        at_ = std::find_if(at_, end_, [](char c) { return c < '0' || c > '9'; });
        return static_cast<std::size_t>(at_ - begin);
    }
    /// Without an exponent, and short: no such number is out of the library's range.
    [[nodiscard]] bool pass_number() {
        constexpr std::size_t digits_max = 17;
        at_ += *at_ == '-' ? 1 : 0;
        const bool zero = at_ != end_ && *at_ == '0';
        const std::size_t whole = pass_digits();
        if (whole == 0 || whole > digits_max || (zero && whole > 1)) {
            return false;
        }
        if (at_ == end_ || *at_ != '.') {
            return true;  // the caller checks what follows
        }
        ++at_;
        const std::size_t part = pass_digits();
        return part > 0 && part <= digits_max;
    }

    const char* at_;
    const char* const end_;
};

/// The names of one object, to see one that is given twice.
class Names {
public:
    [[nodiscard]] bool add(std::string_view name) {
        if (count_ == names_.size() ||
            std::find(names_.begin(), names_.begin() + count_, name) != names_.begin() + count_) {
            return false;
        }
        names_.at(count_++) = name;
        return true;
    }

private:
    std::array<std::string_view, 16> names_;
    std::uint8_t count_ = 0;
};

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
    Scan scan(line);
    Names names;
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
