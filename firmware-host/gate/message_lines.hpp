/// The lines of an upload that the service has not answered yet, each with a `ref`, so that they can
/// be sent again.
///
/// Lines are numbered as the client numbers them; an answer that names a number of the service's
/// counting gets the client's.
/// Bound:   the caller stops reading while bytes() is large; one line of LineSplitter::line_bytes_max
///          that has begun.
/// Errors:  nullopt of answered(): the service answers more lines than it was sent.
#pragma once

#include "src/wire/ndjson.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::gate {

class MessageLines {
public:
    /// `fresh_ref` outlives the object.
    explicit MessageLines(std::function<std::string()> fresh_ref)
        : fresh_ref_(std::move(fresh_ref)) {}

    /// What the service gets of the client's next octets: whole lines.
    [[nodiscard]] std::string take(std::string_view octets);
    /// The same of the body's end: a last line without an end of its own.
    [[nodiscard]] std::string take_end();
    /// A line that has begun is not one.
    void forget_half() { splitter_.forget_half(); }

    /// What the client gets of the service's answer to the oldest line, given without its end.
    [[nodiscard]] std::optional<std::string> answered(std::string_view answer);

    /// All that was not answered, to be sent again.
    [[nodiscard]] std::string unanswered() const;
    /// Each of them can be sent again: it has a ref.
    [[nodiscard]] bool may_repeat() const { return without_ref_ == 0; }
    /// Takes the oldest out; gives its number.
    [[nodiscard]] std::uint64_t give_up();

    [[nodiscard]] bool empty() const { return lines_.empty(); }
    /// Of memory, also for what keeps them.
    [[nodiscard]] std::size_t bytes() const { return bytes_ + lines_.size() * sizeof(Line); }

private:
    struct Line {
        std::uint64_t number = 0;
        std::string text;  // with its end
        bool has_ref = true;
    };

    [[nodiscard]] std::string keep(const wire::LineSplitter::Line& line);

    const std::function<std::string()> fresh_ref_;
    wire::LineSplitter splitter_;
    std::deque<Line> lines_;  // oldest first
    std::size_t bytes_ = 0;
    std::size_t without_ref_ = 0;  // of lines_
};

/// `line` with a ref; nullopt: it has one, or it is no message, so it needs none.
[[nodiscard]] std::optional<std::string> with_ref(std::string_view line, std::string_view ref);

}  // namespace smsrack::gate
