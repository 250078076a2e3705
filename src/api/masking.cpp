#include "src/api/masking.hpp"

#include "src/base/log.hpp"
#include "src/wire/json.hpp"
#include "src/wire/wrapped_responder.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace smsrack::api {
namespace {

constexpr std::string_view hidden = "***";
constexpr std::size_t number_digits_min = 7;

/// Values of these are numbers, however short, or names in place of one.
constexpr std::array<std::string_view, 4> number_keys{"to", "from", "number", "reply_to"};
constexpr std::array<std::string_view, 4> text_keys{"text", "data", "note", "udh"};
/// AT dialogues, in which PDUs are.
constexpr std::string_view dialogue_key = "details";
/// Digits that are no phone number.
constexpr std::array<std::string_view, 8> plain_keys{"id",    "cursor", "imei",     "imsi",
                                                     "event", "iccid",  "replaces", "version"};
/// Objects with one of these have a `text` about the rack.
constexpr std::array<std::string_view, 2> about_rack{"condition", "subject"};

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

template <std::size_t n>
bool is_one_of(const std::array<std::string_view, n>& keys, std::string_view key) {
    return std::ranges::find(keys, key) != keys.end();
}

/// "2026-11-26T12:58:44.120Z": `from` and `to` are times too.
bool is_time(std::string_view text) {
    constexpr std::string_view form = "dddd-dd-ddTdd:dd:dd";
    return text.size() > form.size() &&
           std::ranges::equal(form, text.substr(0, form.size()), [](char wanted, char c) {
               return wanted == 'd' ? is_digit(c) : wanted == c;
           });
}

/// The cursor of a list in order of number is a number: the list then ends with its page.
wire::Json masked_cursor(const std::string& text) {
    return std::ranges::all_of(text, is_digit) ? wire::Json(text)
           : masked_digits(text) == text       ? wire::Json(text)
                                               : wire::Json();
}

wire::Json masked_text(std::string_view key, const std::string& text, bool is_about_rack) {
    if (is_one_of(plain_keys, key)) {
        return text;
    }
    if (key == "next") {
        return masked_cursor(text);
    }
    if (is_one_of(number_keys, key)) {
        return is_time(text) ? text : masked_number(text);
    }
    if (key == dialogue_key || (is_one_of(text_keys, key) && !is_about_rack)) {
        return std::string(hidden);
    }
    return masked_digits(text);
}

/// As deep as our answers are, and no deeper: they are not the caller's.
wire::Json masked_value(std::string_view key, const wire::Json& value, bool is_about_rack) {
    if (value.is_string()) {
        return masked_text(key, value.get<std::string>(), is_about_rack);
    }
    if (value.is_array()) {
        wire::Json list = wire::Json::array();
        for (const wire::Json& one : value) {
            list.push_back(masked_value(key, one, is_about_rack));
        }
        return list;
    }
    if (value.is_object()) {
        const bool about = std::ranges::any_of(
            about_rack, [&](std::string_view name) { return value.contains(name); });
        wire::Json object = wire::Json::object();
        for (const auto& [name, member] : value.items()) {
            object[name] = masked_value(name, member, about);
        }
        return object;
    }
    return value;
}

bool is_json(std::string_view type) {
    return type.starts_with("application/json") || type.starts_with("application/problem+json");
}

/// Lines of JSON, or events with a line "data: " of JSON.
class MaskedResponder final : public wire::WrappedResponder {
public:
    using WrappedResponder::WrappedResponder;

    void send(wire::HttpResponse response) override {
        if (is_json(response.content_type)) {
            response.body = masked_json(response.body);
        }
        WrappedResponder::send(std::move(response));
    }
    void begin(wire::HttpResponse response, std::chrono::seconds filler_every,
               std::string filler) override {
        is_events_ = response.content_type.starts_with("text/event-stream");
        response.body = masked_lines(response.body);
        WrappedResponder::begin(std::move(response), filler_every, std::move(filler));
    }
    void write(std::string_view piece) override { WrappedResponder::write(masked_lines(piece)); }

private:
    /// The lines that are whole now.
    std::string masked_lines(std::string_view piece) {
        begun_ += piece;
        std::string out;
        std::string_view rest = begun_;
        for (std::size_t end = rest.find('\n'); end != std::string_view::npos;
             end = rest.find('\n')) {
            append_line(out, rest.substr(0, end));
            rest.remove_prefix(end + 1);
        }
        begun_.erase(0, begun_.size() - rest.size());
        return out;
    }

    void append_line(std::string& out, std::string_view line) const {
        constexpr std::string_view data = "data: ";
        const bool has_json = is_events_ ? line.starts_with(data) : !line.empty();
        const std::string_view front = is_events_ && has_json ? data : std::string_view();
        out += front;
        out += has_json ? masked_json(line.substr(front.size())) : std::string(line);
        out += '\n';
    }

    bool is_events_ = false;
    std::string begun_;  // of a line; its author writes whole ones soon
};

}  // namespace

std::string masked_digits(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t plus = text.front() == '+' ? 1 : 0;
        std::size_t end = plus;
        while (end < text.size() && is_digit(text[end])) {
            ++end;
        }
        end = std::max(end, std::size_t{1});
        out += end - plus >= number_digits_min ? masked_number(text.substr(0, end))
                                               : std::string(text.substr(0, end));
        text.remove_prefix(end);
    }
    return out;
}

std::string masked_json(std::string_view body) {
    const auto json = wire::parse_json(body);
    return json ? masked_value({}, *json, false).dump() : "null";
}

wire::ResponderPtr masked(wire::ResponderPtr responder) {
    return std::make_shared<MaskedResponder>(std::move(responder));
}

}  // namespace smsrack::api
