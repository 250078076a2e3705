/// What one event says: its pair, its age and its share, or the verdict that it gets at once.
///
/// Threads: the loop thread.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/result.hpp"
#include "src/sms/address.hpp"
#include "src/trigger/event.hpp"
#include "src/trigger/settings.hpp"
#include "src/trigger/share.hpp"
#include "src/trigger/topic_book.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::trigger {

/// "+33612345678", or as the plan has it. bad_number.
[[nodiscard]] Result<std::int64_t> pair_number_of(std::string_view number, const NumberPlan& plan);

class EventCheck {
public:
    struct Passed {
        std::int64_t number = 0;
        std::string_view topic = {};  ///< as the event or the table of places says it
        SteadyTime fresh_until = never;
    };
    struct Failed {
        Verdict verdict = Verdict::bad;
        std::string why = {};  ///< of a bad one
    };

    /// All outlive the object.
    EventCheck(const TriggerSettings& settings, const TopicBook& book, const Clock& clock);

    /// `tag`: the place of the event's tag in shares().
    [[nodiscard]] std::expected<Passed, Failed> check(const Event& event, std::size_t tag) const;

    /// What is read of an event.
    [[nodiscard]] const EventForm& form() const { return form_; }
    [[nodiscard]] const TagShares& shares() const { return shares_; }
    /// Its share for events without a tag has this number.
    [[nodiscard]] bool selects(std::int64_t number) const {
        return selects(number, shares_.rest());
    }
    /// The tags with which an event of this number is in the share.
    [[nodiscard]] std::vector<std::string> tags_of(std::int64_t number) const;

private:
    [[nodiscard]] bool selects(std::int64_t number, std::size_t tag) const;
    [[nodiscard]] Result<SteadyTime> fresh_until(const Event& event) const;
    [[nodiscard]] Result<std::optional<std::string_view>> topic_of(const Event& event) const;

    const TriggerSettings& settings_;
    const TopicBook& book_;
    const Clock& clock_;
    const EventForm form_;
    const std::string tag_;  // of the hash, not of an event
    const TagShares shares_;
};

}  // namespace smsrack::trigger
