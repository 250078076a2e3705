/// Writes JSON straight into a string. Members come in the order of the calls; commas are
/// automatic.
///
///     JsonWriter json(out);
///     json.object([&] {
///         json.member("id", "42");
///         json.list("lines", lines);
///     });
///
/// Text must be valid UTF-8; control characters are escaped.
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

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

    /// An object of the members that `write()` adds.
    template <std::invocable Write>
    void object(Write write) {
        begin_object();
        write();
        end_object();
    }
    template <std::invocable Write>
    void object(std::string_view name, Write write) {
        key(name);
        object(std::move(write));
    }
    /// The object of what `from` points to or holds; null where that is nothing.
    template <typename T, typename Write>
    void object_or_null(std::string_view name, const T& from, Write write) {
        key(name);
        if (from) {
            object([&] { write(*from); });
        } else {
            null();
        }
    }
    /// An array of the values that `write(row)` adds.
    template <typename Rows, typename Write>
    void array(std::string_view name, const Rows& rows, Write write) {
        key(name);
        begin_array();
        for (const auto& row : rows) {
            write(row);
        }
        end_array();
    }
    /// An array of an object for each row, whose members `write(row)` adds.
    template <typename Rows, typename Write>
    void objects(std::string_view name, const Rows& rows, Write write) {
        array(name, rows, [&](const auto& row) { object([&] { write(row); }); });
    }
    template <typename Rows>
    void list(std::string_view name, const Rows& values) {
        array(name, values, [this](const auto& one) { value(one); });
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

/// The text of an object whose members `write(json)` adds.
template <typename Write>
[[nodiscard]] std::string json_object(Write write) {
    std::string out;
    JsonWriter json(out);
    json.object([&] { write(json); });
    return out;
}

}  // namespace smsrack::wire
