/// Reads one line of a feed: {"number":"+33612345678","topic":"paris"}, with any further members.
///
/// What nearly every line looks like is read in place; anything else, and all that is wrong, is read by the JSON library. Both
/// agree on every line (tests/src/api/event_line_test).
/// Errors:  bad_request or bad_encoding, in words without a value.
/// Threads: one at a time.
#pragma once

#include "src/base/result.hpp"
#include "src/trigger/event.hpp"

#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::api {

class EventLineReader {
public:
    /// `form`: the further members that are kept. At most `events_max` events are read between two forget().
    EventLineReader(trigger::EventForm form, std::size_t events_max);

    /// The views are into `line` and into this object, and live until forget(); `number` of the line is the caller's.
    [[nodiscard]] Result<trigger::Event> read(std::string_view line);
    /// The same by the library alone.
    [[nodiscard]] Result<trigger::Event> read_slowly(std::string_view line);

    /// A copy that lasts as long as the events.
    [[nodiscard]] std::string_view keep(std::string_view text);
    void forget();

private:
    /// Members of Event that texts use as well: they are read into their fields.
    struct Shared {
        std::string_view trigger::Event::*member;
        std::size_t field;
    };

    [[nodiscard]] bool read_in_place(std::string_view line, trigger::Event& event);
    [[nodiscard]] std::string_view* place_of(std::string_view name, trigger::Event& event,
                                             std::span<std::string_view> values);
    [[nodiscard]] std::span<std::string_view> next_values();
    [[nodiscard]] std::optional<std::size_t> field_named(std::string_view name) const;
    [[nodiscard]] std::vector<Shared> shared_members() const;
    void give(std::span<std::string_view> values, trigger::Event& event) const;

    const trigger::EventForm form_;
    const std::vector<Shared> shared_;
    const std::size_t events_max_;
    std::vector<std::string_view> values_;  // fields.size() of each event, <= events_max_ of them
    std::size_t events_ = 0;
    std::deque<std::string> kept_;
};

}  // namespace smsrack::api
