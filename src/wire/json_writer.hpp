/// Writes JSON straight into a string. Members come in the order of the calls; commas are
/// automatic.
///
///     JsonWriter json(out);
///     json.begin_object();
///     json.member("id", "42");
///     json.key("lines"); json.begin_array(); json.value("OK"); json.end_array();
///     json.end_object();
///
/// Text must be valid UTF-8; control characters are escaped. Balanced calls are the caller's duty.
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::wire {

class JsonWriter {
public:
    /// Appends to `out`, which outlives the writer.
    explicit JsonWriter(std::string& out) : out_(out) {}

    void begin_object() {
        separate();
        out_ += '{';
        first_ = true;
    }
    void end_object() {
        out_ += '}';
        first_ = false;
    }
    void begin_array() {
        separate();
        out_ += '[';
        first_ = true;
    }
    void end_array() {
        out_ += ']';
        first_ = false;
    }
    void key(std::string_view name) {
        separate();
        quote(name);
        out_ += ':';
        first_ = true;
    }

    void value(std::string_view text) {
        separate();
        quote(text);
    }
    void value(const char* text) { value(std::string_view(text)); }
    void value(const std::string& text) { value(std::string_view(text)); }
    void value(std::same_as<bool> auto truth) {
        separate();
        out_ += truth ? "true" : "false";
    }
    template <std::integral T>
    requires(!std::same_as<T, bool>) void value(T number) {
        separate();
        append_number(static_cast<long long>(number));
    }
    void value(double number);
    void null() {
        separate();
        out_ += "null";
    }
    /// Text that is JSON already.
    void raw(std::string_view json) {
        separate();
        out_ += json;
    }

    template <typename T>
    void member(std::string_view name, const T& content) {
        key(name);
        value(content);
    }
    template <typename T>
    void member(std::string_view name, const std::optional<T>& content) {
        key(name);
        if (content) {
            value(*content);
        } else {
            null();
        }
    }
    void member_null(std::string_view name) {
        key(name);
        null();
    }

private:
    void separate() {
        if (!first_) {
            out_ += ',';
        }
        first_ = false;
    }
    void append_number(long long number) {
        std::array<char, 24> digits;
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
        out_.append(digits.data(), end);
    }
    void quote(std::string_view text);

    std::string& out_;
    bool first_ = true;
};

}  // namespace smsrack::wire
